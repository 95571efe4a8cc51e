import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { readKeysetPage, type PageQuery } from '@gatehouse/database/keyset';
import { VisibleConnectors } from '../sums/visible-connectors.ts';
import type { ConnectorActivityQuery, OwnActivityQuery, ToolCallActivity } from '../records/tool-call.dto.ts';
import {
  type RecordRow,
  type ToolCallFilter,
  ToolCallsRepository,
  toToolCall,
} from '../records/tool-calls.repository.ts';
import { toFiguresOf, requireOrder, CallVisibility } from '../records/call-visibility.ts';

/** Lists tool calls. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly toolCalls: ToolCallsRepository,
    private readonly visibility: CallVisibility,
    private readonly connectors: VisibleConnectors,
    private readonly gateways: Gateways,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * Lists the calls to a connector: all calls for administrators and auditors, their own for other
   * callers.
   * @throws HttpError not_found for an unknown gateway, invalid
   */
  async listOfConnector(caller: Caller, connectorId: string, query: ConnectorActivityQuery): Promise<ToolCallActivity> {
    const { cursor, before, limit, ...filter } = query;
    this.gateways.require(query.gateway_id);
    requireOrder(query);
    const user_id = await this.visibility.resolveUser(caller, filter.user_id);
    return this.readPage(
      caller,
      'connector-activity',
      { ...filter, user_id, connector_id: connectorId },
      { cursor, before, limit },
    );
  }

  /**
   * Lists the caller's own calls to a connector.
   * @throws HttpError not_found for an unknown gateway, invalid
   */
  async listOfCaller(caller: Caller, query: OwnActivityQuery): Promise<ToolCallActivity> {
    const { cursor, before, limit, ...filter } = query;
    this.gateways.require(query.gateway_id);
    requireOrder(query);
    const user_id = await this.visibility.getOwnId(caller);
    return this.readPage(caller, 'own-activity', { ...filter, user_id }, { cursor, before, limit });
  }

  private async readPage(
    caller: Caller,
    list: string,
    filter: ToolCallFilter,
    query: PageQuery,
  ): Promise<ToolCallActivity> {
    const visible = await this.connectors.list(caller, filter.gateway_id, filter.user_id);
    const isReadable = visible?.includes(filter.connector_id) ?? true;
    const { rows, ...cursors } = await readKeysetPage<RecordRow>(
      this.cursors,
      {
        binding: { list, filters: { ...filter }, caller },
        getSortKey: (row) => [row.occurred_at, row.call_id],
        read: (step) => (isReadable ? this.toolCalls.list(filter, step) : Promise.resolve([])),
      },
      query,
    );
    return { figures_of: toFiguresOf(filter.user_id), records: rows.map(toToolCall), ...cursors };
  }
}
