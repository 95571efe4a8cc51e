/**
 * The published revisions of the protocol. Legacy revisions open a session with `initialize`.
 * Modern revisions send version and capabilities in the `_meta` of every request and have no
 * sessions.
 */

/** Legacy revisions, oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Modern revisions, oldest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

/** The newest revision of each era, which Gatehouse uses as a client. */
export const LATEST_LEGACY_REVISION = '2025-11-25';
export const LATEST_MODERN_REVISION = '2026-07-28';

const legacy: ReadonlySet<string> = new Set(LEGACY_REVISIONS);
const modern: ReadonlySet<string> = new Set(MODERN_REVISIONS);

/** The first revision whose streams begin with an event that has an id and no data (SEP-1699). */
const FIRST_WITH_PRIMING_EVENTS = '2025-11-25';

/** Whether the streams of this legacy revision begin with an event that has an id and no data. */
export function hasPrimingEvents(revision: string): boolean {
  return legacy.has(revision) && revision >= FIRST_WITH_PRIMING_EVENTS;
}

/** The only revision with tasks in its core; later ones have an extension. */
const WITH_TASKS = '2025-11-25';

/** Whether the revision has tasks in its core. */
export function hasTasks(revision: string): boolean {
  return revision === WITH_TASKS;
}

/** Whether the revision is published. */
export function isKnownRevision(revision: string): boolean {
  return legacy.has(revision) || modern.has(revision);
}

/** Whether the revision is a legacy one. */
export function isLegacyRevision(revision: string): boolean {
  return legacy.has(revision);
}

/** Whether the revision is a modern one. */
export function isModernRevision(revision: string): boolean {
  return modern.has(revision);
}
