import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { SETTINGS, type Settings } from '../config/config.ts';
import { keysetPage } from '../database/keyset.ts';
import { personNamed, personRef } from '../validation/person-ref.ts';
import { AuditRepository } from './audit.repository.ts';
import { type AuditEventListQuery, type AuditEventPage, toAuditEvent } from './audit.dto.ts';

/** A change that was made. */
export interface AuditedChange {
  /** The operation's name in the contract, for example `Patch group`. */
  operation: string;
  object_kind: string;
  object_id: string;
  /**
   * Names of the fields that changed; a member is named by its path, `users/<id>`. Never values.
   */
  changed_fields: readonly string[];
}

/** Who asked, and under which request. */
export type Actor = Pick<Caller, 'issuer' | 'subject' | 'requestId'>;

/** Writes and reads the audit trail. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Adds the event of a change, in the change's own transaction: both are there or neither. */
  async record(manager: EntityManager, actor: Actor, change: AuditedChange): Promise<void> {
    await this.repository.insert(manager, {
      ...change,
      ...this.stamp(actor),
      outcome: 'succeeded',
      changed_fields: [...change.changed_fields],
      occurrences: 1,
    });
  }

  /** A page of events, newest first. */
  async list(
    caller: Caller,
    { cursor, before, limit, subject_id, ...given }: AuditEventListQuery,
  ): Promise<AuditEventPage> {
    if (subject_id !== undefined && (given.issuer !== undefined || given.subject !== undefined))
      throw fieldError('invalid', 'subject_id', 'cannot be given together with issuer or subject');
    const issuers = this.settings.ISSUERS;
    const filter = { ...given, ...(subject_id !== undefined && personNamed(issuers, subject_id)) };
    if (filter.from !== undefined && filter.to !== undefined && Date.parse(filter.from) >= Date.parse(filter.to))
      throw fieldError('invalid', 'from', 'must be before to');
    const { rows, ...cursors } = await keysetPage(
      this.cursors,
      {
        binding: { list: 'audit-events', filters: filter, caller },
        read: (step) => this.repository.list(filter, step),
        keyOf: (row) => [row.occurred_at, row.id],
      },
      { cursor, before, limit },
    );
    return { items: rows.map((row) => toAuditEvent(row, personRef(issuers, row))), ...cursors };
  }

  private stamp({ requestId, issuer, subject }: Actor) {
    return {
      occurred_at: this.clock.now().toISOString(),
      id: uuidv7(),
      request_id: requestId,
      issuer,
      subject,
    };
  }
}
