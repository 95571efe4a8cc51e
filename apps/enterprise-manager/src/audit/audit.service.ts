import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Refusal } from '@gatehouse/service-kit/refusal';
import type { ForbiddenEvent } from '@gatehouse/service-kit/start';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { keysetPage } from '../database/keyset.ts';
import { AuditRepository } from './audit.repository.ts';
import { type AuditEventListQuery, type AuditEventPage, toAuditEvent } from './audit.dto.ts';

/** A change that was made. */
export interface AuditedChange {
  /** The operation's name in the contract, for example `Patch group`. */
  operation: string;
  object_kind: string;
  object_id: string;
  /** Names of the fields that changed; a member is named by its path, `users/<id>`. Never values. */
  changed_fields: readonly string[];
}

const LONGEST_ID = 256;

/** Writes and reads the audit trail. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** Adds the event of a change, in the change's own transaction: both are there or neither. */
  async record(manager: EntityManager, caller: Caller, change: AuditedChange): Promise<void> {
    await this.repository.insert(manager, {
      ...change,
      ...this.stamp(caller),
      outcome: 'succeeded',
      changed_fields: [...change.changed_fields],
    });
  }

  /** Adds the event of a request that was answered 403. What the caller sent is kept only where it looks like an id. */
  async recordForbidden({ caller, operation, params }: ForbiddenEvent): Promise<void> {
    const named = params['id'] ?? params['group_id'] ?? params['gateway_id'];
    await this.repository.insert(this.dataSource.manager, {
      ...this.stamp(caller),
      operation,
      object_kind: null,
      object_id: named !== undefined && named.length <= LONGEST_ID && /^[\x21-\x7e]+$/.test(named) ? named : null,
      outcome: 'forbidden',
      changed_fields: [],
    });
  }

  /** A page of events, newest first. */
  async list(caller: Caller, { cursor, before, limit, ...filter }: AuditEventListQuery): Promise<AuditEventPage> {
    if (filter.from !== undefined && filter.to !== undefined && Date.parse(filter.from) >= Date.parse(filter.to)) {
      const message = 'must be before to';
      throw new Refusal('invalid', `from: ${message}`, { violations: [{ field: '/from', message }] });
    }
    const { rows, ...cursors } = await keysetPage(
      this.cursors,
      {
        binding: { list: 'audit-events', filters: filter, caller },
        read: (step) => this.repository.list(filter, step),
        keyOf: (row) => [row.occurred_at, row.id],
      },
      { cursor, before, limit },
    );
    return { items: rows.map(toAuditEvent), ...cursors };
  }

  private stamp(caller: Caller) {
    return {
      occurred_at: this.clock.now().toISOString(),
      id: uuidv7(),
      request_id: caller.requestId,
      issuer: caller.issuer,
      subject: caller.subject,
    };
  }
}
