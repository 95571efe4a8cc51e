import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ToolCall } from '../records/tool-call.dto.ts';
import type { SumWidth } from './time-segments.ts';

/** The connector id of calls that matched no connector. */
export const NO_CONNECTOR = '00000000-0000-0000-0000-000000000000';

/**
 * Expands parallel arrays to rows, in the select list: in `FROM`, Postgres would materialize each
 * array first.
 */
const unnestSql = (first: number, ...types: readonly string[]): string =>
  types.map((type, at) => `unnest($${first + at}::${type}[])`).join(', ');

/** Adds all sums in one statement, since each round trip would extend the lock of the chain. */
const ADD = statement(`
  WITH totals AS (
    INSERT INTO tool_call_sums AS s (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment, calls)
    SELECT $1, ${unnestSql(2, 'text', 'text', 'timestamptz', 'uuid', 'text', 'text', 'text', 'bigint')}
    ON CONFLICT (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls
  ), hours AS (
    INSERT INTO tool_call_group_hours AS s (gateway_id, connector_id, bucket, group_id, environment, calls)
    SELECT $1, ${unnestSql(10, 'uuid', 'timestamptz', 'text', 'text', 'bigint')}
    ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls
  ), days AS (
    INSERT INTO tool_call_group_days AS s (gateway_id, connector_id, bucket, group_id, environment, calls, group_name)
    SELECT $1, ${unnestSql(15, 'uuid', 'timestamptz', 'text', 'text', 'bigint', 'text')}
    ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment)
    DO UPDATE SET calls = s.calls + EXCLUDED.calls, group_name = EXCLUDED.group_name
  ), people AS (
    INSERT INTO tool_call_users (gateway_id, width, bucket, environment, user_id)
    SELECT $1, ${unnestSql(21, 'text', 'timestamptz', 'text', 'uuid')}
    ON CONFLICT DO NOTHING
  )
  INSERT INTO tool_call_user_sums AS s (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
  SELECT $1, ${unnestSql(25, 'uuid', 'timestamptz', 'uuid', 'text', 'text', 'text', 'bigint', 'timestamptz')}
  ON CONFLICT (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment)
  DO UPDATE SET calls = s.calls + EXCLUDED.calls, last_activity = greatest(s.last_activity, EXCLUDED.last_activity)`);

/** Maximum number of remembered users by day, about 20 MB. */
const MAX_REMEMBERED = 100_000;

/** The grain of sums: by decision, by connector, or by tool of a connector. */
export type Grain = 'all' | 'connector' | 'tool';

/** Separates the columns of a key. Texts of the database never contain this character. */
const NUL = '\0';

/** Increments of rows by the columns of their keys, with the latest value of one more column. */
class CounterDeltas {
  private readonly rows = new Map<string, { calls: number; latest: string }>();

  add(key: string, latest: string, calls = 1): void {
    const row = this.rows.get(key);
    if (row === undefined) this.rows.set(key, { calls, latest });
    else {
      row.calls += calls;
      if (latest > row.latest) row.latest = latest;
    }
  }

  *[Symbol.iterator](): Iterator<{ key: string[]; calls: number; latest: string }> {
    for (const [key, row] of this.rows) yield { key: key.split(NUL), ...row };
  }

  /** Returns the columns as arrays: the key, the calls and the latest values. */
  toColumns(width: number): unknown[][] {
    const key: string[][] = Array.from({ length: width }, () => []);
    const [calls, latest]: [number[], string[]] = [[], []];
    for (const [text, row] of this.rows) {
      const parts = text.split(NUL);
      for (let at = 0; at < width; at += 1) key[at]?.push(parts[at] ?? '');
      calls.push(row.calls);
      latest.push(row.latest);
    }
    return [...key, calls, latest];
  }
}

/** The increments that records add to sums. */
export interface SumIncrements {
  /**
   * Adds the increments, in the transaction that stores the records. The caller holds the lock of
   * the gateway's chain, so no other transaction writes these rows.
   */
  add: (manager: EntityManager) => Promise<unknown>;
  /** The counted users to `remember` after the commit. */
  users: readonly string[];
}

/** The sums of tool calls, written in the transaction that stores the records. */
@Injectable()
export class ToolCallSumsRepository {
  private readonly remembered = new Set<string>();

  /** Computes the increments of the records of one gateway. */
  compute(gatewayId: string, calls: readonly ToolCall[]): SumIncrements {
    const [hours, users, groups] = [new CounterDeltas(), new CounterDeltas(), new CounterDeltas()];
    for (const call of calls) {
      const { environment, tool_name, decision, occurred_at, user_id } = call;
      const connector = call.connector_id ?? NO_CONNECTOR;
      const target = `${connector}${NUL}${tool_name}${NUL}${decision}${NUL}${environment}`;
      const hour = getBucketStart(occurred_at, 'hour');
      hours.add(`${hour}${NUL}${target}`, '');
      if (user_id !== undefined)
        users.add(`${user_id}${NUL}${getBucketStart(occurred_at, 'day')}${NUL}${target}`, occurred_at);
      if (call.connector_id === undefined) continue;
      const prefix = `${connector}${NUL}${hour}${NUL}`;
      groups.add(`${prefix}${NUL}${environment}`, '');
      for (const { id, name } of call.groups) groups.add(`${prefix}${id}${NUL}${environment}`, name);
    }
    const { rows, fresh } = this.findNewUsers(gatewayId, users);
    const params = [
      gatewayId,
      ...toSums(hours).toColumns(7).slice(0, -1),
      ...groups.toColumns(4).slice(0, -1),
      ...toDays(groups).toColumns(4),
      ...rows.toColumns(4).slice(0, -2),
      ...users.toColumns(6),
    ];
    return { add: (manager) => ADD.rows(manager, params), users: fresh };
  }

  /** Finds the users that are not remembered as counted for their day and month. */
  private findNewUsers(gatewayId: string, users: CounterDeltas): { rows: CounterDeltas; fresh: readonly string[] } {
    const [rows, fresh] = [new CounterDeltas(), new Set<string>()];
    for (const { key } of users) {
      const [user = '', day = '', , , , environment = ''] = key;
      const known = `${gatewayId}${NUL}${day}${NUL}${environment}${NUL}${user}`;
      if (this.remembered.has(known)) continue;
      fresh.add(known);
      for (const width of ['day', 'month'] as const)
        rows.add([width, getBucketStart(day, width), environment, user].join(NUL), '');
    }
    return { rows, fresh: [...fresh] };
  }

  /** Remembers counted users after the commit, so that they are not written again. */
  remember(users: readonly string[]): void {
    if (this.remembered.size > MAX_REMEMBERED) this.remembered.clear();
    for (const user of users) this.remembered.add(user);
  }
}

/** Adds up the hours of groups by day. */
function toDays(hours: CounterDeltas): CounterDeltas {
  const days = new CounterDeltas();
  for (const { key, calls, latest } of hours) {
    const [connector = '', hour = '', group = '', environment = ''] = key;
    days.add([connector, getBucketStart(hour, 'day'), group, environment].join(NUL), latest, calls);
  }
  return days;
}

/** Adds up calls by hour, connector, tool, decision and environment to all widths and grains. */
function toSums(hours: CounterDeltas): CounterDeltas {
  const sums = new CounterDeltas();
  for (const { key, calls } of hours) {
    const [hour = '', connector = '', tool = '', decision = '', environment = ''] = key;
    for (const width of ['hour', 'day', 'month'] as const) {
      const bucket = getBucketStart(hour, width);
      sums.add(['all', width, bucket, NO_CONNECTOR, '', decision, environment].join(NUL), '', calls);
      sums.add(['connector', width, bucket, connector, '', '', environment].join(NUL), '', calls);
      sums.add(['tool', width, bucket, connector, tool, '', environment].join(NUL), '', calls);
    }
  }
  return sums;
}

/** Returns the start of the bucket of a time, both in the form of `Date.toISOString`. */
const getBucketStart = (time: string, width: SumWidth): string => {
  if (width === 'hour') return `${time.slice(0, 13)}:00:00.000Z`;
  if (width === 'day') return `${time.slice(0, 10)}T00:00:00.000Z`;
  return `${time.slice(0, 7)}-01T00:00:00.000Z`;
};
