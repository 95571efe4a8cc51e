/**
 * The outcomes of a check of the metadata documents of a provider: `ok`, they agree with the
 * provider; `none`, the provider has no document; `unreachable`, a host did not answer;
 * `contradicts`, the document of a host that was unreachable disagrees with the provider.
 */
export const PROVIDER_CHECK_STATUSES = ['ok', 'none', 'unreachable', 'contradicts'] as const;
export type ProviderCheckStatus = (typeof PROVIDER_CHECK_STATUSES)[number];

/** The outcome of one check of a provider. */
export interface ProviderCheckOutcome {
  status: ProviderCheckStatus;
  /** The field and the problem; absent for `ok` and `none`. */
  error?: string;
}

/** An outcome with its time. */
export interface ProviderCheck extends ProviderCheckOutcome {
  /** RFC 3339 in UTC. */
  checked_at: string;
}
