import { createProvider, type Provider } from '@gatehouse/oauth-client/provider';
import type { RemoteSession } from './remote-session.ts';
import { createSignInHttp } from './sign-in-http.ts';

/** The parts of a sign-in that a session does not have itself. */
export interface SessionSecrets {
  /** The secret of a client that was registered by hand. */
  readonly clientSecret: string | undefined;
  /** Certificates of authorities besides those of the system. */
  readonly certificates: string | undefined;
}

/** The authorization server of a session, as the sign-in has found it. */
export function createSessionProvider(session: RemoteSession, secrets: SessionSecrets, timeoutS?: number): Provider {
  const { issuer, token_endpoint, revocation_endpoint } = session;
  const metadata = { issuer, token_endpoint, ...(revocation_endpoint !== undefined && { revocation_endpoint }) };
  const client = {
    clientId: session.client_id,
    clientSecret: session.client_secret ?? secrets.clientSecret,
    authMethod: session.client_auth_method,
  };
  const http = createSignInHttp({ allowsPrivate: session.allows_private, certificates: secrets.certificates });
  return createProvider(metadata, client, { ...http, ...(timeoutS !== undefined && { timeoutS }) });
}
