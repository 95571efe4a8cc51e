import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ToolCall } from '../records/metering.dto.ts';
import type { SumWidth } from './time-segments.ts';

/** Stands for the connector of calls that matched none. */
export const NO_CONNECTOR = '00000000-0000-0000-0000-000000000000';

/**
 * Arrays side by side as rows. In a list of results each element passes once; in `FROM` each array
 * would first be written down as a table.
 */
const rowsOf = (first: number, ...types: readonly string[]): string =>
  types.map((type, at) => `unnest($${first + at}::${type}[])`).join(', ');

/**
 * All sums in one statement: whoever runs it holds the chain, and each answer would be waited for.
 */
const ADD = statement(`
  WITH totals AS (
    INSERT INTO tool_call_sums AS s (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment, calls)
    SELECT $1, ${rowsOf(2, 'text', 'text', 'timestamptz', 'uuid', 'text', 'text', 'text', 'bigint')}
    ON CONFLICT (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls
  ), hours AS (
    INSERT INTO tool_call_group_hours AS s (gateway_id, connector_id, bucket, group_id, environment, calls)
    SELECT $1, ${rowsOf(10, 'uuid', 'timestamptz', 'text', 'text', 'bigint')}
    ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls
  ), days AS (
    INSERT INTO tool_call_group_days AS s (gateway_id, connector_id, bucket, group_id, environment, calls, group_name)
    SELECT $1, ${rowsOf(15, 'uuid', 'timestamptz', 'text', 'text', 'bigint', 'text')}
    ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment)
    DO UPDATE SET calls = s.calls + EXCLUDED.calls, group_name = EXCLUDED.group_name
  ), people AS (
    INSERT INTO tool_call_users (gateway_id, width, bucket, environment, user_id)
    SELECT $1, ${rowsOf(21, 'text', 'timestamptz', 'text', 'uuid')}
    ON CONFLICT DO NOTHING
  )
  INSERT INTO tool_call_user_sums AS s (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
  SELECT $1, ${rowsOf(25, 'uuid', 'timestamptz', 'uuid', 'text', 'text', 'text', 'bigint', 'timestamptz')}
  ON CONFLICT (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment)
  DO UPDATE SET calls = s.calls + EXCLUDED.calls, last_activity = greatest(s.last_activity, EXCLUDED.last_activity)`);

/** People of days and months that are remembered, about 20 MB. */
const MOST_KNOWN = 100_000;

/** What sums tell apart: decisions, connectors, or tools of connectors. */
export type Grain = 'all' | 'connector' | 'tool';

/** Joins the columns of a key. No text of the database has this character in it. */
const NUL = '\0';

/**
 * Rows that grow, by the columns of their keys: how many calls each grows by, and what else it
 * takes over from the last of them.
 */
class Growths {
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

  /** Its columns, each an array: first those of the key. */
  columns(width: number): unknown[][] {
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

/** What records add to sums. */
export interface AddedSums {
  /**
   * Adds it, in the transaction that stores the records. Whoever calls it holds the gateway's
   * chain, so that nobody else writes these rows.
   */
  add: (manager: EntityManager) => Promise<unknown>;
  /** What to `remember` after the commit. */
  users: readonly string[];
}

/** The sums of tool calls, kept in the transaction that stores the records. */
@Injectable()
export class ToolCallSumsRepository {
  private readonly known = new Set<string>();

  /** What records of one gateway add to all sums that they belong to. */
  of(gatewayId: string, calls: readonly ToolCall[]): AddedSums {
    const [hours, users, groups] = [new Growths(), new Growths(), new Growths()];
    for (const call of calls) {
      const { environment, tool_name, decision, occurred_at, user_id } = call;
      const connector = call.connector_id ?? NO_CONNECTOR;
      const what = `${connector}${NUL}${tool_name}${NUL}${decision}${NUL}${environment}`;
      const hour = startOf(occurred_at, 'hour');
      hours.add(`${hour}${NUL}${what}`, '');
      if (user_id !== undefined) users.add(`${user_id}${NUL}${startOf(occurred_at, 'day')}${NUL}${what}`, occurred_at);
      if (call.connector_id === undefined) continue;
      const whose = `${connector}${NUL}${hour}${NUL}`;
      groups.add(`${whose}${NUL}${environment}`, '');
      for (const { id, name } of call.groups) groups.add(`${whose}${id}${NUL}${environment}`, name);
    }
    const { seen, fresh } = this.newUsers(gatewayId, users);
    const params = [
      gatewayId,
      ...sumsOf(hours).columns(7).slice(0, -1),
      ...groups.columns(4).slice(0, -1),
      ...daysOf(groups).columns(4),
      ...seen.columns(4).slice(0, -2),
      ...users.columns(6),
    ];
    return { add: (manager) => ADD.rows(manager, params), users: fresh };
  }

  /**
   * People who are not known to be counted for their day and month, and what to remember of them.
   */
  private newUsers(gatewayId: string, users: Growths): { seen: Growths; fresh: readonly string[] } {
    const [seen, fresh] = [new Growths(), new Set<string>()];
    for (const { key } of users) {
      const [user = '', day = '', , , , environment = ''] = key;
      const known = `${gatewayId}${NUL}${day}${NUL}${environment}${NUL}${user}`;
      if (this.known.has(known)) continue;
      fresh.add(known);
      for (const width of ['day', 'month'] as const)
        seen.add([width, startOf(day, width), environment, user].join(NUL), '');
    }
    return { seen, fresh: [...fresh] };
  }

  /**
   * People who are counted for a day or month stay counted: after the commit they need not be tried
   * again.
   */
  remember(users: readonly string[]): void {
    if (this.known.size > MOST_KNOWN) this.known.clear();
    for (const user of users) this.known.add(user);
  }
}

/** What calls by connector, hour, group and environment come to by day. */
function daysOf(hours: Growths): Growths {
  const days = new Growths();
  for (const { key, calls, latest } of hours) {
    const [connector = '', hour = '', group = '', environment = ''] = key;
    days.add([connector, startOf(hour, 'day'), group, environment].join(NUL), latest, calls);
  }
  return days;
}

/**
 * What calls by hour, connector, tool, decision and environment come to in all widths and grains.
 */
function sumsOf(hours: Growths): Growths {
  const sums = new Growths();
  for (const { key, calls } of hours) {
    const [hour = '', connector = '', tool = '', decision = '', environment = ''] = key;
    for (const width of ['hour', 'day', 'month'] as const) {
      const bucket = startOf(hour, width);
      sums.add(['all', width, bucket, NO_CONNECTOR, '', decision, environment].join(NUL), '', calls);
      sums.add(['connector', width, bucket, connector, '', '', environment].join(NUL), '', calls);
      sums.add(['tool', width, bucket, connector, tool, '', environment].join(NUL), '', calls);
    }
  }
  return sums;
}

/**
 * The beginning of the bucket of a time that is written in UTC, as `Date` writes it: so it goes in
 * the binary format.
 */
const startOf = (time: string, width: SumWidth): string => {
  if (width === 'hour') return `${time.slice(0, 13)}:00:00.000Z`;
  if (width === 'day') return `${time.slice(0, 10)}T00:00:00.000Z`;
  return `${time.slice(0, 7)}-01T00:00:00.000Z`;
};
