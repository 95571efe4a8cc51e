import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { readKeysetPage } from '@gatehouse/database/keyset';
import { getOwnerRef, type Issuers, parseOwnerRef } from '@gatehouse/auth/owner-ref';
import { AuditRepository } from './audit.repository.ts';
import { type AuditEventListQuery, type AuditEventPage, toAuditEvent } from './audit.dto.ts';

/** A change for the audit trail. */
export interface AuditedChange {
  /** The operation's name in the contract, for example `Patch group`. */
  operation: string;
  object_kind: string;
  object_id: string;
  /**
   * Names of the changed fields, without values; for a member its path, `users/<id>`.
   */
  changed_fields: readonly string[];
}

/** The caller of a request. */
export type Actor = Pick<Caller, 'issuer' | 'subject' | 'requestId'>;

/** Writes and reads the audit trail. */
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    private readonly issuers: Issuers,
  ) {}

  /** Adds the event of a change in its transaction: both are stored or neither. */
  async record(manager: EntityManager, actor: Actor, change: AuditedChange): Promise<void> {
    await this.repository.insert(manager, {
      ...change,
      ...this.createHeader(actor),
      outcome: 'succeeded',
      changed_fields: [...change.changed_fields],
      occurrences: 1,
    });
  }

  /** Returns a page of events, newest first. */
  async list(
    caller: Caller,
    { cursor, before, limit, subject_id, ...filters }: AuditEventListQuery,
  ): Promise<AuditEventPage> {
    if (subject_id !== undefined && (filters.issuer !== undefined || filters.subject !== undefined))
      throw fieldError('invalid', 'subject_id', 'must not be given together with issuer or subject; use one of them');
    const { issuers } = this;
    const filter = { ...filters, ...(subject_id !== undefined && parseOwnerRef(issuers, subject_id)) };
    if (filter.from !== undefined && filter.to !== undefined && Date.parse(filter.from) >= Date.parse(filter.to))
      throw fieldError('invalid', 'from', 'must be before to');
    const { rows, ...cursors } = await readKeysetPage(
      this.cursors,
      {
        binding: { list: 'audit-events', filters: filter, caller },
        read: (step) => this.repository.list(filter, step),
        getSortKey: (row) => [row.occurred_at, row.id],
      },
      { cursor, before, limit },
    );
    return { items: rows.map((row) => toAuditEvent(row, getOwnerRef(issuers, row))), ...cursors };
  }

  private createHeader({ requestId, issuer, subject }: Actor) {
    return {
      occurred_at: this.clock.now().toISOString(),
      id: uuidv7(),
      request_id: requestId,
      issuer,
      subject,
    };
  }
}
