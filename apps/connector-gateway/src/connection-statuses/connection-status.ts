import type { Connector } from '../mcp/ports/snapshot.ts';

/** Auth types whose credential belongs to the connector, not to a person. */
const SHARED_CREDENTIAL = new Set(['none', 'bearerToken', 'headerInjection', 'awsSts']);

/**
 * Whether a person has what the connector needs. `connected` comes with credentials of people,
 * which this gateway does not hold.
 */
export function statusOf({ auth }: Connector): 'ready' | 'needs_auth' {
  return SHARED_CREDENTIAL.has(auth?.type ?? 'none') ? 'ready' : 'needs_auth';
}
