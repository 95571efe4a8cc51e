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
 * The connectors whose calls a caller may read back: those that the caller has called and may see
 * now. The policy that decides about calls decides about reading too. Calls to a hidden or removed
 * connector are left out like calls that matched no connector, so that a hidden and an unknown slug
 * look the same.
 */
@Injectable()
export class VisibleConnectors {
  constructor(
    private readonly access: OwnAccess,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * @param userId the user whose calls are read; the caller's own id unless the caller is an
   * administrator or auditor
   * @returns undefined for administrators and auditors, who may read all calls
   */
  async of(caller: Caller, gatewayId: string, userId: string | undefined): Promise<readonly string[] | undefined> {
    if (userId === undefined || caller.roles.has('admin') || caller.roles.has('auditor')) return undefined;
    const called = await CALLED.rows(this.dataSource.manager, [gatewayId, userId]);
    const principal = await this.access.principalOf(caller);
    if (principal === undefined) return [];
    // The policies are asked also where none was called: the time of an answer says nothing about a
    // guessed slug.
    const ids = [NO_CONNECTOR, ...called.map(({ id }) => id)];
    return [...(await this.access.connectable(principal, ids))];
  }
}
