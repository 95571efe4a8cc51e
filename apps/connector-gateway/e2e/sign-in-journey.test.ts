import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findChromium } from '@gatehouse/testing/chromium';
import { findDex } from '@gatehouse/testing/dex';
import { eventually } from '@gatehouse/testing/eventually';
import { available, describeWhen, type Fixture } from '@gatehouse/testing/fixture';
import { mcpPython } from '@gatehouse/testing/python-environment';
import { JourneyPeople, type Person } from './support/journey-people.ts';
import { JourneyWorld } from './support/journey-world.ts';

/** The programs that this machine must have. */
interface Programs {
  chromium: string;
  dex: string;
  python: string;
}

async function findPrograms(): Promise<Fixture<Programs>> {
  const [chromium, dex] = [findChromium(), findDex()];
  const python = await mcpPython();
  if (!chromium.available) return chromium;
  if (!dex.available) return dex;
  if (!python.available) return python;
  return available({ chromium: chromium.value, dex: dex.value, python: python.value });
}

describeWhen(await findPrograms(), 'two people with stock clients, and dex as the corporate provider', (programs) => {
  let world: JourneyWorld;
  let people: JourneyPeople;

  beforeAll(async () => {
    world = await JourneyWorld.start(programs.dex);
    people = await JourneyPeople.start(world, programs);
  }, 120_000);
  afterAll(async () => {
    await people.close();
    await world.close();
  });

  /** Calls the tool. @returns the token with which the upstream saw the call of this person */
  async function call({ name, label, client }: Person, what: string): Promise<string | undefined> {
    const text = `${label} ${what}`;
    expect(await client.call(world.tool, text)).toEqual({ text });
    const seen = world.upstream.seen.filter((one) => one.text === text);
    expect(seen.map(({ subject }) => subject)).toEqual([`${name}-at-files`]);
    return seen[0]?.token;
  }

  /** Calls the tool at the same time as others of the person do. */
  const callInParallel = (person: Person, what: string) =>
    Promise.all([1, 2, 3].map((number) => call(person, `${what} in call ${number}`)));

  /** Calls the tool, gets no result but a link, and connects there. */
  async function connect({ name, client, browser }: Person): Promise<void> {
    const { link = '' } = await client.call(world.tool, `${name} is not connected`);
    expect(link).toContain(`${new URL(world.url).origin}/oauth/connect/`);
    await browser.connect(link);
  }

  it('sign in with an address alone, call, refresh, lose their sign-ins, and sign in again', async () => {
    const { both } = people;
    await both(({ client }) => client.connect());
    await both(connect);
    const first = await both((person) => call(person, 'is connected'));
    // The connection of a person serves all of their clients.
    await people.third.client.connect();
    await call(people.third, 'needs no link');
    expect(people.signIns).toEqual([1, 1, 1]);

    // The tokens of the clients and of the upstream expire. No person is asked for anything.
    await people.advanceClocks();
    await both((person) => callInParallel(person, 'was away'));
    const second = await both((person) => call(person, 'goes on'));
    await call(people.third, 'goes on');
    expect(new Set([...first, ...second]).size).toBe(4);
    expect(world.upstream.countRefreshes()).toBe(2);
    expect(people.signIns).toEqual([1, 1, 1]);

    // The provider of the upstream ends all sign-ins.
    world.upstream.provider.authorization.revokeAll();
    await both(connect);
    await both((person) => call(person, 'is connected again'));
    expect(people.signIns).toEqual([1, 1, 1]);

    // The client of alice ends its grant.
    const { alice } = people;
    await alice.client.signOut();
    let attempts = 0;
    await eventually(async () => {
      await call(alice, `has ended the grant, attempt ${(attempts += 1)}`);
      return alice.client.signIns === 2;
    }, 'the access token is refused');
    expect(people.signIns).toEqual([2, 1, 1]);

    // The corporate provider ends all sign-ins. Those at the upstream are not concerned.
    await world.dex.restart();
    await both((person) => call(person, 'has an access token'));
    await people.advanceClocks();
    await both((person) => call(person, 'has signed in again'));
    expect(people.signIns).toEqual([3, 2, 1]);
    expect(world.upstream.seen.filter(({ text }) => text.includes('not connected'))).toEqual([]);
  }, 120_000);
});
