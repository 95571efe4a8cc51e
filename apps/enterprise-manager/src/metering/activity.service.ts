import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../connectors/gateways.ts';
import { keysetPage, type PageQuery } from '../database/keyset.ts';
import { People } from '../users/people.service.ts';
import type { ConnectorActivityQuery, OwnActivityQuery, ToolCall, ToolCallActivity } from './metering.dto.ts';
import { type ToolCallFilter, type ToolCallRow, ToolCallsRepository } from './tool-calls.repository.ts';

/** Who called which tool when. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly people: People,
    private readonly gateways: Gateways,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * The calls to a connector: for administrators and auditors everybody's, for everybody else only their own.
   * @throws Refusal not_found for an unknown gateway, invalid
   */
  async ofConnector(caller: Caller, connectorId: string, query: ConnectorActivityQuery): Promise<ToolCallActivity> {
    const { cursor, before, limit, ...rest } = query;
    this.gateways.require(query.gateway_id);
    requireOrder(query);
    const filter = { ...rest, connector_id: connectorId };
    const seesAll = caller.roles.has('admin') || caller.roles.has('auditor');
    if (seesAll) return this.page(caller, 'connector-activity', filter, { cursor, before, limit });
    const own = await this.idOf(caller);
    const asked = filter.user_id === undefined || filter.user_id === own ? own : undefined;
    return this.page(caller, 'connector-activity', asked && { ...filter, user_id: asked }, { cursor, before, limit });
  }

  /** The caller's own calls to a connector. @throws Refusal not_found for an unknown gateway, invalid */
  async ofCaller(caller: Caller, query: OwnActivityQuery): Promise<ToolCallActivity> {
    const { cursor, before, limit, ...rest } = query;
    this.gateways.require(query.gateway_id);
    requireOrder(query);
    const own = await this.idOf(caller);
    return this.page(caller, 'own-activity', own && { ...rest, user_id: own }, { cursor, before, limit });
  }

  private async idOf(caller: Caller): Promise<string | undefined> {
    return (await this.people.entryOf(caller))?.id;
  }

  /** @param filter undefined shows nothing */
  private async page(
    caller: Caller,
    list: string,
    filter: ToolCallFilter | undefined | '',
    query: PageQuery,
  ): Promise<ToolCallActivity> {
    const { rows, ...cursors } = await keysetPage<ToolCallRow>(
      this.cursors,
      {
        binding: { list, filters: { ...(filter || {}) }, caller },
        keyOf: (row) => [row.occurred_at, row.call_id],
        read: (step) => (filter ? this.toolCalls.list(filter, step) : Promise.resolve([])),
      },
      query,
    );
    return { records: rows.map(toToolCall), ...cursors };
  }
}

function requireOrder({ start, end }: { start?: string | undefined; end?: string | undefined }): void {
  if (start === undefined || end === undefined || start < end) return;
  const message = 'must be before end';
  throw new Refusal('invalid', `start: ${message}`, { violations: [{ field: '/start', message }] });
}

function toToolCall(row: ToolCallRow): ToolCall {
  const { content_sha256, groups, ...columns } = row;
  const set = Object.entries(columns).filter(([name, value]) => value !== null && SHOWN.has(name));
  return {
    ...Object.fromEntries(set),
    groups: groups.map(({ id, name }) => ({ id, name: name ?? '' })),
  } as ToolCall;
}

const SHOWN: ReadonlySet<string> = new Set([
  'call_id',
  'occurred_at',
  'gateway_id',
  'environment',
  'connector_id',
  'connector_name',
  'tool_name',
  'user_id',
  'user_email',
  'decision',
  'outcome',
  'category',
  'billable',
  'billable_reason',
  'definition_version',
  'duration_ms',
  'arguments_sha256',
]);
