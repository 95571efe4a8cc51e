import { statement } from '@gatehouse/database/statement';
import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OwnAccess } from '../connections/own-access.ts';

const CALLED = statement<{ id: string; is_available: boolean }>(
  `SELECT k.id, k.status = 'available' AS is_available FROM connectors k
   WHERE k.gateway_id = $1 AND k.id IN (SELECT connector_id FROM tool_call_user_sums WHERE gateway_id = $1 AND user_id = $2)`,
);

/**
 * The connectors that a caller has called and may not see now. Own reads leave their records out: the policy that decides about calls decides about reading too.
 * A connector that was removed has no policy; its records name it only where the caller could see it.
 */
@Injectable()
export class HiddenConnectors {
  constructor(
    private readonly access: OwnAccess,
    private readonly dataSource: DataSource,
  ) {}

  /** @param userId the caller's own id @returns none for administrators and auditors */
  async of(caller: Caller, gatewayId: string, userId: string | undefined): Promise<readonly string[]> {
    if (userId === undefined || caller.roles.has('admin') || caller.roles.has('auditor')) return [];
    const called = await CALLED.rows(this.dataSource.manager, [gatewayId, userId]);
    const available = called.filter((connector) => connector.is_available).map(({ id }) => id);
    const principal = available.length === 0 ? undefined : await this.access.principalOf(caller);
    const visible = principal && (await this.access.connectable(principal, available));
    return called.map(({ id }) => id).filter((id) => !visible?.has(id));
  }
}
