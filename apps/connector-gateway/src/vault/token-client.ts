import type { Provider } from '@gatehouse/oauth-client/provider';

/** The gateway as a client of the authorization server of a connector. */
export interface TokenClient {
  readonly provider: Provider;
  /** The parameter `resource` of token requests (RFC 8707), if the server takes it. */
  readonly resource: string | undefined;
}
