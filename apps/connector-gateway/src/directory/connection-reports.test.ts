import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { UpstreamUnavailableError } from '../mcp/upstreams/upstream-unavailable.ts';
import { ConnectionReports, type Observation } from './connection-reports.ts';

const connector = (id: string, type = 'none'): Connector => ({
  id,
  slug: id,
  name: id,
  endpoint: 'https://mcp.example.com/mcp',
  transport: 'streamable-http',
  auth: { type },
  allow_private_ips: false,
});
const tools = (...names: string[]) => names.map((name) => ({ name }));
const broken = () => Promise.reject<{ name: string }[]>(new Error('did not answer'));
const signInNeeded = () =>
  Promise.reject<{ name: string }[]>(
    new UpstreamUnavailableError('needs you to sign in', { signInReason: 'never_connected' }),
  );

describe('ConnectionReports', () => {
  let reports: ConnectionReports | undefined;
  afterEach(() => reports?.stop());

  function scene(respond: (batch: readonly Observation[]) => Promise<void> = () => Promise.resolve()) {
    const batches: Observation[][] = [];
    const warnings: object[] = [];
    const clock = { now: Date.parse('2026-11-01T00:00:00Z') };
    reports = new ConnectionReports({
      send: async (batch) => {
        batches.push([...batch]);
        await respond(batch);
        return batch.map(() => ({ status: 'stored' }));
      },
      now: () => new Date(clock.now),
      log: { warn: (fields) => warnings.push(fields) },
      gatherMs: 5,
      backoff: { firstMs: 5 },
    });
    const until = async (count: number) => {
      while (batches.flat().length < count) await sleep(2);
    };
    return { reports, batches, warnings, clock, until };
  }
  const settle = () => sleep(40);

  it('sends observations in one batch, and again only after a change', async () => {
    const { reports, batches, until } = scene();
    const list = tools('a', 'b');
    for (let look = 0; look < 50; look += 1) {
      reports.observe('alice', connector('one'), Promise.resolve(list));
      reports.observe('bob', connector('one'), Promise.resolve(list));
      reports.observe(undefined, connector('one'), Promise.resolve(list));
    }
    await until(2);
    await settle();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.map(({ user_id, tools }) => [user_id, tools])).toEqual([
      ['alice', ['a', 'b']],
      ['bob', ['a', 'b']],
    ]);
    reports.observe('alice', connector('one'), Promise.resolve(tools('a', 'b')));
    reports.observe('alice', connector('one'), broken());
    await settle();
    expect(batches).toHaveLength(1);
    reports.observe('alice', connector('one'), Promise.resolve(tools('a')));
    await until(3);
    expect(batches[1]).toMatchObject([{ user_id: 'alice', tools: ['a'], connection_status: 'ready' }]);
  });

  it('reports the status without a list of tools, and renews it after an hour', async () => {
    const { reports, batches, clock, until } = scene();
    reports.observe('alice', connector('one', 'upstreamInject'), signInNeeded());
    await until(1);
    expect(batches[0]).toEqual([
      {
        user_id: 'alice',
        connector_id: 'one',
        connection_status: 'needs_auth',
        observed_at: '2026-11-01T00:00:00.000Z',
      },
    ]);
    clock.now += 3_600_000;
    reports.observe('alice', connector('one', 'upstreamInject'), signInNeeded());
    await until(2);
  });

  it('reports a user as connected after a list, and nothing after a failure without a reason', async () => {
    const { reports, batches, until } = scene();
    reports.observe('alice', connector('one', 'upstreamInject'), broken());
    await settle();
    reports.observe('alice', connector('one', 'upstreamInject'), Promise.resolve(tools('a')));
    await until(1);
    expect(batches.flat()).toMatchObject([{ connection_status: 'connected', tools: ['a'] }]);
  });

  it('retries a failed batch without loss, with the newest observations', async () => {
    let failing = true;
    const { reports, batches, warnings, until } = scene(() =>
      failing ? Promise.reject(new ManagerError(503, 'down')) : Promise.resolve(),
    );
    reports.observe('alice', connector('one'), Promise.resolve(tools('a')));
    reports.observe('bob', connector('one'), Promise.resolve(tools('a')));
    await until(4);
    reports.observe('alice', connector('one'), Promise.resolve(tools('b')));
    await settle();
    failing = false;
    while (reports.size > 0) await sleep(2);
    await settle();
    const last = new Map(batches.flat().map((observation) => [observation.user_id, observation.tools]));
    expect([...last]).toEqual([
      ['alice', ['b']],
      ['bob', ['a']],
    ]);
    // One log line for the outage, for any number of attempts.
    expect(warnings).toHaveLength(1);
  });

  it('does not repeat a batch that is refused as a whole', async () => {
    const { reports, batches, until } = scene(() => Promise.reject(new ManagerError(400, 'nonsense')));
    reports.observe('alice', connector('one'), Promise.resolve(tools('a')));
    await until(1);
    await settle();
    expect([batches.length, reports.size]).toEqual([1, 0]);
  });

  it('splits batches by number and size', async () => {
    const { reports, batches, until } = scene();
    const many = tools(...Array.from({ length: 2_000 }, (_, at) => `${at}-`.padEnd(250, 'x')));
    for (let person = 0; person < 40; person += 1)
      reports.observe(`person ${person}`, connector('one'), Promise.resolve(many));
    for (let person = 0; person < 2_500; person += 1)
      reports.observe(`person ${person}`, connector('two'), Promise.resolve(tools('a')));
    await until(2_540);
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(1_000);
      expect(Buffer.byteLength(JSON.stringify({ statuses: batch }))).toBeLessThan(8 * 1024 * 1024);
    }
  });
});
