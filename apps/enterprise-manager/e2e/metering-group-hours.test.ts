import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@gatehouse/database/migrate';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrations } from '../src/database/migrations.ts';
import { sumsOfRecords } from '../src/database/migrations/1763683232210-create-tool-call-sums.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { Dice } from './ledger-dice.ts';
import { toolCall } from './metering-samples.ts';

/** The migration that counts stored records; the next one counts records that arrived meanwhile. */
const HOURS = migrations.findIndex(({ name }) => name.startsWith('CreateHourlyGroupSums'));
const [FIRST, LAST] = [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 6)];
const HOUR_MS = 3_600_000;

interface OlderRecord {
  gateway_id: string;
  arrived_at: string;
  sequence: number;
  occurred_at: string;
  connector_id: string | null;
  groups: { id: string; name: string }[];
}

describe('the migration to hourly sums of groups', () => {
  let manager: TestManager;
  const dice = new Dice(20_260_501);
  const connectors = [randomUUID(), randomUUID()];
  const held = ['g', 'h', 'i'].map((id) => ({ id, name: id.toUpperCase() }));
  const createRecords = (gateway_id: string, count: number, after = 0): OlderRecord[] =>
    Array.from({ length: count }, (_, at) => ({
      gateway_id,
      // Many records have the same millisecond, so that the boundary between two migrations
      // divides them.
      arrived_at: new Date(LAST + Math.floor((after + at) / 40)).toISOString(),
      sequence: after + at + 1,
      occurred_at: new Date(dice.between(FIRST, LAST - 1)).toISOString(),
      connector_id: dice.pick([...connectors, null]),
      groups: held.slice(dice.between(0, 3)),
    }));
  const before = createRecords('local', 1_010);
  const meanwhile = [...createRecords('local', 505, before.length), ...createRecords('other', 30)];
  const all = [...before, ...meanwhile];

  const insert = async (ownerUrl: string, records: readonly OlderRecord[]) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    await client.query(
      `INSERT INTO tool_calls (gateway_id, arrived_at, sequence, call_id, occurred_at, environment, connector_id, tool_name, groups, decision, outcome, category,
         billable, prev_hash, record_hash)
       SELECT gateway_id, arrived_at, sequence, gen_random_uuid(), occurred_at, 'local', connector_id, 'echo', groups, 'allowed', 'ok', 'invocation', TRUE, '', ''
       FROM json_to_recordset($1) AS o (gateway_id text, arrived_at timestamptz, sequence bigint, occurred_at timestamptz, connector_id uuid, groups json)`,
      [JSON.stringify(records)],
    );
    await client.query('TRUNCATE tool_call_sums, tool_call_user_sums, tool_call_group_sums, tool_call_users');
    for (const statement of sumsOfRecords('tool_calls')) await client.query(statement);
    await client.end();
  };
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other'],
      environment: {
        TOOL_CALL_RETENTION_DAYS: '7300',
      },
      prepare: async (ownerUrl) => {
        await migrate(ownerUrl, migrations.slice(0, HOURS));
        await insert(ownerUrl, before);
        await migrate(ownerUrl, migrations.slice(0, HOURS + 1));
        await insert(ownerUrl, meanwhile);
        await migrate(ownerUrl, migrations);
      },
    });
  }, 120_000);
  afterAll(() => manager.close());

  const readSeries = async (gateway_id: string, connector_id: string, range: object) => {
    const { status, body } = await manager.client.call<{
      tool_call_count: number;
      group_series: { group: { id: string }; points: { bucket_start: string; tool_call_count: number }[] }[];
    }>('GET /v1/metering/usage/connectors/{id}', {
      token: manager.tokens.admin,
      path: { id: connector_id },
      query: { gateway_id, ...range },
    });
    expect(status).toBe(200);
    const cells = body.group_series.flatMap(({ group, points }) =>
      points
        .filter(({ tool_call_count }) => tool_call_count > 0)
        .map(({ bucket_start, tool_call_count }) => [`${group.id} ${bucket_start}`, tool_call_count] as const),
    );
    return { total: body.tool_call_count, cells: new Map(cells) };
  };
  const countCalls = (gateway_id: string, connector_id: string, from = FIRST, to = LAST, width = HOUR_MS) => {
    const calls = all.filter(
      (one) =>
        one.gateway_id === gateway_id &&
        one.connector_id === connector_id &&
        Date.parse(one.occurred_at) >= from &&
        Date.parse(one.occurred_at) < to,
    );
    const cells = new Map<string, number>();
    for (const { groups, occurred_at } of calls)
      for (const { id } of groups) {
        const key = `${id} ${new Date(Math.floor(Date.parse(occurred_at) / width) * width).toISOString()}`;
        cells.set(key, (cells.get(key) ?? 0) + 1);
      }
    return { total: calls.length, cells };
  };
  const range = {
    start: new Date(FIRST).toISOString(),
    end: new Date(LAST).toISOString(),
    bucket_width_seconds: 3_600,
  };

  it('counts each record once, stored before or during the migration', async () => {
    for (const connector of connectors)
      for (const gateway of ['local', 'other'])
        expect(await readSeries(gateway, connector, range)).toEqual(countCalls(gateway, connector));
  });

  it('makes reads use only the sums, also without the records', async () => {
    await manager.sql('ALTER TABLE tool_calls RENAME TO tool_calls_away');
    await manager.sql('CREATE TABLE tool_calls (LIKE tool_calls_away)');
    try {
      const [from, to] = [FIRST + 5 * HOUR_MS, LAST - 7 * HOUR_MS];
      for (const bucket_width_seconds of [3_600, 86_400]) {
        const bounds = { start: new Date(from).toISOString(), end: new Date(to).toISOString(), bucket_width_seconds };
        const wanted = countCalls('local', connectors[0]!, from, to, bucket_width_seconds * 1_000);
        await manager.sql('GRANT SELECT ON tool_calls TO PUBLIC');
        expect(await readSeries('local', connectors[0]!, bounds)).toEqual(wanted);
      }
    } finally {
      await manager.sql('DROP TABLE tool_calls');
      await manager.sql('ALTER TABLE tool_calls_away RENAME TO tool_calls');
    }
  });

  it('adds new records to hours and days', async () => {
    const at = '2026-05-03T10:20:30.000Z';
    const [connector_id] = connectors;
    const call = toolCall({ connector_id, occurred_at: at, groups: held.slice(0, 1) });
    const { body } = await manager.client.call<{ results: { status: string }[] }>(
      'POST /gateway/v1/gateways/{gateway_id}/tool-calls',
      { token: manager.tokens.gateway, path: { gateway_id: 'local' }, body: { calls: [call] } },
    );
    expect(body.results).toEqual([{ status: 'stored' }]);
    const wanted = countCalls('local', connector_id!);
    const key = 'g 2026-05-03T10:00:00.000Z';
    wanted.cells.set(key, (wanted.cells.get(key) ?? 0) + 1);
    expect(await readSeries('local', connector_id!, range)).toEqual({ ...wanted, total: wanted.total + 1 });
    await expect(manager.sql('SELECT count(*) FROM tool_call_group_sums')).rejects.toThrow(/does not exist/);
  });
});
