import { AuditService } from '@gatehouse/audit/audit.service';
import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { Injectable } from '@nestjs/common';
import type { CorporatePerson } from '../grants/corporate-sign-in.ts';
import { WriteTransaction } from '../storage/write-transaction.ts';

const OPERATION = 'Authorize an MCP client';

/** A person and the client that they let act, or refused to. */
export interface ConsentEvent {
  person: Pick<CorporatePerson, 'issuer' | 'subject'>;
  clientId: string;
  requestId: string;
}

/** Writes the audit events of authorizations. */
@Injectable()
export class ConsentAudit {
  constructor(
    private readonly audit: AuditService,
    private readonly refusals: RefusalsService,
    private readonly transaction: WriteTransaction,
  ) {}

  /** Records that a person let a client act, in the transaction of the grant. */
  recordConsent({ person: { issuer, subject }, clientId, requestId }: ConsentEvent): Promise<void> {
    return this.transaction.write((manager) =>
      this.audit.record(
        manager,
        { issuer, subject, requestId },
        { operation: OPERATION, object_kind: 'oauth_client', object_id: clientId, changed_fields: ['grant'] },
      ),
    );
  }

  /** Records an authorization that was refused with a page. */
  recordRefusal({ person: { issuer, subject }, clientId, requestId }: ConsentEvent, reason: string): Promise<void> {
    return this.refusals.record({
      caller: { issuer, issuerId: issuer, subject, requestId },
      operation: OPERATION,
      method: 'GET',
      path: '/oauth/interactions',
      params: { id: clientId },
      reason,
    });
  }
}
