import { type Browser, chromium } from 'playwright-core';
import { JUMP_SECONDS, type JourneyWorld } from './journey-world.ts';
import { PersonBrowser } from './person-browser.ts';
import { PythonClient, type SigningClient, TypeScriptClient } from './signing-clients.ts';

/** A person with a browser and an MCP client. */
export interface Person {
  name: string;
  /** The text with which the calls of the client begin. */
  label: string;
  browser: PersonBrowser;
  client: SigningClient;
}

/** Alice with the TypeScript client, also at a second computer, and bob with the Python client. */
export class JourneyPeople {
  private constructor(
    private readonly world: JourneyWorld,
    private readonly chrome: Browser,
    private readonly people: readonly [Person & { client: TypeScriptClient }, Person],
    /** Alice at her second computer. */
    readonly third: Person,
  ) {}

  static async start(world: JourneyWorld, programs: { chromium: string; python: string }): Promise<JourneyPeople> {
    const chrome = await chromium.launch({ executablePath: programs.chromium, args: ['--no-sandbox'] });
    const open = (name: string) => openBrowser(chrome, world, name);
    const [alice, bob, again] = [await open('alice'), await open('bob'), await open('alice')];
    const python = new PythonClient(programs.python, world.url, bob);
    return new JourneyPeople(
      world,
      chrome,
      [
        { name: 'alice', label: 'alice', browser: alice, client: new TypeScriptClient(world.url, alice) },
        { name: 'bob', label: 'bob', browser: bob, client: python },
      ],
      { name: 'alice', label: 'alice elsewhere', browser: again, client: new TypeScriptClient(world.url, again) },
    );
  }

  get alice(): Person & { client: TypeScriptClient } {
    return this.people[0];
  }

  /** How often each client was allowed to act: of alice, bob, and alice at her second computer. */
  get signIns(): number[] {
    return [...this.people, this.third].map(({ client }) => client.signIns);
  }

  /** Does a step for both at the same time. */
  readonly both = <Result>(step: (person: Person) => Promise<Result>): Promise<Result[]> =>
    Promise.all(this.people.map(step));

  /** Sets the clocks of the gateway and the clients forward: their access tokens expire. */
  async advanceClocks(): Promise<void> {
    await this.world.jump();
    for (const { client } of this.people) client.advance(JUMP_SECONDS);
  }

  async close(): Promise<void> {
    for (const { client, browser } of [...this.people, this.third]) {
      await client.close();
      await browser.close();
    }
    await this.chrome.close();
  }
}

async function openBrowser(chrome: Browser, world: JourneyWorld, name: string): Promise<PersonBrowser> {
  const account = { address: `${name}@example.test`, password: world.dex.password };
  const browser = await PersonBrowser.open(chrome, account);
  await browser.signInAt(world.upstream.provider.issuer, `${name}-at-files`);
  return browser;
}
