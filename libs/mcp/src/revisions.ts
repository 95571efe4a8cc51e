/**
 * The published revisions of the protocol. Two eras: the legacy ones open a session with
 * `initialize`; the modern one carries version and capabilities in the `_meta` of every request and
 * knows no sessions.
 */

/** Revisions that open with `initialize`, oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Revisions that carry their metadata in every request, oldest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

/** The newest revision of each era: what Gatehouse itself speaks to a server. */
export const LATEST_LEGACY_REVISION = '2025-11-25';
export const LATEST_MODERN_REVISION = '2026-07-28';

const legacy: ReadonlySet<string> = new Set(LEGACY_REVISIONS);
const modern: ReadonlySet<string> = new Set(MODERN_REVISIONS);

/** True for every published revision. */
export function isKnownRevision(revision: string): boolean {
  return legacy.has(revision) || modern.has(revision);
}

/** True for revisions that open with `initialize`. */
export function isLegacyRevision(revision: string): boolean {
  return legacy.has(revision);
}

/** True for revisions that carry their metadata in every request. */
export function isModernRevision(revision: string): boolean {
  return modern.has(revision);
}
