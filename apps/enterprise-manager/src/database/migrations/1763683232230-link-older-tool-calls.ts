import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sumsOfRecords } from './1763683232210-create-tool-call-sums.ts';

const BATCH_SIZE = 1_000;

interface UnlinkedCall {
  gateway_id: string;
  arrived_at: Date | string;
  occurred_at: Date | string;
  call_id: string;
  groups: { id: string; name: string | null }[];
  arrival: string;
  [column: string]: unknown;
}

/**
 * Links the records that are older than chains: each in the chain of its gateway and month of
 * arrival, in the order of arrival.
 */
export class LinkOlderToolCalls implements MigrationInterface {
  readonly name = 'ToolCallsThatWereThere1763683232230';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT ensure_tool_call_partitions(month::date, month::date)
      FROM (SELECT DISTINCT date_trunc('month', arrived_at AT TIME ZONE 'UTC') AS month FROM tool_calls_before) AS months`);
    await runner.query(`
      INSERT INTO tool_call_claims (call_id, arrived_on, content_sha256)
      SELECT call_id, (arrived_at AT TIME ZONE 'UTC')::date, decode(content_sha256, 'hex') FROM tool_calls_before`);
    const gateways = (await runner.query('SELECT DISTINCT gateway_id FROM tool_calls_before')) as UnlinkedCall[];
    for (const { gateway_id } of gateways) await this.link(runner, gateway_id);
    for (const statement of sumsOfRecords('tool_calls')) await runner.query(statement);
    await runner.query('DROP TABLE tool_calls_before');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE tool_calls_before AS SELECT * FROM tool_calls WITH NO DATA');
  }

  private async link(runner: QueryRunner, gatewayId: string): Promise<void> {
    let [after, chain, sequence, hash]: [UnlinkedCall | undefined, string, number, string] = [undefined, '', 0, ''];
    for (;;) {
      const rows = (await runner.query(
        `SELECT * FROM tool_calls_before WHERE gateway_id = $1 AND ($2::timestamptz IS NULL OR (arrived_at, arrival) > ($2, $3::bigint))
         ORDER BY arrived_at, arrival LIMIT ${BATCH_SIZE}`,
        [gatewayId, after?.arrived_at ?? null, after?.arrival ?? null],
      )) as UnlinkedCall[];
      if (rows.length === 0) break;
      const linked = rows.map((row) => {
        const month = toIsoText(row.arrived_at).slice(0, 7);
        if (month !== chain) [chain, sequence, hash] = [month, 0, ''];
        sequence += 1;
        const prev_hash = hash;
        // Older records of an unknown group contain no name.
        const groups = row.groups.map(({ id, name }) => ({ id, name: name ?? '' }));
        hash = createHash('sha256')
          .update(
            canonical({
              chain_id: `${gatewayId}:${chain}`,
              sequence,
              prev_hash,
              usage: toExported({ ...row, groups }),
            }),
          )
          .digest('hex');
        return { ...row, groups, sequence, prev_hash: `\\x${prev_hash}`, record_hash: `\\x${hash}` };
      });
      await runner.query(
        `INSERT INTO tool_calls SELECT r.* FROM jsonb_populate_recordset(NULL::tool_calls, $1::jsonb) AS r`,
        [JSON.stringify(linked)],
      );
      after = rows.at(-1);
    }
    await runner.query(
      `INSERT INTO tool_call_heads (gateway_id, arrived_at, sequence, chain_hash, signed_sequence) VALUES ($1, $2, $3, decode($4, 'hex'), 0)`,
      [gatewayId, after?.arrived_at, sequence, hash],
    );
  }
}

const toIsoText = (time: Date | string): string => new Date(time).toISOString();

const EXPORTED_COLUMNS = [
  'call_id',
  'environment',
  'connector_id',
  'connector_name',
  'tool_name',
  'user_id',
  'user_email',
  'decision',
].concat([
  'outcome',
  'category',
  'billable',
  'billable_reason',
  'definition_version',
  'duration_ms',
  'arguments_sha256',
  'gateway_id',
]);

/** A record as the API returns it. */
const toExported = (row: UnlinkedCall): Record<string, unknown> => ({
  ...Object.fromEntries(EXPORTED_COLUMNS.filter((name) => row[name] !== null).map((name) => [name, row[name]])),
  occurred_at: toIsoText(row.occurred_at),
  groups: row.groups,
});

/** Canonical JSON (RFC 8785) for the types of values in a record. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
