import * as z from 'zod/mini';
import type { RemoteSections } from './remote-sections.ts';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const texts = z.optional(z.nullable(z.readonly(z.array(z.string()))));

/** The section of incoming authentication, with the names of exported configurations. */
export const OidcConfigSchema = z.looseObject({
  Issuer: text,
  Audience: text,
  JWKSURL: text,
  IntrospectionURL: text,
  ClientID: text,
  /** A reference to a secret; only in a configuration that is being imported the secret itself. */
  ClientSecret: text,
  CACertPath: text,
  AuthTokenFile: text,
  AllowPrivateIP: flag,
  InsecureAllowHTTP: flag,
  ResourceURL: text,
  Scopes: texts,
});
export type OidcConfig = Readonly<z.output<typeof OidcConfigSchema>>;

/** The section of token exchange, with the names of exported configurations. */
export const TokenExchangeConfigSchema = z.looseObject({
  token_url: text,
  client_id: text,
  /** As ClientSecret of {@link OidcConfigSchema}. */
  client_secret: text,
  audience: text,
  scopes: texts,
  subject_token_type: text,
  /** `replace` (Authorization) or `custom`. */
  header_strategy: text,
  external_token_header_name: text,
});
export type TokenExchangeConfig = Readonly<z.output<typeof TokenExchangeConfigSchema>>;

/** The sections of authentication of a configuration or of a command line. */
export interface AuthenticationSections extends RemoteSections {
  readonly oidc_config?: OidcConfig | null | undefined;
  readonly token_exchange_config?: TokenExchangeConfig | null | undefined;
  /** The absolute path of a file with a token for requests to the issuer. */
  readonly jwks_auth_token_file?: string | undefined;
}
