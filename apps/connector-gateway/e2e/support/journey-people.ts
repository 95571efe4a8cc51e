import { type Browser, chromium } from 'playwright-core';
import { JUMP_SECONDS, type JourneyWorld } from './journey-world.ts';
import { PersonBrowser } from './person-browser.ts';
import { PythonClient, type SigningClient, TypeScriptClient } from './signing-clients.ts';

/** A person with a browser and an MCP client. */
export interface Person {
  name: string;
  browser: PersonBrowser;
  client: SigningClient;
}

/** Alice with the TypeScript client, and bob with the Python client. */
export class JourneyPeople {
  private constructor(
    private readonly world: JourneyWorld,
    private readonly chrome: Browser,
    readonly people: readonly Person[],
  ) {}

  static async start(world: JourneyWorld, programs: { chromium: string; python: string }): Promise<JourneyPeople> {
    const chrome = await chromium.launch({ executablePath: programs.chromium, args: ['--no-sandbox'] });
    const [alice, bob] = [await openBrowser(chrome, world, 'alice'), await openBrowser(chrome, world, 'bob')];
    return new JourneyPeople(world, chrome, [
      { name: 'alice', browser: alice, client: new TypeScriptClient(world.url, alice) },
      { name: 'bob', browser: bob, client: new PythonClient(programs.python, world.url, bob) },
    ]);
  }

  /** How often each of them let the client act. */
  get signIns(): number[] {
    return this.people.map(({ client }) => client.signIns);
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
    for (const { client, browser } of this.people) {
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
