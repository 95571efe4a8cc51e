import { parseGoDuration } from '@gatehouse/workloads/flags/go-duration';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findUser } from './users.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { UsageError } from '../../errors/cli-error.ts';

/** Filters of the audit trail. */
export interface AuditFilter {
  readonly operation?: string;
  readonly issuer?: string;
  readonly subject?: string;
  /** The caller, by `subject_id` as in budgets and charges. */
  readonly subject_id?: string;
  readonly object_kind?: string;
  readonly object_id?: string;
  readonly outcome?: 'succeeded' | 'forbidden';
  readonly request_id?: string;
  /** RFC 3339. */
  readonly from?: string;
  readonly to?: string;
}

/**
 * The events that a user caused, and those about the user's directory entry, newest first.
 * @param text id, user name or e-mail
 */
export async function listAuditEventsOfUser(
  manager: Manager,
  text: string,
  filter: AuditFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['AuditEvent']>> {
  const { id, subject_id } = await findUser(manager, text);
  const none = { items: [], more: false };
  const lists: Collected<Schemas['AuditEvent']>[] = await Promise.all([
    subject_id === undefined ? none : listAuditEvents(manager, { ...filter, subject_id }, wanted),
    listAuditEvents(manager, { ...filter, object_kind: 'user', object_id: id }, wanted),
  ]);
  const all = [...new Map(lists.flatMap(({ items }) => items).map((event) => [event.id, event])).values()];
  const items = all
    .sort((a, b) => (a.occurred_at + a.id < b.occurred_at + b.id ? 1 : -1))
    .slice(0, wanted.all ? undefined : wanted.limit);
  return { items, more: items.length < all.length || lists.some(({ more }) => more) };
}

/** Lists the audit trail, newest first. */
export const listAuditEvents = (
  manager: Manager,
  filter: AuditFilter,
  wanted: ListOptions,
): Promise<Collected<Schemas['AuditEvent']>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/audit-events', { params: { query: { ...filter, ...page } } }), {
      fields: { items: 'list' },
    }),
  );

/**
 * The instant that a flag names: an RFC 3339 time, or a duration before now.
 * @param flag the flag's name, for the error message
 * @throws UsageError
 */
export function parseInstant(flag: string, text: string, now: Date): string {
  const ago = parseGoDuration(text);
  const time = ago === undefined ? Date.parse(text) : now.getTime() - ago;
  const valid = ago !== undefined || /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (valid && !Number.isNaN(time) && Math.abs(time) < 8.64e15) return new Date(time).toISOString();
  throw new UsageError(`${flag} must be a time or how long ago it was, not ${JSON.stringify(text)}`, [
    `${flag} 2026-11-20T08:00:00Z`,
    `${flag} 24h`,
  ]);
}
