import type { Connector } from '../mcp/ports/snapshot.ts';

/** Auth types with a credential of the connector, not of a user. */
const SHARED_CREDENTIAL = new Set(['none', 'bearerToken', 'headerInjection', 'awsSts']);

/**
 * Whether a user has what the connector needs. `connected` needs credentials of users, which this
 * gateway does not hold.
 */
export function getConnectionStatus({ auth }: Connector): 'ready' | 'needs_auth' {
  return SHARED_CREDENTIAL.has(auth.type) ? 'ready' : 'needs_auth';
}
