import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CallRateStore, RatePortion, UnusedCalls } from '../mcp/ports/call-rate-store.ts';

/** Age in seconds at which no statement reads the calls of a second any more. */
const MAX_AGE_SECONDS = 300;

const TAKE = statement<{ granted: number; second: string; retry_after_ms: number }>(
  'SELECT granted, taken_second AS second, retry_after_ms FROM take_calls($1, $2, $3)',
);

// The rows are locked in one order, so that two replicas cannot block each other.
const GIVE_BACK = statement<{ key: string }>(`
  WITH unused AS (
    SELECT key, second, sum(calls) AS calls FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS u (key, second, calls)
    GROUP BY key, second
  ), locked AS (
    SELECT r.key, r.second, u.calls FROM call_rates r JOIN unused u USING (key, second) ORDER BY r.key, r.second FOR UPDATE OF r
  )
  UPDATE call_rates r SET calls = r.calls - l.calls FROM locked l WHERE r.key = l.key AND r.second = l.second RETURNING r.key`);

/** Counts calls in the gateway's database, for all replicas. */
@Injectable()
export class CallRatesRepository implements CallRateStore {
  constructor(private readonly dataSource: DataSource) {}

  async take(key: string, perMinute: number, wanted: number): Promise<RatePortion> {
    const row = await TAKE.row(this.dataSource.manager, [key, perMinute, wanted]);
    if (row === undefined) throw new Error('the function take_calls returned no row');
    return { granted: row.granted, second: Number(row.second), retryAfterMs: row.retry_after_ms };
  }

  async giveBack(unused: readonly UnusedCalls[]): Promise<void> {
    await GIVE_BACK.rows(this.dataSource.manager, [
      unused.map(({ key }) => key),
      unused.map(({ second }) => second),
      unused.map(({ calls }) => calls),
    ]);
  }

  /** Deletes counts that no rate reads any more. */
  async prune(): Promise<void> {
    await this.dataSource.query('DELETE FROM call_rates WHERE second < extract(epoch FROM clock_timestamp()) - $1', [
      MAX_AGE_SECONDS,
    ]);
  }
}
