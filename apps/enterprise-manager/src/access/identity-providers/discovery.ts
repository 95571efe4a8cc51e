/**
 * What the metadata documents of a provider said when they were read last: `ok`, they agree with
 * the provider; `none`, there is no document to read; `unreachable`, a host did not answer;
 * `contradicts`, a host that did not answer at first turned out to say something else.
 */
export const DISCOVERY_STATUSES = ['ok', 'none', 'unreachable', 'contradicts'] as const;
export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];

/** The outcome of one check of a provider. */
export interface DiscoveryOutcome {
  status: DiscoveryStatus;
  /** Names the field and says what happened; not for `ok` and `none`. */
  error?: string;
}

/** An outcome and when it was found. */
export interface Discovery extends DiscoveryOutcome {
  /** RFC 3339 in UTC. */
  checked_at: string;
}
