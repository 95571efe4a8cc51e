import type { Connector } from '../mcp/ports/snapshot.ts';

/** Whether a user has what a connector needs: see `connection_status` of the contract. */
export type ConnectionStatus = 'ready' | 'needs_auth' | 'connected';

/** Auth types with the connector's own credential. */
const SHARED_CREDENTIAL = new Set(['none', 'bearerToken', 'headerInjection']);

/** Auth types whose credential is issued for the token of the caller. */
const EXCHANGES = new Set(['tokenExchange', 'obo', 'xaa', 'awsSts']);

/** Whether users sign in at the provider of a connector, and the gateway keeps their tokens. */
export const isSignInConnector = ({ auth }: Pick<Connector, 'auth'>): boolean => auth.type === 'upstreamInject';

/** Whether a provider issues the credential of a user, which it can refuse. */
export const isExchangeConnector = ({ auth }: Pick<Connector, 'auth'>): boolean => EXCHANGES.has(auth.type);

/** The status of a user without tokens and without a refused exchange. */
export function getConnectionStatus({ auth }: Pick<Connector, 'auth'>): 'ready' | 'needs_auth' {
  return SHARED_CREDENTIAL.has(auth.type) || EXCHANGES.has(auth.type) ? 'ready' : 'needs_auth';
}
