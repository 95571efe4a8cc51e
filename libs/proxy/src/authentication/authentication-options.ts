/** The options of authentication: which access tokens of which issuer are accepted. */

/** How requests to an issuer are sent. */
export interface IssuerHttpOptions {
  /** Whether its addresses may be private, and this machine itself. Default false. */
  allowPrivateAddresses?: boolean;
  /** Whether plain http is permitted for other hosts than this machine. Default false. */
  allowHttp?: boolean;
  /** Certificates of authorities (PEM) that are trusted beside those of the system. */
  certificates?: string;
  /**
   * A file with a bearer token for requests to the issuer. It is read for each request, so that
   * another program can replace the token.
   */
  tokenFile?: string;
}

/** Options of authentication. At least one of `issuer` and `jwksUrl` is needed. */
export interface AuthenticationOptions extends IssuerHttpOptions {
  /** Exact `iss` of tokens. Default: any issuer whose tokens the keys of `jwksUrl` verify. */
  issuer?: string;
  /** A required `aud` of tokens. Default: `aud` is not compared. */
  audience?: string;
  /** The address of the keys. Default: found by OpenID Connect Discovery below `issuer`. */
  jwksUrl?: string;
  /** The introspection endpoint (RFC 7662) for opaque tokens. Default: they are refused. */
  introspectionUrl?: string;
  /** The client of the proxy at the introspection endpoint, with a secret only. */
  clientId?: string;
  clientSecret?: string;
  /** Whether ID tokens are accepted as access tokens. Default false. */
  acceptsIdTokens?: boolean;
  /**
   * The address of the server for clients, as metadata and challenges name it (RFC 9728). Default:
   * the address to which the request was sent.
   */
  resourceUrl?: string;
  /** The scopes that clients are told to ask for. Default `openid`. */
  scopes?: readonly string[];
}

/** The scopes of metadata and challenges. */
export const listScopes = ({ scopes }: AuthenticationOptions): readonly string[] =>
  scopes === undefined || scopes.length === 0 ? ['openid'] : scopes;
