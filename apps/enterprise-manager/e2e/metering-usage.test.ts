import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { groupNames, makeAvailable, makeGroup, makeVisible } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { Dice } from './ledger-dice.ts';
import { toolCall } from './metering-samples.ts';

interface Call {
  call_id: string;
  occurred_at: string;
  tool_name: string;
  connector_id?: string;
  user_id?: string;
  environment?: string;
  decision: string;
  groups?: { id: string; name: string }[];
}

interface Series {
  bucket_width_seconds: number;
  buckets: { bucket_start: string; tool_call_count: number; breakdown: { key: string; tool_call_count: number }[] }[];
}

const GATEWAYS = ['other', 'random', 'empty', 'months', 'wide', 'brief', 'last'];
const KEYS: Record<string, (call: Call) => string> = {
  tool: ({ tool_name }) => tool_name,
  connector: ({ connector_id = '' }) => connector_id,
  decision: ({ decision }) => decision,
  environment: ({ environment = '' }) => environment,
};
type Query = Record<string, string | number | undefined>;
const USAGE = 'GET /v1/metering/usage/';

/** The part of a response that counts the calls of all users. */
const ALL = { figures_of: { scope: 'all_users' } };

describe('analytics of tool calls', () => {
  let manager: TestManager;
  let ids: Record<'alice' | 'bob', string>;
  beforeAll(async () => {
    manager = await startManager({ gateways: GATEWAYS, environment: { TOOL_CALL_RETENTION_DAYS: '7300' } });
    ids = { alice: await manager.findUserId('alice'), bob: await manager.findUserId('bob') };
  }, 180_000);
  afterAll(() => manager.close());

  const report = async (gateway_id: string, calls: unknown[]) => {
    for (let at = 0; at < calls.length; at += 1_000) {
      const { body } = await manager.client.call<{ results: { status: string }[] }>(
        'POST /gateway/v1/gateways/{gateway_id}/tool-calls',
        { token: manager.tokens.gateway, path: { gateway_id }, body: { calls: calls.slice(at, at + 1_000) } },
      );
      expect(new Set(body.results.map(({ status }) => status))).toEqual(new Set(['stored']));
    }
  };
  const requestUsage = <T = Record<string, unknown>>(
    what: string,
    query: Query,
    token = manager.tokens.admin,
    id?: string,
  ) =>
    manager.client.call<T & { error: string }>(`${USAGE}${what}`, {
      token,
      query,
      ...(id !== undefined && { path: { id } }),
    });
  const read = async <T = Record<string, unknown>>(...args: Parameters<typeof requestUsage>): Promise<T> => {
    const { status, body } = await requestUsage<T>(...args);
    expect(status).toBe(200);
    return body;
  };

  it('count by connector, tool, user and group, with current names', async () => {
    const connector = await makeAvailable(manager);
    const gone = randomUUID();
    const group = await makeGroup(manager, 'alice');
    const groups = [{ id: group }, { id: 'other', name: 'Other' }];
    const createHour = (hour: number) => ({ occurred_at: `2026-03-01T${String(hour).padStart(2, '0')}:30:00.000Z` });
    await report('local', [
      toolCall({ ...createHour(1), connector_id: connector.id, user_id: ids.alice, groups }),
      toolCall({ ...createHour(2), connector_id: connector.id, user_id: ids.alice, tool_name: 'add' }),
      toolCall({ ...createHour(2), connector_id: connector.id, user_id: ids.bob, groups: groups.slice(1) }),
      toolCall({
        ...createHour(3),
        connector_id: gone,
        connector_name: 'Gone',
        user_id: ids.bob,
        environment: 'stage',
      }),
      toolCall({
        ...createHour(4),
        decision: 'denied',
        category: 'denied',
        billable: false,
        tool_name: 'no__such',
        user_id: ids.bob,
      }),
    ]);
    const gateway_id = 'local';
    const range = { gateway_id, start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' };
    expect(await read('summary', range)).toEqual({ ...ALL, active_user_count: 2, tool_call_count: 5 });
    expect(await read('summary', { gateway_id, start: '2026-03-01', end: '2026-03-02' })).toEqual(
      await read('summary', range),
    );
    expect(await read('summary', { ...range, environment: 'stage' })).toEqual({
      ...ALL,
      active_user_count: 1,
      tool_call_count: 1,
    });
    const named = { connector_id: connector.id, connector_name: connector.name };
    expect(await read('top-connectors', range)).toEqual({
      ...ALL,
      connectors: [
        { ...named, tool_call_count: 3 },
        { connector_id: gone, connector_name: 'Gone', tool_call_count: 1 },
      ],
    });
    expect(await read('top-tools', { ...range, limit: 1 })).toEqual({
      ...ALL,
      tools: [{ ...named, tool_name: 'echo', tool_call_count: 2 }],
    });
    const createBucket = (hour: number, tool_call_count: number) => ({
      bucket_start: `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
      tool_call_count,
    });
    /** Creates the buckets of all hours of the day, also of those without calls. */
    const createDay = (calls: Record<number, number>) =>
      Array.from({ length: 24 }, (_, at) => createBucket(at, calls[at] ?? 0));
    const ofConnector = await read<{ group_series: { group: { id: string; name: string }; points: object[] }[] }>(
      'connectors/{id}',
      range,
      undefined,
      connector.id,
    );
    expect(ofConnector).toMatchObject({ ...named, tool_call_count: 3, bucket_width_seconds: 3_600 });
    expect(ofConnector.group_series).toEqual([
      { group: { id: 'other', name: 'Other' }, points: createDay({ 1: 1, 2: 1 }) },
      { group: { id: group, ...groupNames() }, points: createDay({ 1: 1 }) },
    ]);
    expect(await read('users/{id}', range, undefined, ids.bob)).toEqual({
      figures_of: { scope: 'user', user_id: ids.bob },
      user_id: ids.bob,
      tool_call_count: 3,
      last_activity: createHour(4).occurred_at,
      bucket_width_seconds: 3_600,
      series: createDay({ 2: 1, 3: 1, 4: 1 }),
      connectors: expect.arrayContaining([
        {
          ...named,
          tool_call_count: 1,
          last_activity: createHour(2).occurred_at,
          tools: [{ tool_name: 'echo', tool_call_count: 1, last_activity: createHour(2).occurred_at }],
        },
      ]),
    });
    const series = await read<Series>('timeseries', { ...range, dimension: 'decision' });
    expect(series).toMatchObject({ bucket_width_seconds: 3_600, dimension: 'decision' });
    expect(series.buckets).toHaveLength(24);
    expect(series.buckets[4]).toEqual({ ...createBucket(4, 1), breakdown: [{ key: 'denied', tool_call_count: 1 }] });
    expect(series.buckets[5]).toEqual({ ...createBucket(5, 0), breakdown: [] });
    const byConnector = await read<Series>('timeseries', {
      ...range,
      dimension: 'connector',
      bucket_width_seconds: 86_400,
    });
    expect(byConnector.buckets).toMatchObject([
      { tool_call_count: 5, breakdown: [{ key: connector.id, tool_call_count: 3 }, {}, {}] },
    ]);
  });

  it('refuse an invalid range, width, dimension or limit with the name of the field', async () => {
    const gateway_id = 'local';
    const wide = { start: '2020-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' };
    const cases: [string, Query, string, string?][] = [
      ['summary', {}, 'gateway_id'],
      ['summary', { gateway_id, start: 'now' }, 'start'],
      ['summary', { gateway_id, start: '2026-01-02T00:00:00Z', end: '2026-01-02T00:00:00Z' }, 'start'],
      ['summary', { gateway_id, limit: 1 }, 'limit'],
      ['top-tools', { gateway_id, limit: 0 }, 'limit'],
      ['top-connectors', { gateway_id, limit: 'x' }, 'limit'],
      ['timeseries', { gateway_id, dimension: 'user' }, 'dimension'],
      ['timeseries', { gateway_id, bucket_width_seconds: 7 }, 'bucket_width_seconds'],
      ['timeseries', { gateway_id, ...wide, bucket_width_seconds: 3_600 }, 'bucket_width_seconds'],
      ['connectors/{id}', { gateway_id, ...wide, bucket_width_seconds: 86_400 }, 'bucket_width_seconds', randomUUID()],
      ['connectors/{id}', { gateway_id }, 'id', 'x'],
      ['users/{id}', { gateway_id, start: wide.start }, 'end', randomUUID()],
      ['users/{id}', { gateway_id, end: wide.end }, 'start', randomUUID()],
      ['export', { gateway_id, cursor: 'x' }, 'cursor'],
    ];
    for (const [what, query, field, id] of cases) {
      const { status, body } = await requestUsage(what, query, undefined, id);
      expect([what, query, status, body.error]).toEqual([what, query, 400, expect.stringContaining(field)]);
    }
    expect((await requestUsage('top-tools', { gateway_id, limit: 10_000 })).status).toBe(200);
  });

  it('are zero without calls', async () => {
    const gateway_id = 'empty';
    expect(await read('summary', { gateway_id })).toEqual({ ...ALL, active_user_count: 0, tool_call_count: 0 });
    expect(await read('timeseries', { gateway_id })).toMatchObject({ buckets: [] });
    expect(await read('export', { gateway_id })).toEqual({
      records: [],
      checkpoints: [],
      head: expect.objectContaining({ sequence: 0 }),
      resume_cursor: expect.any(String),
    });
    expect(await read('connectors/{id}', { gateway_id }, undefined, randomUUID())).toMatchObject({
      connector_name: '',
      tool_call_count: 0,
      group_series: [],
    });
    expect(
      (await read<Series>('timeseries', { gateway_id, start: '2026-01-01T00:00:00Z', end: '2026-01-01T02:00:00Z' }))
        .buckets,
    ).toHaveLength(2);
  });

  it('count the most called tools of a series separately, and all other tools as one', async () => {
    // Tool n is called 61 - n times. The least called one is also called within the first minutes,
    // of which each record is counted.
    const calls = Array.from({ length: 60 }, (_, n) =>
      Array.from({ length: 61 - n }, (__, at) => ({
        ...toolCall({ outcome: 'ok' }),
        occurred_at: new Date(Date.UTC(2026, 5, 1, 0, 10) + (n === 59 ? at : at * 7_200_000)).toISOString(),
        tool_name: `tool-${String(n).padStart(2, '0')}`,
      })),
    ).flat();
    await report('wide', calls);
    const range = { gateway_id: 'wide', start: '2026-06-01T00:05:00Z', end: '2026-07-11T00:00:00Z', dimension: 'tool' };
    const countKeys = async (bucket_width_seconds: number) => {
      const { buckets } = await read<Series>('timeseries', { ...range, bucket_width_seconds });
      for (const bucket of buckets)
        expect(bucket.breakdown.reduce((sum, one) => sum + one.tool_call_count, 0)).toBe(bucket.tool_call_count);
      const cells = buckets.flatMap(({ breakdown }) => breakdown);
      const counts = new Map<string, number>();
      for (const { key, tool_call_count } of cells) counts.set(key, (counts.get(key) ?? 0) + tool_call_count);
      const other = counts.get('other');
      counts.delete('other');
      expect(counts).toEqual(
        new Map(Array.from({ length: counts.size }, (_, n) => [`tool-${String(n).padStart(2, '0')}`, 61 - n])),
      );
      expect([...counts.values()].reduce((sum, count) => sum + count, other ?? 0)).toBe(calls.length);
      return counts.size;
    };
    expect(await countKeys(86_400)).toBe(50);
    // 960 hours: at most 2,500 points allow two series.
    expect(await countKeys(3_600)).toBe(2);
  });

  it('add a tool with the name other to all others, once in each bucket', async () => {
    const createCall = (tool_name: string) => ({ ...toolCall(), occurred_at: '2026-07-01T01:10:00.000Z', tool_name });
    const names = ['other', 'other', ...Array.from({ length: 60 }, (_, n) => `tool-${n}`)];
    await report('other', names.map(createCall));
    const { buckets } = await read<Series>('timeseries', {
      gateway_id: 'other',
      start: '2026-07-01T00:00:00Z',
      end: '2026-07-02T00:00:00Z',
      dimension: 'tool',
    });
    const keys = buckets.flatMap(({ breakdown }) => breakdown).filter(({ key }) => key === 'other');
    expect(keys).toEqual([{ key: 'other', tool_call_count: 13 }]);
  });

  it('count a call once in each group, also if a record repeats the group', async () => {
    const connector_id = randomUUID();
    const groups = [{ id: 'g' }, { id: 'h' }, { id: 'g', name: 'G' }];
    await report('other', [{ ...toolCall({ connector_id, groups }), occurred_at: '2026-05-01T01:10:00.000Z' }]);
    for (const bucket_width_seconds of [3_600, 86_400]) {
      const range = { start: '2026-05-01T00:00:00Z', end: '2026-05-02T00:00:00Z' };
      const { group_series } = await read<{ group_series: { points: { tool_call_count: number }[] }[] }>(
        'connectors/{id}',
        { gateway_id: 'other', ...range, bucket_width_seconds },
        undefined,
        connector_id,
      );
      expect(
        group_series.map(({ points }) => points.map(({ tool_call_count }) => tool_call_count).filter((n) => n > 0)),
      ).toEqual([[1], [1]]);
    }
  });

  it('count the most called tools of the range separately, independent of the rest of its days', async () => {
    const createCallAt = (time: string, tool_name: string) => ({
      ...toolCall({ outcome: 'ok' }),
      occurred_at: `2026-06-01T${time}:00.000Z`,
      tool_name,
    });
    const busy = Array.from({ length: 60 }, (_, n) => [
      createCallAt('01:10', `busy-${n}`),
      createCallAt('01:40', `busy-${n}`),
    ]).flat();
    await report('brief', [...busy, createCallAt('05:20', 'seldom'), createCallAt('06:40', 'seldom')]);
    for (const [start, end] of [
      ['05:00', '06:00'],
      ['05:10', '05:25'],
      ['05:10', '06:20'],
      ['06:35', '06:45'],
    ]) {
      const { buckets } = await read<Series>('timeseries', {
        gateway_id: 'brief',
        start: `2026-06-01T${start}:00Z`,
        end: `2026-06-01T${end}:00Z`,
        dimension: 'tool',
      });
      expect(buckets.flatMap(({ breakdown }) => breakdown)).toEqual([{ key: 'seldom', tool_call_count: 1 }]);
    }
  });

  it('include the last moment of the last valid year', async () => {
    const last = '9999-12-31T23:59:59.999Z';
    const connector_id = randomUUID();
    const record = { connector_id, user_id: ids.alice, groups: [{ id: 'g', name: 'G' }] };
    await report('last', [toolCall(record), toolCall(record)]);
    const [gateway_id, start] = ['last', '9999-12-31T22:40:00.000Z'];
    for (const [range, count] of [
      [{}, 2],
      [{ start }, 0],
      [{ start, end: last }, 0],
      [{ start: last }, 0],
    ] as const) {
      const query = { gateway_id, ...range };
      expect(await read('summary', query)).toMatchObject({ tool_call_count: count });
      expect(await read('connectors/{id}', query, undefined, connector_id)).toMatchObject({ tool_call_count: count });
      for (const dimension of [undefined, 'tool', 'connector', 'decision']) {
        const { buckets } = await read<Series>('timeseries', { ...query, dimension });
        expect(buckets.reduce((sum, one) => sum + one.tool_call_count, 0)).toBe(count);
      }
      for (const what of ['top-tools', 'top-connectors']) await read(what, query);
    }
    expect(await read('users/{id}', { gateway_id, start, end: last }, undefined, ids.alice)).toMatchObject({
      tool_call_count: 0,
    });
  });

  it('agree with the records over any range, to the millisecond', async () => {
    const dice = new Dice(20_260_120);
    const visible = [await makeVisible(manager, ['alice'], 'random'), await makeVisible(manager, ['alice'], 'random')];
    const connectors = [...visible, await makeVisible(manager, ['bob'], 'random')];
    const [first, last] = [Date.UTC(2026, 0, 20), Date.UTC(2026, 3, 10)];
    const pickTime = () => new Date(dice.between(first, last - 1)).toISOString();
    const calls = Array.from({ length: 1_500 }, (): Call => {
      const connector_id = dice.pick([...connectors, undefined]);
      const user_id = dice.pick([ids.alice, ids.bob, undefined]);
      return {
        ...toolCall({ outcome: 'ok' }),
        occurred_at: pickTime(),
        tool_name: dice.pick(['a', 'b', 'c']),
        environment: dice.pick(['local', 'stage']),
        groups: dice.pick([
          [],
          [{ id: 'g1', name: 'G1' }],
          [
            { id: 'g1', name: 'G1' },
            { id: 'g2', name: 'G2' },
          ],
        ]),
        ...dice.pick([{ decision: 'allowed' }, { decision: 'denied', category: 'denied', billable: false }]),
        ...(connector_id && { connector_id }),
        ...(user_id && { user_id }),
      };
    });
    await report('random', calls);
    const ranges: { start?: string; end?: string }[] = [
      {},
      { start: calls[7]!.occurred_at },
      { end: calls[7]!.occurred_at },
      { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' },
      ...Array.from({ length: 6 }, () => [pickTime(), pickTime()].sort()).map(([start, end]) => ({
        start: start!,
        end: end!,
      })),
      ...[3, 45, 100, 800, 2_000, 5_000].map((minutes) => {
        const pickTimeAround = (least: number, most: number) => new Date(at + dice.between(least, most)).toISOString();
        const [at, width] = [Date.parse(dice.pick(calls).occurred_at), minutes * 60_000];
        return { start: pickTimeAround(-width, 0), end: pickTimeAround(1, width) };
      }),
    ];
    for (const range of ranges) {
      for (const environment of [undefined, 'stage']) {
        const query = { gateway_id: 'random', ...range, ...(environment && { environment }) };
        const kept = calls.filter(
          (call) =>
            (range.start ?? '') <= call.occurred_at &&
            (range.end === undefined || call.occurred_at < range.end) &&
            (environment === undefined || call.environment === environment),
        );
        const users = new Set(kept.flatMap(({ user_id }) => user_id ?? []));
        expect(await read('summary', query)).toEqual({
          ...ALL,
          active_user_count: users.size,
          tool_call_count: kept.length,
        });
        const top = await read<{ tools: { connector_id: string; tool_name: string; tool_call_count: number }[] }>(
          'top-tools',
          { ...query, limit: 100 },
        );
        const counts = countBy(
          kept.filter(({ connector_id }) => connector_id),
          (call) => `${call.connector_id} ${call.tool_name}`,
        );
        expect(new Map(top.tools.map((one) => [`${one.connector_id} ${one.tool_name}`, one.tool_call_count]))).toEqual(
          counts,
        );
        for (const [dimension, getKey] of Object.entries(KEYS)) {
          const series = await read<Series>('timeseries', { ...query, dimension });
          const buckets = countBy(kept, (call) => {
            const width = series.bucket_width_seconds * 1_000;
            const start = new Date(Math.floor(Date.parse(call.occurred_at) / width) * width);
            return `${start.toISOString()} ${getKey(call)}`;
          });
          expect(
            new Map(
              series.buckets.flatMap((bucket) =>
                bucket.breakdown.map((one) => [`${bucket.bucket_start} ${one.key}`, one.tool_call_count]),
              ),
            ),
          ).toEqual(buckets);
          for (const bucket of series.buckets)
            expect(bucket.breakdown.reduce((sum, one) => sum + one.tool_call_count, 0)).toBe(bucket.tool_call_count);
        }
        const connector_id = connectors[0]!;
        const ofConnector = await read<{
          tool_call_count: number;
          group_series: { group: { id: string }; points: { tool_call_count: number }[] }[];
        }>('connectors/{id}', query, undefined, connector_id);
        const calledIt = kept.filter((call) => call.connector_id === connector_id);
        expect(ofConnector.tool_call_count).toBe(calledIt.length);
        expect(
          new Map(
            ofConnector.group_series.map((one) => [
              one.group.id,
              one.points.reduce((sum, point) => sum + point.tool_call_count, 0),
            ]),
          ),
        ).toEqual(
          countBy(
            calledIt.flatMap((call) => call.groups ?? []),
            ({ id }) => id,
          ),
        );
        if (!range.start || !range.end) continue;
        const ofAlice = await read<{
          tool_call_count: number;
          series: { tool_call_count: number }[];
          last_activity?: string;
        }>('users/{id}', query, undefined, ids.alice);
        const byAlice = kept.filter((call) => call.user_id === ids.alice);
        expect(ofAlice.tool_call_count).toBe(byAlice.length);
        expect(ofAlice.series.reduce((sum, point) => sum + point.tool_call_count, 0)).toBe(byAlice.length);
        expect(ofAlice.last_activity).toBe(
          byAlice
            .map(({ occurred_at }) => occurred_at)
            .sort()
            .at(-1),
        );
        const readable = byAlice.filter(({ connector_id = '' }) => visible.includes(connector_id));
        expect(await read('summary', query, manager.tokens.alice)).toEqual({
          figures_of: { scope: 'user', user_id: ids.alice },
          active_user_count: Math.min(1, readable.length),
          tool_call_count: readable.length,
        });
        const { buckets } = await read<Series>('timeseries', query, manager.tokens.alice);
        expect(buckets.reduce((sum, one) => sum + one.tool_call_count, 0)).toBe(readable.length);
      }
    }
  }, 120_000);

  it('keep the sums when retention deletes whole months of records', async () => {
    const connector_id = randomUUID();
    await report('months', [toolCall({ connector_id, user_id: ids.alice })]);
    // The time of the arrival.
    await manager.sql(`SELECT ensure_tool_call_partitions('2024-03-01', '2024-03-01')`);
    await manager.sql(`UPDATE tool_calls SET arrived_at = '2024-03-05T10:00:00Z' WHERE gateway_id = 'months'`);
    await manager.sql(
      `UPDATE tool_call_claims SET arrived_on = '2024-03-05' WHERE call_id IN (SELECT call_id FROM tool_calls WHERE gateway_id = 'months')`,
    );
    await manager.sql(
      `UPDATE tool_call_checkpoints SET arrived_at = '2024-03-05T10:00:00Z' WHERE gateway_id = 'months'`,
    );
    await manager.sql('UPDATE tool_call_retention SET days = 400');
    const dropped = await manager.sql<{ dropped: string | null }>(
      'SELECT drop_expired_tool_call_partition() AS dropped',
    );
    expect(dropped).toEqual([{ dropped: 'tool_calls_2024_03' }]);
    expect(await manager.sql('SELECT drop_expired_tool_call_partition() AS dropped')).toEqual([{ dropped: null }]);
    expect(await manager.sql('SELECT forget_expired_tool_calls(100) AS gone')).toEqual([{ gone: 2 }]);
    expect(await read('export', { gateway_id: 'months' })).toMatchObject({ records: [] });
    expect(await read('summary', { gateway_id: 'months' })).toEqual({
      ...ALL,
      active_user_count: 1,
      tool_call_count: 1,
    });
    expect((await requestUsage('summary', { gateway_id: 'random' })).body['tool_call_count']).toBe(1_500);
  });
});

function countBy<T>(list: readonly T[], getKey: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(getKey(one), (counts.get(getKey(one)) ?? 0) + 1);
  return counts;
}
