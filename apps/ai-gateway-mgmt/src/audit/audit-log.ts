import type { RefusedEvent } from '@gatehouse/service-kit/start';
import type { Caller } from '@gatehouse/service-kit/access';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';

/** The operations of callers on policies, as Kubernetes names them. */
export type Verb = 'create' | 'delete' | 'get' | 'list' | 'patch';

/** A write that succeeded. */
export interface WriteRecord {
  readonly verb: Verb;
  /** Name of the policy. */
  readonly name: string;
  /** JSON pointers of the changed fields, without their values. */
  readonly changed: readonly string[];
  /** HTTP status of the answer. */
  readonly status: number;
}

const VERBS: Readonly<Record<string, Verb>> = { POST: 'create', PATCH: 'patch', DELETE: 'delete' };
const LONGEST_FIELD = 256;

/**
 * Writes one line for each write, and for each refusal of a caller with a verified token: every
 * 403, and every refused write. A line contains names of fields, never their values.
 */
@Injectable()
export class AuditLog {
  constructor(private readonly log: Log) {}

  /** Records a write that succeeded. */
  recordWrite({ issuer, subject, requestId }: Caller, record: WriteRecord): void {
    this.log.info({ audit: { outcome: 'allowed', issuer, subject, requestId, ...record } }, 'audit');
  }

  /** Records a refusal. A refused read is recorded only if the caller lacks a role. */
  recordRefusal({ caller, method, params, operation, status, code, violations }: RefusedEvent): void {
    const verb = VERBS[method] ?? (params['name'] === undefined ? 'list' : 'get');
    if (status !== 403 && VERBS[method] === undefined) return;
    const { issuer, subject, requestId } = caller;
    const fields = violations.map(({ field }) => field.slice(0, LONGEST_FIELD));
    const name = params['name'];
    const audit = { outcome: 'refused', issuer, subject, requestId, verb, operation, name, fields, status, code };
    this.log.info({ audit }, 'audit');
  }
}
