import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ToolCall } from './metering.dto.ts';
import type { SumWidth } from './time-segments.ts';

/** Stands for the connector of calls that matched none. */
export const NO_CONNECTOR = '00000000-0000-0000-0000-000000000000';

const ADD = statement(`
  INSERT INTO tool_call_sums AS s (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment, calls)
  SELECT $1, grain, width, bucket, connector_id, tool_name, decision, environment, calls
  FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bigint[])
    AS k (grain, width, bucket, connector_id, tool_name, decision, environment, calls)
  ON CONFLICT (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls`);
const ADD_OF_USERS = statement(`
  INSERT INTO tool_call_user_sums AS s (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
  SELECT $1, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity
  FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::timestamptz[])
    AS k (user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
  ON CONFLICT (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment)
  DO UPDATE SET calls = s.calls + EXCLUDED.calls, last_activity = greatest(s.last_activity, EXCLUDED.last_activity)`);
const ADD_OF_GROUPS = statement(`
  INSERT INTO tool_call_group_sums AS s (gateway_id, connector_id, bucket, group_id, environment, calls, group_name)
  SELECT $1, connector_id, bucket, group_id, environment, calls, group_name
  FROM unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[], $7::text[]) AS k (connector_id, bucket, group_id, environment, calls, group_name)
  ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment)
  DO UPDATE SET calls = s.calls + EXCLUDED.calls, group_name = EXCLUDED.group_name`);
const ADD_USERS = statement(`
  INSERT INTO tool_call_users (gateway_id, width, bucket, environment, user_id)
  SELECT $1, width, bucket, environment, user_id
  FROM unnest($2::text[], $3::timestamptz[], $4::text[], $5::uuid[]) AS k (width, bucket, environment, user_id)
  ON CONFLICT DO NOTHING`);

/** People of days and months that are remembered, about 20 MB. */
const MOST_KNOWN = 100_000;

/** What sums tell apart: decisions, connectors, or tools of connectors. */
export type Grain = 'all' | 'connector' | 'tool';

/** A row that grows: its key's columns, how many calls it grows by, and what else it takes over from the last of them. */
interface Growth {
  key: readonly string[];
  calls: number;
  latest: string;
}

/** Rows by key. No text of the database has the character in it that joins them. */
class Growths {
  private readonly rows = new Map<string, Growth>();

  add(key: readonly string[], latest: string, calls = 1): void {
    const text = key.join('\0');
    const row = this.rows.get(text);
    if (row === undefined) this.rows.set(text, { key, calls, latest });
    else {
      row.calls += calls;
      if (latest > row.latest) row.latest = latest;
    }
  }

  *[Symbol.iterator](): Iterator<Growth> {
    yield* this.rows.values();
  }

  /** Its columns, each an array: first those of the key. */
  columns(width: number): unknown[][] {
    const rows = [...this.rows.values()];
    return [
      ...Array.from({ length: width }, (_, at) => rows.map(({ key }) => key[at])),
      rows.map(({ calls }) => calls),
      rows.map(({ latest }) => latest),
    ];
  }

  get empty(): boolean {
    return this.rows.size === 0;
  }
}

/** The sums of tool calls, kept in the transaction that stores the records. */
@Injectable()
export class ToolCallSumsRepository {
  private readonly known = new Set<string>();

  /** Adds the records of one gateway to all sums that they belong to. Whoever calls it holds the gateway's chain, so that nobody else writes these rows. @returns what to `remember` after the commit */
  async add(manager: EntityManager, gatewayId: string, calls: readonly ToolCall[]): Promise<readonly string[]> {
    const [hours, users, groups] = [new Growths(), new Growths(), new Growths()];
    for (const call of calls) {
      const { environment, tool_name, decision, occurred_at, user_id } = call;
      const connector = call.connector_id ?? NO_CONNECTOR;
      hours.add([startOf(occurred_at, 'hour'), connector, tool_name, decision, environment], '');
      const day = startOf(occurred_at, 'day');
      if (user_id !== undefined) users.add([user_id, day, connector, tool_name, decision, environment], occurred_at);
      if (call.connector_id === undefined) continue;
      groups.add([connector, day, '', environment], '');
      for (const { id, name } of call.groups) groups.add([connector, day, id, environment], name);
    }
    const sums = new Growths();
    for (const { key, calls: count } of hours) {
      const [hour = '', connector = '', tool = '', decision = '', environment = ''] = key;
      for (const width of ['hour', 'day', 'month'] as const) {
        const bucket = startOf(hour, width);
        sums.add(['all', width, bucket, NO_CONNECTOR, '', decision, environment], '', count);
        sums.add(['connector', width, bucket, connector, '', '', environment], '', count);
        sums.add(['tool', width, bucket, connector, tool, '', environment], '', count);
      }
    }
    await ADD.rows(manager, [gatewayId, ...sums.columns(7).slice(0, -1)]);
    if (!groups.empty) await ADD_OF_GROUPS.rows(manager, [gatewayId, ...groups.columns(4)]);
    if (users.empty) return [];
    await ADD_OF_USERS.rows(manager, [gatewayId, ...users.columns(6)]);
    const seen = new Growths();
    for (const { key } of users) {
      const [user = '', day = '', , , , environment = ''] = key;
      for (const width of ['day', 'month'] as const) {
        const row = [width, startOf(day, width), environment, user];
        if (!this.known.has(knownAs(gatewayId, row))) seen.add(row, '');
      }
    }
    if (!seen.empty) await ADD_USERS.rows(manager, [gatewayId, ...seen.columns(4).slice(0, -2)]);
    return [...seen].map(({ key }) => knownAs(gatewayId, key));
  }

  /** People who are counted for a day or month stay counted: after the commit they need not be tried again. */
  remember(users: readonly string[]): void {
    if (this.known.size > MOST_KNOWN) this.known.clear();
    for (const user of users) this.known.add(user);
  }
}

const knownAs = (gatewayId: string, row: readonly string[]): string => [gatewayId, ...row].join('\0');

/** The beginning of the bucket of a time that is written in UTC. */
const startOf = (time: string, width: SumWidth): string => {
  if (width === 'hour') return `${time.slice(0, 13)}:00:00Z`;
  if (width === 'day') return `${time.slice(0, 10)}T00:00:00Z`;
  return `${time.slice(0, 7)}-01T00:00:00Z`;
};
