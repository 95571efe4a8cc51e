import type { IssuerHttpOptions } from './authentication-options.ts';

/**
 * Options of token exchange (RFC 8693): the server gets a token of its own for each caller, instead
 * of the token that the caller sent.
 */
export interface TokenExchangeOptions extends IssuerHttpOptions {
  /** The token endpoint. */
  tokenUrl: string;
  /** The client of the proxy there. Default: the request names no client. */
  clientId?: string;
  /** Default: a public client. */
  clientSecret?: string;
  /** The target audience. */
  audience?: string;
  /** The scopes to request. */
  scopes?: readonly string[];
  /** The type of the token of the caller (RFC 8693, section 3). Default `access_token`. */
  subjectTokenType?: 'access_token' | 'id_token' | 'jwt';
  /** The header that carries the new token, after `Bearer`. Default `Authorization`. */
  headerName?: string;
}
