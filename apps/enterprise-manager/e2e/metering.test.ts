import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess } from '@gatehouse/testing/process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { makeAvailable, makeGroup, makeVisible } from './connector-scene.ts';
import { createEnvironment, startManager, type TestManager } from './enterprise-manager.ts';

const REPORT = 'POST /gateway/v1/gateways/{gateway_id}/tool-calls';
const ACTIVITY = 'GET /v1/metering/usage/connectors/{id}/calls';
const OWN = 'GET /v1/me/metering/usage/calls';

interface Receipt {
  status: 'stored' | 'duplicate' | 'rejected';
  error?: string;
}
interface Activity {
  records: { call_id: string; occurred_at: string; tool_name: string; user_id?: string; [field: string]: unknown }[];
  next_cursor?: string;
  prev_cursor?: string;
}

/** A valid record with a new id. */
const record = (overrides: Record<string, unknown> = {}) => ({
  call_id: uuidv7(),
  occurred_at: new Date().toISOString(),
  tool_name: 'echo',
  decision: 'allowed',
  outcome: 'ok',
  category: 'invocation',
  billable: true,
  ...overrides,
});

describe('records of tool calls', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other'],
      environment: {
        TOOL_CALL_RETENTION_DAYS: '7300',
      },
    });
  }, 60_000);
  afterAll(() => manager.close());

  const report = (calls: unknown, gateway_id = 'local') =>
    manager.client.call<{ results: Receipt[]; error: string }>(REPORT, {
      token: manager.tokens.gateway,
      path: { gateway_id },
      body: { calls },
    });
  const reportStatuses = async (calls: unknown[], gateway?: string) =>
    (await report(calls, gateway)).body.results.map(({ status }) => status);
  const readActivity = (id: string, query: Record<string, unknown> = {}, token = manager.tokens.admin) =>
    manager.client.call<Activity>(ACTIVITY, { token, path: { id }, query: { gateway_id: 'local', ...query } });
  const readOwnActivity = (token: string, query: Record<string, unknown>) =>
    manager.client.call<Activity>(OWN, { token, query: { gateway_id: 'local', ...query } });
  const listIds = (response: { body: Activity }) => response.body.records.map(({ call_id }) => call_id);

  it('are stored once each when they arrive at the same time, and only the batch that the database refuses fails', async () => {
    const bad = 'no database takes this';
    await manager.sql(`ALTER TABLE tool_calls ADD CONSTRAINT refused CHECK (tool_name <> '${bad}')`);
    const shared = record();
    const reports = Array.from({ length: 10 }, (_, at) =>
      at === 7 ? [record(), record({ tool_name: bad })] : [record(), shared, { ...shared, tool_name: `other ${at}` }],
    );
    const responses = await Promise.all(reports.map((calls) => report(calls)));
    await manager.sql('ALTER TABLE tool_calls DROP CONSTRAINT refused');
    expect(responses.map(({ status }) => status)).toEqual(reports.map((_, at) => (at === 7 ? 500 : 200)));
    const receipts = responses.flatMap(({ status, body }) => (status === 200 ? body.results : []));
    const count = (wanted: string) => receipts.filter(({ status }) => status === wanted).length;
    expect([count('stored'), count('duplicate'), receipts.filter(({ error }) => error).length]).toEqual([10, 17, 9]);
    const sent = reports.flat().map(({ call_id }) => call_id);
    const rows = await manager.sql<{ stored: number; last: number }>(
      `SELECT count(*)::int AS stored, count(DISTINCT sequence)::int AS last FROM tool_calls WHERE call_id = ANY ('{${sent.join(',')}}'::uuid[])`,
    );
    expect(rows).toEqual([{ stored: 10, last: 10 }]);
  });

  it('are returned as reported, with the names in the directory', async () => {
    const connector = await makeAvailable(manager);
    const group = await makeGroup(manager, 'alice');
    const call = record({
      connector_id: connector.id,
      user_id: await manager.findUserId('alice'),
      groups: [{ id: group }, { id: 'gone' }, { id: 'x', name: 'as it was' }],
      definition_version: 'abcdef012345',
      duration_ms: 12,
      arguments_sha256: 'a'.repeat(64),
      occurred_at: `${new Date().getUTCFullYear()}-01-01T01:30:00.123456+02:00`,
    });
    expect(await reportStatuses([call])).toEqual(['stored']);
    const [stored] = (await readActivity(connector.id)).body.records;
    expect(stored).toMatchObject({
      ...call,
      gateway_id: 'local',
      environment: 'local',
      connector_name: connector.name,
      user_email: 'alice@example.test',
      groups: [
        { id: group, name: expect.stringMatching(/^group-/), display_name: expect.stringMatching(/^Group /) },
        { id: 'gone', name: '' },
        { id: 'x', name: 'as it was' },
      ],
      occurred_at: `${new Date().getUTCFullYear() - 1}-12-31T23:30:00.123Z`,
    });
    expect(stored).not.toHaveProperty('content_sha256');
  });

  it('keep all valid characters', async () => {
    const connector = await makeAvailable(manager);
    const odd = ['\\N', '\\', '\\.', '\\t\\n\\x41', '{"a":"b\\"}', "'; --", '\ud83d\ude00 \u00fc\u202e', 'NULL', '  '];
    const calls = odd.map((text) =>
      record({
        connector_id: connector.id,
        connector_name: text,
        tool_name: text,
        user_email: text,
        environment: text,
        billable_reason: text,
        definition_version: text,
        groups: [{ id: text, name: text }],
      }),
    );
    expect(await reportStatuses(calls)).toEqual(calls.map(() => 'stored'));
    const { body } = await readActivity(connector.id, { limit: 500 });
    for (const call of calls)
      expect(body.records.find(({ call_id }) => call_id === call.call_id)).toEqual({ ...call, gateway_id: 'local' });
  });

  it('keep the requested name of refused calls, also without a matching connector', async () => {
    const connector = await makeAvailable(manager);
    const user_id = await manager.findUserId('bob');
    const denied = { decision: 'denied', outcome: 'error', category: 'denied', billable: false, user_id };
    expect(
      await reportStatuses([
        record({ ...denied, connector_id: connector.id, tool_name: 'sécret \u202e tool' }),
        record({ ...denied, connector_id: '', tool_name: 'no__such' }),
      ]),
    ).toEqual(['stored', 'stored']);
    const { body } = await readActivity(connector.id, { decision: 'denied', user_id });
    expect(body.records).toMatchObject([{ tool_name: 'sécret \u202e tool', decision: 'denied', billable: false }]);
    const [unmatched] = await manager.sql<{ connector_id: null }>(
      `SELECT connector_id FROM tool_calls WHERE tool_name = 'no__such'`,
    );
    expect(unmatched).toEqual({ connector_id: null });
  });

  it('are stored once if they are repeated, and other content is reported', async () => {
    const connector_id = randomUUID();
    const call = record({ connector_id });
    const other = { ...call, tool_name: 'other' };
    expect(await reportStatuses([call])).toEqual(['stored']);
    const again = await report([call, other, record({ connector_id }), call]);
    expect(again.body.results).toEqual([
      { status: 'duplicate' },
      { status: 'duplicate', error: expect.stringContaining('call_id') },
      { status: 'stored' },
      { status: 'duplicate' },
    ]);
    const twice = record({ connector_id });
    expect((await report([twice, { ...twice, tool_name: 'b' }, twice])).body.results).toEqual([
      { status: 'stored' },
      { status: 'duplicate', error: expect.stringContaining('stays') },
      { status: 'duplicate' },
    ]);
    expect((await report([call], 'other')).body.results[0]).toMatchObject({
      status: 'duplicate',
      error: expect.any(String),
    });
    const { records } = (await readActivity(connector_id)).body;
    expect(records.map(({ tool_name }) => tool_name)).toEqual(['echo', 'echo', 'echo']);
  });

  it('are counted once when they arrive concurrently in several batches', async () => {
    const connector_id = randomUUID();
    const calls = Array.from({ length: 200 }, () => record({ connector_id }));
    const shuffled = Array.from({ length: 8 }, (_, n) => [...calls.slice(n * 20), ...calls.slice(0, n * 20)]);
    const responses = await Promise.all(shuffled.map((batch) => report(batch)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const stored = responses.flatMap(({ body }) => body.results).filter(({ status }) => status === 'stored');
    expect(stored).toHaveLength(200);
    expect(responses.flatMap(({ body }) => body.results).filter(({ error }) => error !== undefined)).toEqual([]);
    expect((await readActivity(connector_id, { limit: 500 })).body.records).toHaveLength(200);
  });

  it('are rejected separately with the name of the field if they are malformed', async () => {
    const connector_id = randomUUID();
    const broken: [unknown, string][] = [
      [null, 'body'],
      ['x', 'body'],
      [{}, 'call_id'],
      [record({ call_id: 'x' }), 'call_id'],
      [record({ occurred_at: 'yesterday' }), 'occurred_at'],
      [record({ occurred_at: '0000-01-01T00:00:00Z' }), 'occurred_at'],
      [record({ occurred_at: 0 }), 'occurred_at'],
      [record({ decision: 'maybe' }), 'decision'],
      [record({ tool_name: 'a\u0007b' }), 'tool_name'],
      [record({ tool_name: 'a\u0000b' }), 'tool_name'],
      [record({ tool_name: 'half \ud83d' }), 'tool_name'],
      [record({ groups: [{ id: 'a', name: '\u0000' }] }), 'groups'],
      [record({ ['\u0000']: 1 }), 'not a known field'],
      [record({ tool_name: '' }), 'tool_name'],
      [record({ tool_name: 'x'.repeat(600) }), 'tool_name'],
      [record({ billable: 'yes' }), 'billable'],
      [record({ duration_ms: -1 }), 'duration_ms'],
      [record({ duration_ms: 3e9 }), 'duration_ms'],
      [record({ connector_id: 'x' }), 'connector_id'],
      [record({ user_id: 7 }), 'user_id'],
      [record({ groups: [{ id: '\u0007' }] }), 'groups'],
      [record({ gateway_id: 'other' }), 'gateway_id'],
      [record({ arguments_sha256: 'x' }), 'arguments_sha256'],
      [record({ surprise: 1 }), 'surprise'],
      [record({ category: 'platform_retry' }), 'billable'],
      [record({ category: 'denied', billable: false }), 'category'],
      [record({ decision: 'denied' }), 'decision denied'],
    ];
    const calls = broken.flatMap(([call]) => [call, record({ connector_id })]);
    const { status, body } = await report(calls);
    expect(status).toBe(200);
    expect(body.results).toEqual(
      broken.flatMap(([, field]) => [
        { status: 'rejected', error: expect.stringContaining(field) },
        { status: 'stored' },
      ]),
    );
    expect((await readActivity(connector_id, { limit: 500 })).body.records).toHaveLength(broken.length);
  });

  it('are accepted in batches of at most 1,000 records and 8 MiB', async () => {
    const connector_id = randomUUID();
    const full = Array.from({ length: 1_000 }, () => record({ connector_id, tool_name: 'x'.repeat(500) }));
    expect((await report(full)).body.results.every(({ status }) => status === 'stored')).toBe(true);
    const over = await report([...full, record()]);
    expect([over.status, over.body.error]).toEqual([400, expect.stringContaining('calls')]);
    expect((await report(['x'.repeat(9 << 20)])).status).toBe(413);
    expect((await report([])).body.results).toEqual([]);
    expect((await report('x')).status).toBe(400);
    expect((await report([], 'none')).status).toBe(404);
  });

  it('are rejected separately and not stored if they are in the future or older than the retention', async () => {
    const connector_id = randomUUID();
    const getTimeBefore = (ms: number) => new Date(Date.now() - ms).toISOString();
    const DAY_MS = 86_400_000;
    const strange = [
      '1999-12-31T23:59:59.999Z',
      getTimeBefore(7_301 * DAY_MS),
      getTimeBefore(-400_000),
      '2099-07-01T00:00:00Z',
    ];
    const taken = record({ connector_id, occurred_at: getTimeBefore(-60_000) });
    const { body } = await report([...strange.map((occurred_at) => record({ connector_id, occurred_at })), taken]);
    expect(body.results).toEqual([
      ...strange.map(() => ({ status: 'rejected', error: expect.stringMatching(/^occurred_at: /) })),
      { status: 'stored' },
    ]);
    expect(listIds(await readActivity(connector_id))).toEqual([taken.call_id]);
    const sums = await manager.sql<{ calls: number }>(
      `SELECT sum(calls)::int AS calls FROM tool_call_sums WHERE connector_id = $1 AND grain = 'connector' AND width = 'day'`,
      [connector_id],
    );
    expect(sums).toEqual([{ calls: 1 }]);
  });

  it('are not stored again after their month was deleted', async () => {
    const connector_id = randomUUID();
    const monthAgo = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await manager.sql(`UPDATE tool_call_retention SET kept_from = now() - interval '30 days'`);
    const { body } = await report([record({ connector_id, occurred_at: monthAgo }), record({ connector_id })]);
    await manager.sql(`UPDATE tool_call_retention SET kept_from = '-infinity'`);
    expect(body.results.map(({ status }) => status)).toEqual(['rejected', 'stored']);
  });

  it('are stored in the month of their arrival', async () => {
    const connector_id = randomUUID();
    const times = [399, 200, 40, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
    const calls = times.map((occurred_at) =>
      record({ connector_id, occurred_at, call_id: uuidv7({ msecs: Date.parse(occurred_at) }) }),
    );
    calls.push(record({ connector_id, occurred_at: times[0], call_id: randomUUID() }));
    expect(new Set(await reportStatuses(calls))).toEqual(new Set(['stored']));
    expect(new Set(await reportStatuses(calls))).toEqual(new Set(['duplicate']));
    const { records } = (await readActivity(connector_id)).body;
    expect(records.map(({ occurred_at }) => occurred_at)).toEqual([...times].sort().reverse().concat(times[0]!));
    // Records are stored in the month of their arrival, so that a month has complete chains.
    const homes = await manager.sql<{ table: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS table FROM tool_calls WHERE connector_id = $1',
      [connector_id],
    );
    expect(homes).toEqual([{ table: `tool_calls_${new Date().toISOString().slice(0, 7).replace('-', '_')}` }]);
  });

  it('are paged in both directions without gaps or repeats, while others arrive', async () => {
    const connector_id = randomUUID();
    const calls = Array.from({ length: 25 }, (_, n) =>
      record({ connector_id, occurred_at: new Date(Date.UTC(2026, 4, 1, 0, 0, Math.floor(n / 4))).toISOString() }),
    );
    await report(calls);
    const expected = [...calls]
      .sort((a, b) => (a.occurred_at + a.call_id < b.occurred_at + b.call_id ? 1 : -1))
      .map(({ call_id }) => call_id);
    const seen: string[] = [];
    let page = await readActivity(connector_id, { limit: 4 });
    expect(page.body).not.toHaveProperty('prev_cursor');
    for (;;) {
      seen.push(...listIds(page));
      if (seen.length === 8) await report([record({ connector_id })]);
      const cursor = page.body.next_cursor;
      if (cursor === undefined) break;
      page = await readActivity(connector_id, { limit: 4, cursor });
    }
    expect(seen).toEqual(expected);
    const back: string[] = [...listIds(page)];
    while (page.body.prev_cursor !== undefined) {
      page = await readActivity(connector_id, { limit: 4, before: page.body.prev_cursor });
      back.unshift(...listIds(page));
    }
    expect(back.slice(-25)).toEqual(expected);
    expect(back).toHaveLength(26);
    expect((await readActivity(connector_id, { limit: 10_000 })).body.records).toHaveLength(26);
    const { next_cursor: cursor } = (await readActivity(connector_id, { limit: 4 })).body;
    for (const query of [
      { cursor, before: cursor },
      { cursor, outcome: 'ok' },
      { cursor: 'forged' },
      { limit: 0 },
      { limit: 'x' },
      { start: '2026-01-02T00:00:00Z', end: '2026-01-02T00:00:00Z' },
      { start: 'yesterday' },
      { outcome: 'maybe' },
      { user_id: 'x' },
      { environment: 'x' },
    ])
      expect((await readActivity(connector_id, query)).status).toBe(400);
    expect((await readActivity(randomUUID(), { cursor })).status).toBe(400);
    expect((await readActivity(connector_id, { cursor }, manager.tokens.auditor)).status).toBe(400);
  });

  it('are filtered by outcome, decision, user and time', async () => {
    const connector_id = randomUUID();
    const alice = await manager.findUserId('alice');
    const calls = [
      record({ connector_id, outcome: 'error', user_id: alice, occurred_at: '2026-05-01T00:00:00Z' }),
      record({
        connector_id,
        decision: 'denied',
        category: 'denied',
        billable: false,
        occurred_at: '2026-05-02T00:00:00Z',
      }),
      record({ connector_id, outcome: 'unspecified', occurred_at: '2026-05-03T00:00:00Z' }),
    ];
    await report(calls);
    const findCalls = async (query: Record<string, unknown>) =>
      listIds(await readActivity(connector_id, query)).map((id) => calls.findIndex(({ call_id }) => call_id === id));
    expect(await findCalls({ outcome: 'error' })).toEqual([0]);
    expect(await findCalls({ decision: 'denied' })).toEqual([1]);
    expect(await findCalls({ user_id: alice })).toEqual([0]);
    expect(await findCalls({ start: '2026-05-02T00:00:00Z' })).toEqual([2, 1]);
    expect(await findCalls({ end: '2026-05-02T02:00:00+02:00' })).toEqual([0]);
    expect(await findCalls({ start: '2026-05-01T00:00:00.001Z', end: '2026-05-03T00:00:00Z' })).toEqual([1]);
    expect((await readActivity(connector_id, { gateway_id: 'other' })).body).toEqual({
      figures_of: { scope: 'all_users' },
      records: [],
    });
    expect((await readActivity(connector_id, { gateway_id: 'none' })).status).toBe(404);
    expect((await readActivity('x')).status).toBe(400);
    expect(
      (await manager.client.call(ACTIVITY, { token: manager.tokens.admin, path: { id: connector_id } })).status,
    ).toBe(400);
  });

  it('are all visible to administrators and auditors, and only their own ones to other callers', async () => {
    const connector_id = await makeVisible(manager, ['alice']);
    const [alice, bob] = [await manager.findUserId('alice'), await manager.findUserId('bob')];
    const calls = [
      record({ connector_id, user_id: alice }),
      record({ connector_id, user_id: bob }),
      record({ connector_id }),
    ];
    await report(calls);
    const mine = [calls[0]!.call_id];
    const { tokens } = manager;
    expect(listIds(await readActivity(connector_id, {}, tokens.admin))).toHaveLength(3);
    expect(listIds(await readActivity(connector_id, {}, tokens.auditor))).toHaveLength(3);
    expect(listIds(await readActivity(connector_id, {}, tokens.alice))).toEqual(mine);
    expect(listIds(await readActivity(connector_id, { user_id: alice }, tokens.alice))).toEqual(mine);
    expect((await readActivity(connector_id, { user_id: bob }, tokens.alice)).status).toBe(403);
    expect((await readActivity(connector_id, { user_id: randomUUID() }, tokens.alice)).status).toBe(403);
    expect((await readActivity(connector_id, {}, tokens.alice)).body).toMatchObject({
      figures_of: { scope: 'user', user_id: alice },
    });
    expect(listIds(await readActivity(connector_id, {}, tokens.stranger))).toEqual([]);
    expect(listIds(await readOwnActivity(tokens.alice, { connector_id }))).toEqual(mine);
    expect(listIds(await readOwnActivity(tokens.admin, { connector_id }))).toEqual([]);
    expect(listIds(await readOwnActivity(tokens.stranger, { connector_id }))).toEqual([]);
    expect((await readActivity(connector_id, {}, tokens.gateway)).status).toBe(403);
    expect((await readOwnActivity(tokens.gateway, { connector_id })).status).toBe(403);
    expect((await readOwnActivity(tokens.alice, {})).status).toBe(400);
    expect((await readOwnActivity(tokens.alice, { connector_id, user_id: bob })).status).toBe(400);
    expect((await readOwnActivity(tokens.alice, { connector_id, gateway_id: 'none' })).status).toBe(404);
    for (const token of [tokens.admin, tokens.alice])
      expect(
        (await manager.client.call(REPORT, { token, path: { gateway_id: 'local' }, body: { calls: [] } })).status,
      ).toBe(403);
  });

  it('are stored as whole batches or not at all when the service is killed, and completely after a repeat', async () => {
    const port = await freePort();
    const env = { ...createEnvironment(manager.issuer, manager.database), PORT: String(port) };
    const readyUrl = `http://127.0.0.1:${port}/readyz`;
    const batches = Array.from({ length: 6 }, () => {
      const connector_id = randomUUID();
      return { connector_id, calls: Array.from({ length: 1_000 }, () => record({ connector_id })) };
    });
    const countStored = async (connector_id: string) =>
      (
        await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM tool_calls WHERE connector_id = $1', [
          connector_id,
        ])
      )[0]?.n;
    for (const [index, { connector_id, calls }] of batches.entries()) {
      await using doomed = await startProcess({ app: 'enterprise-manager', env, readyUrl, readyTimeoutMs: 60_000 });
      const sent = fetch(`http://127.0.0.1:${port}/gateway/v1/gateways/local/tool-calls`, {
        method: 'POST',
        headers: { authorization: `Bearer ${manager.tokens.gateway}`, 'content-type': 'application/json' },
        body: JSON.stringify({ calls }),
      }).then(
        (response) => response.text().then(() => response.status),
        () => undefined,
      );
      await sleep(index * 25);
      await doomed.killHard();
      const status = await sent;
      const kept = await countStored(connector_id);
      expect([0, 1_000]).toContain(kept);
      if (status === 200) expect(kept).toBe(1_000);
    }
    for (const { connector_id, calls } of batches) {
      expect((await report(calls)).status).toBe(200);
      expect(await countStored(connector_id)).toBe(1_000);
    }
  }, 120_000);
});
