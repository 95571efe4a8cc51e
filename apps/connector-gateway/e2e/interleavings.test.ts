import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { MarkedClient, type Violations } from './support/marked-client.ts';
import { MARKED, registerMarkedTool } from './support/marked-tool.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

const PEOPLE = ['alice', 'bob'] as const;
/** Connectors of both users, by the protocol era of their servers. */
const SHARED: readonly string[] = ['modern', 'old'];

let world: World;
const upstreams = new Map<string, McpUpstream>();
let gateways: Gateway[];

beforeAll(async () => {
  world = await World.start();
  const eras = { old: 'legacy', modern: 'modern', alice: 'both', bob: 'both' } as const;
  const started = await Promise.all(
    Object.entries(eras).map(async ([slug, era]) => {
      const upstream = await startMcpUpstream({ eras: era, extend: registerMarkedTool });
      upstreams.set(slug, upstream);
      return { slug, connector: world.manager.addConnector({ slug, endpoint: upstream.url }, [slug, 'all']) };
    }),
  );
  for (const subject of PEOPLE) {
    const user = world.manager.addUser({ subject, groups: ['all'] });
    // Each user has enabled the shared connectors and one that the other user has not.
    for (const { slug, connector } of started)
      if ([subject, ...SHARED].includes(slug)) world.manager.toggle(user, connector, true);
  }
  gateways = [await world.gateway(await world.replicaSettings()), await world.gateway(await world.replicaSettings())];
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
});

/** One operation of a user: a call, which may be cancelled, or a list, from a client of one era. */
const operation = fc.record({
  person: fc.constantFrom(...PEOPLE),
  era: fc.constantFrom('legacy', 'modern'),
  kind: fc.constantFrom('call', 'call', 'call', 'list'),
  at: fc.constantFrom(...SHARED, 'own'),
  startMs: fc.nat(60),
  notes: fc.nat(3),
  asks: fc.boolean(),
  pauseMs: fc.nat(15),
  cancelMs: fc.option(fc.nat(60), { freq: 5, nil: undefined }),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Number of calls, and of those that may have been cancelled. */
const calls = { all: 0, cancelled: 0 };

function markCall(isCancelled: boolean): string {
  if (isCancelled) calls.cancelled += 1;
  return `mark-${(calls.all += 1)}-end`;
}

/** Runs the operations together. @param choices decide which replica gets each request */
async function runTogether(operations: readonly Operation[], choices: readonly boolean[]): Promise<Violations> {
  const violations: Violations = [];
  let turn = 0;
  const chooseReplica = () => gateways[choices[(turn += 1) % choices.length] ? 1 : 0]!.url;
  const clients = new Map<string, MarkedClient>();
  const replicas = gateways.map(({ url }) => url);
  for (const name of PEOPLE) {
    const options = { name, token: await world.token(name), replicas, chooseReplica };
    clients.set(`${name} legacy`, await MarkedClient.connect(options, violations));
    clients.set(`${name} modern`, await MarkedClient.connect(options, violations, MODERN));
  }
  const runOne = async ({ person, era, kind, at, startMs, cancelMs, ...call }: Operation) => {
    const client = clients.get(`${person} ${era}`)!;
    await sleep(startMs);
    if (kind === 'call')
      await client.call(
        `${at === 'own' ? person : at}__${MARKED}`,
        { mark: markCall(cancelMs !== undefined), ...call },
        cancelMs,
      );
    else {
      const slugs = (await client.listSlugs()).join();
      if (slugs !== [person, ...SHARED].sort().join()) violations.push(`${person} lists ${slugs}`);
    }
  };
  await Promise.all(
    operations.map((one) =>
      runOne(one).catch((error: unknown) => void violations.push(`${JSON.stringify(one)}: ${String(error)}`)),
    ),
  );
  await Promise.all([...clients.values()].map((client) => client.close()));
  return violations;
}

describe('two users at two replicas with one database', () => {
  it('get the messages of their own calls only, whichever replica a request reaches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 2, maxLength: 16 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
        async (operations, choices) => {
          expect(await runTogether(operations, choices)).toEqual([]);
        },
      ),
      { seed, numRuns: 12 * effort, endOnFailure: true },
    );
  }, 600_000);

  it('have one billable record for each answered call', async () => {
    const listRecords = () => [...world.manager.records.values()].filter((record) => record['tool_name'] === MARKED);
    // The arguments of each call are unique; a record per question of 2026-07-28 is not billable.
    const listBillable = () => listRecords().filter((record) => record['billable']);
    const isComplete = () => listBillable().length >= calls.all - calls.cancelled || undefined;
    await eventually(isComplete, 'all records are delivered');
    const hashes = listBillable().map((record) => record['arguments_sha256']);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.length).toBeLessThanOrEqual(calls.all);
  });

  it('get the changes of their own connectors only, at every replica', async () => {
    const connectAt = async (name: (typeof PEOPLE)[number], { url }: Gateway) =>
      MarkedClient.connect({ name, token: await world.token(name), replicas: [url], chooseReplica: () => url }, []);
    const clients = {
      alice: await Promise.all(gateways.map((gateway) => connectAt('alice', gateway))),
      bob: await Promise.all(gateways.map((gateway) => connectAt('bob', gateway))),
    };
    for (const client of [...clients.alice, ...clients.bob]) await client.listSlugs();
    const countChanges = () => [...clients.alice, ...clients.bob].map(({ listChanges }) => listChanges);
    upstreams.get('alice')!.setExtraTools(['added']);
    await eventually(() => clients.alice.every(({ listChanges }) => listChanges > 0) || undefined, 'alice is told');
    expect(clients.bob.map(({ listChanges }) => listChanges)).toEqual([0, 0]);
    const told = countChanges();
    upstreams.get('bob')!.setExtraTools(['added']);
    await eventually(() => clients.bob.every(({ listChanges }) => listChanges > 0) || undefined, 'bob is told');
    expect(clients.alice.map(({ listChanges }) => listChanges)).toEqual(told.slice(0, 2));
    await Promise.all([...clients.alice, ...clients.bob].map((client) => client.close()));
  });
});
