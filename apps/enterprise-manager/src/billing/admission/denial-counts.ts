import { createHash } from 'node:crypto';
import type { Denial } from './admission.dto.ts';

/** A request or lease that was refused. */
export interface RefusedAdmission {
  kind: 'request' | 'lease';
  reason: Denial;
  gateway_id: string;
  /** How budgets name the user; undefined where the key does not exist. */
  auth_subject: string | undefined;
  virtual_key_id: string | undefined;
  /** Of requests only. */
  provider: string | undefined;
  model: string | undefined;
}

/**
 * Refusals of one minute that differ in nothing but their time. Texts are empty where there is
 * none.
 */
export interface CountedDenials {
  /**
   * Made of the minute and what the refusals have in common, so that replicas count into one row.
   */
  id: string;
  /** The minute, RFC 3339. */
  event_time: string;
  last_denied_at: string;
  kind: 'request' | 'lease';
  reason: Denial;
  gateway_id: string;
  auth_subject: string;
  virtual_key_id: string;
  provider: string;
  model: string;
  denial_count: number;
}

const MINUTE_MS = 60_000;
const LONGEST_TEXT = 512;
/** Stands for users, keys and models beyond those that are told apart in a minute. */
const OTHERS = '(others)';

/**
 * Counts refusals by minute, user, reason and model. A caller chooses the names of models, so a
 * minute tells `most` combinations apart; the rest is counted together for each gateway and reason.
 * Neither memory nor the table grows with the number of refusals.
 */
export class DenialCounts {
  private readonly counts = new Map<string, CountedDenials>();
  private minute = 0;
  private told = new Set<string>();

  constructor(private readonly most: number) {}

  /** Counts a refusal. */
  note(refused: RefusedAdmission, at: Date): void {
    const minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.minute) {
      this.minute = minute;
      this.told = new Set();
    }
    const own = rowOf(refused, minute, at);
    const row = this.told.has(own.id) || this.told.size < this.most ? own : othersOf(own);
    if (row === own) this.told.add(own.id);
    this.add(row);
  }

  /** Hands over what was counted since the last time. */
  take(): CountedDenials[] {
    const taken = [...this.counts.values()];
    this.counts.clear();
    return taken;
  }

  /** Takes back what could not be stored, as far as there is room. */
  giveBack(rows: readonly CountedDenials[]): void {
    for (const row of rows) if (this.counts.has(row.id) || this.counts.size < 10 * this.most) this.add(row);
  }

  private add(row: CountedDenials): void {
    const known = this.counts.get(row.id);
    if (known === undefined) {
      this.counts.set(row.id, { ...row });
      return;
    }
    known.denial_count += row.denial_count;
    if (row.last_denied_at > known.last_denied_at) known.last_denied_at = row.last_denied_at;
  }
}

function rowOf(refused: RefusedAdmission, minute: number, at: Date): CountedDenials {
  const text = (value: string | undefined) => (value ?? '').slice(0, LONGEST_TEXT);
  return identified({
    event_time: new Date(minute).toISOString(),
    last_denied_at: at.toISOString(),
    kind: refused.kind,
    reason: refused.reason,
    gateway_id: text(refused.gateway_id),
    auth_subject: text(refused.auth_subject),
    virtual_key_id: text(refused.virtual_key_id),
    provider: text(refused.provider),
    model: text(refused.model),
    denial_count: 1,
  });
}

const othersOf = ({ id: _, ...row }: CountedDenials): CountedDenials =>
  identified({ ...row, auth_subject: OTHERS, virtual_key_id: '', provider: '', model: OTHERS });

/** The id is a UUID of version 8 (RFC 9562 §5.8). */
function identified(row: Omit<CountedDenials, 'id'>): CountedDenials {
  const { event_time, kind, reason, gateway_id, auth_subject, virtual_key_id, provider, model } = row;
  const key = JSON.stringify([event_time, kind, reason, gateway_id, auth_subject, virtual_key_id, provider, model]);
  const hex = createHash('sha256').update(key).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, ...row };
}
