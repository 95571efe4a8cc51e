import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { DataSource, EntityManager } from 'typeorm';
import type { Actor, AuditService } from './audit.service.ts';

/** The number of retries after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;

/** A kind of objects that a service writes. */
export interface AuditedKind {
  /** `object_kind` of the audit events. */
  readonly kind: string;
  /** The messages of a 409 by the unique constraint that a write violates. */
  readonly unique?: Readonly<Record<string, string>>;
}

/**
 * Adds the audit event of a change to its transaction.
 *
 * @param objectId the changed object
 * @param changedFields names of the changed fields, without values; empty for a removal
 */
export type RecordChange = (objectId: string, changedFields: readonly string[]) => Promise<void>;

/**
 * Runs one write in a transaction, together with its audit event: both are stored or neither.
 * `work` runs again after a serialization failure or a deadlock, so it must have no effects outside
 * of the transaction. It does not call `recordChange` if it changes no state.
 *
 * @param operation the name of the operation in the contract, for example `Update connector`
 * @throws HttpError conflict for the unique constraints of the kind; all errors of `work`
 */
export type AuditedWrite = <T>(
  actor: Actor,
  operation: string,
  work: (manager: EntityManager, recordChange: RecordChange) => Promise<T>,
) => Promise<T>;

/** Creates the function that runs the writes of one kind of objects. */
export function createAuditedWrite(
  { dataSource, audit }: { dataSource: DataSource; audit: AuditService },
  { kind, unique = {} }: AuditedKind,
): AuditedWrite {
  return async (actor, operation, work) => {
    const run = (manager: EntityManager) =>
      work(manager, (object_id, changed_fields) =>
        audit.record(manager, actor, { operation, object_kind: kind, object_id, changed_fields }),
      );
    try {
      return await inTransaction(dataSource, run, { retries: MAX_RETRIES });
    } catch (error) {
      const violated = Object.keys(unique).find((constraint) => isUniqueViolation(error, constraint));
      if (violated === undefined) throw error;
      throw new HttpError('conflict', unique[violated] ?? violated, { cause: error });
    }
  };
}
