import { AuditService } from '@gatehouse/audit/audit.service';
import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LinkedConnector } from './connect-links.ts';

/** The operation of audit events about sign-ins at providers. */
const OPERATION = "Start a connector's upstream connect flow";

/** Writes one audit event for each sign-in at a provider that ends. */
@Injectable()
export class ConnectAudit {
  constructor(
    private readonly audit: AuditService,
    private readonly refusals: RefusalsService,
  ) {}

  /** Records that a user connected a connector, in the transaction of the tokens. */
  recordConnected(
    manager: EntityManager,
    { issuer, subject, connectorId }: LinkedConnector,
    requestId: string,
  ): Promise<void> {
    return this.audit.record(
      manager,
      { issuer, subject, requestId },
      { operation: OPERATION, object_kind: 'connector', object_id: connectorId, changed_fields: ['connection_status'] },
    );
  }

  /** Records a refused request of a browser. Many of one user are counted in one event. */
  recordRefused(
    { issuer, subject, connectorId }: Pick<LinkedConnector, 'issuer' | 'subject'> & Partial<LinkedConnector>,
    requestId: string,
    reason: string,
  ): Promise<void> {
    return this.refusals.record({
      caller: { issuer, issuerId: issuer, subject, requestId },
      operation: OPERATION,
      method: 'GET',
      path: '/oauth/callback',
      params: connectorId === undefined ? {} : { id: connectorId },
      reason,
    });
  }
}
