import * as oidc from 'openid-client';

/** An authorization server, together with the identity of the caller there. */
export interface Provider {
  readonly metadata: ProviderMetadata;
  readonly client: ProviderClient;
  readonly http: ProviderHttp;
  /** The same for the OAuth library. */
  readonly configuration: oidc.Configuration;
}

/** The metadata of an authorization server (RFC 8414; OpenID Connect Discovery 1.0). */
export type ProviderMetadata = oidc.ServerMetadata;

/** How requests are sent to authorization servers. */
export interface ProviderHttp {
  /** Sends one request, without redirects. An error of Gatehouse reaches the caller unchanged. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Time limit of one request, in seconds. */
  readonly timeoutS: number;
  /** Whether http is permitted; only for servers on this machine or in a private network. */
  readonly allowsHttp: boolean;
}

/** The identity of the caller at an authorization server. */
export interface ProviderClient {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  /**
   * How the secret is sent (RFC 7591, section 2); default `client_secret_basic`. With `omitted` no
   * request names the client, as token exchange allows (RFC 8693, section 2.1).
   */
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post' | 'omitted' | undefined;
}

/** Binds a client to the metadata of its authorization server. */
export function createProvider(metadata: ProviderMetadata, client: ProviderClient, http: ProviderHttp): Provider {
  const configuration = new oidc.Configuration(metadata, client.clientId, undefined, selectAuthentication(client));
  configuration.timeout = http.timeoutS;
  configuration[oidc.customFetch] = (url, options) => http.fetch(url, options as RequestInit);
  if (http.allowsHttp) oidc.allowInsecureRequests(configuration);
  return { metadata, client, http, configuration };
}

function selectAuthentication({ clientSecret, authMethod }: ProviderClient): oidc.ClientAuth {
  if (authMethod === 'omitted') return () => undefined;
  if (clientSecret === undefined) return oidc.None();
  return authMethod === 'client_secret_post'
    ? oidc.ClientSecretPost(clientSecret)
    : createBasicAuthentication(clientSecret);
}

/**
 * Sends the secret by HTTP Basic (RFC 6749, section 2.3.1). The library also escapes characters
 * that need it not, such as `-`, and servers that do not unescape them refuse the client.
 */
const createBasicAuthentication =
  (clientSecret: string): oidc.ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const credentials = [clientId, clientSecret].map(encodeFormText).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

/** Encodes a text as application/x-www-form-urlencoded. */
const encodeFormText = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
