import type { Connector } from '../mcp/ports/snapshot.ts';

/** Whether a user has what a connector needs: see `connection_status` of the contract. */
export type ConnectionStatus = 'ready' | 'needs_auth' | 'connected';

/** Auth types with a credential of the connector, not of a user. */
const SHARED_CREDENTIAL = new Set(['none', 'bearerToken', 'headerInjection', 'awsSts']);

/** Whether users sign in at the provider of a connector, and the gateway keeps their tokens. */
export const isSignInConnector = ({ auth }: Pick<Connector, 'auth'>): boolean => auth.type === 'upstreamInject';

/** The status of a user without tokens for the connector. */
export function getConnectionStatus({ auth }: Pick<Connector, 'auth'>): 'ready' | 'needs_auth' {
  return SHARED_CREDENTIAL.has(auth.type) ? 'ready' : 'needs_auth';
}
