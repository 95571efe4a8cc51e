import * as z from 'zod/mini';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const texts = z.optional(z.nullable(z.readonly(z.array(z.string()))));
const textMap = z.optional(z.nullable(z.readonly(z.record(z.string(), z.string()))));

/**
 * The section of the credentials for a remote server, with the names of exported configurations. A
 * member besides those of a bearer token turns the sign-in on.
 */
export const RemoteAuthConfigSchema = z.looseObject({
  issuer: text,
  authorize_url: text,
  token_url: text,
  client_id: text,
  /** A reference to a secret; only in a configuration that is being imported the secret itself. */
  client_secret: text,
  client_secret_file: text,
  scopes: texts,
  scope_param_name: text,
  resource: text,
  /** The address whose metadata (RFC 9728) is read instead of that of the server. */
  resource_url: text,
  /** Further parameters of the authorization request. */
  oauth_params: textMap,
  callback_port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))),
  skip_browser: flag,
  /** Nanoseconds. */
  timeout: z.optional(z.int().check(z.minimum(0))),
  /** Other programs write it; PKCE is always used. */
  use_pkce: flag,
  /** As `client_secret`. */
  bearer_token: text,
  bearer_token_file: text,
});
export type RemoteAuthConfig = Readonly<z.output<typeof RemoteAuthConfigSchema>>;

/** The section of the headers of requests to a remote server. */
export const HeaderForwardSchema = z.looseObject({
  /** Values in clear; only in a configuration that is being imported, and on a command line. */
  add_plaintext_headers: textMap,
  /** Names of secrets by header. */
  add_headers_from_secret: textMap,
});
export type HeaderForward = Readonly<z.output<typeof HeaderForwardSchema>>;

/** The sections of a remote server of a configuration or of a command line. */
export interface RemoteSections {
  readonly remote_auth_config?: RemoteAuthConfig | null | undefined;
  readonly header_forward?: HeaderForward | null | undefined;
}
