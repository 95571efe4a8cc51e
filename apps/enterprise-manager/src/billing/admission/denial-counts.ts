import { createHash } from 'node:crypto';
import type { DenialReason } from './admission.dto.ts';

/** A denied request or lease. */
export interface DeniedAdmission {
  kind: 'request' | 'lease';
  reason: DenialReason;
  gateway_id: string;
  /** The user as budgets name it; undefined for a key that does not exist. */
  auth_subject: string | undefined;
  virtual_key_id: string | undefined;
  /** Undefined for leases. */
  provider: string | undefined;
  model: string | undefined;
}

/** The number of equal denials in one minute. An empty text stands for a missing value. */
export interface DenialCount {
  /** Derived from the minute and the other columns, so that all replicas count in the same row. */
  id: string;
  /** The start of the minute, RFC 3339. */
  event_time: string;
  last_denied_at: string;
  kind: 'request' | 'lease';
  reason: DenialReason;
  gateway_id: string;
  auth_subject: string;
  virtual_key_id: string;
  provider: string;
  model: string;
  denial_count: number;
}

const MINUTE_MS = 60_000;
const MAX_TEXT_LENGTH = 512;
/** Replaces the user and model of denials beyond the limit of combinations. */
const OTHERS = '(others)';

/**
 * Counts denials by minute, user, reason and model. Callers choose the names of models, so the
 * number of combinations in a minute is limited; further denials are counted together for each
 * gateway and reason. This bounds both the memory and the table.
 */
export class DenialCounts {
  private readonly counts = new Map<string, DenialCount>();
  private minute = 0;
  private combinations = new Set<string>();

  /** @param maxCombinations combinations that are counted separately in a minute */
  constructor(private readonly maxCombinations: number) {}

  /** Counts a denial. */
  add(denied: DeniedAdmission, at: Date): void {
    const minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.minute) {
      this.minute = minute;
      this.combinations = new Set();
    }
    const own = toCount(denied, minute, at);
    const isSeparate = this.combinations.has(own.id) || this.combinations.size < this.maxCombinations;
    if (isSeparate) this.combinations.add(own.id);
    this.merge(isSeparate ? own : toOthers(own));
  }

  /** Returns the counts since the last call and removes them. */
  drain(): DenialCount[] {
    const drained = [...this.counts.values()];
    this.counts.clear();
    return drained;
  }

  /** Adds counts that could not be stored again, up to a maximum number of rows. */
  restore(rows: readonly DenialCount[]): void {
    for (const row of rows)
      if (this.counts.has(row.id) || this.counts.size < 10 * this.maxCombinations) this.merge(row);
  }

  private merge(row: DenialCount): void {
    const known = this.counts.get(row.id);
    if (known === undefined) {
      this.counts.set(row.id, { ...row });
      return;
    }
    known.denial_count += row.denial_count;
    if (row.last_denied_at > known.last_denied_at) known.last_denied_at = row.last_denied_at;
  }
}

function toCount(denied: DeniedAdmission, minute: number, at: Date): DenialCount {
  const toText = (value: string | undefined) => (value ?? '').slice(0, MAX_TEXT_LENGTH);
  return addId({
    event_time: new Date(minute).toISOString(),
    last_denied_at: at.toISOString(),
    kind: denied.kind,
    reason: denied.reason,
    gateway_id: toText(denied.gateway_id),
    auth_subject: toText(denied.auth_subject),
    virtual_key_id: toText(denied.virtual_key_id),
    provider: toText(denied.provider),
    model: toText(denied.model),
    denial_count: 1,
  });
}

const toOthers = ({ id: _, ...row }: DenialCount): DenialCount =>
  addId({ ...row, auth_subject: OTHERS, virtual_key_id: '', provider: '', model: OTHERS });

/** Derives the id, a UUID of version 8 (RFC 9562 §5.8). */
function addId(row: Omit<DenialCount, 'id'>): DenialCount {
  const { event_time, kind, reason, gateway_id, auth_subject, virtual_key_id, provider, model } = row;
  const key = JSON.stringify([event_time, kind, reason, gateway_id, auth_subject, virtual_key_id, provider, model]);
  const hex = createHash('sha256').update(key).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, ...row };
}
