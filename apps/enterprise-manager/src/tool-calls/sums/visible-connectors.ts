import { statement } from '@gatehouse/database/statement';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OwnAccess } from '../../access/connections/own-access.ts';
import { NO_CONNECTOR } from './tool-call-sums.repository.ts';

const CALLED = statement<{ id: string }>(
  `SELECT k.id FROM connectors k
   WHERE k.gateway_id = $1 AND k.status = 'available' AND k.id IN (SELECT connector_id FROM tool_call_user_sums WHERE gateway_id = $1 AND user_id = $2)`,
);

/**
 * The connectors whose calls a caller may read: those that the caller has called and may see now.
 * The same policy decides about calls and about reading them. Calls to hidden and removed
 * connectors are omitted like calls without a connector, so that hidden and unknown slugs look the
 * same.
 */
@Injectable()
export class VisibleConnectors {
  constructor(
    private readonly access: OwnAccess,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Lists the ids of the connectors.
   * @param userId the user whose calls are read; the caller's own id unless the caller is an
   * administrator or auditor
   * @returns undefined for administrators and auditors, who may read all calls
   */
  async list(caller: Caller, gatewayId: string, userId: string | undefined): Promise<readonly string[] | undefined> {
    if (userId === undefined || caller.roles.has('admin') || caller.roles.has('auditor')) return undefined;
    const called = await CALLED.rows(this.dataSource.manager, [gatewayId, userId]);
    const principal = await this.access.findPrincipal(caller);
    if (principal === undefined) return [];
    // The policies are evaluated without calls too, so that the time of a response reveals nothing
    // about a guessed slug.
    const ids = [NO_CONNECTOR, ...called.map(({ id }) => id)];
    return [...(await this.access.filterConnectable(principal, ids))];
  }
}
