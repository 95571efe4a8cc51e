import type { OidcConfig, Oauth2Config } from './identity-providers.dto.ts';

/**
 * What a provider speaks: OpenID Connect, found by its issuer, or OAuth 2 at endpoints that an
 * administrator names.
 */
export type ProviderType = 'oidc' | 'oauth2';

/** Where a provider was written: over the API, or in the configuration of the service. */
export type ProviderSource = 'api' | 'config';

/**
 * How a gateway becomes a client of the provider: with the client id that an administrator was
 * given, or by registering itself (RFC 7591).
 */
export type RegistrationMode = 'static' | 'dcr';

type WithoutSecrets<Config extends { dcr?: object | undefined }> = Omit<Config, 'client_secret' | 'dcr'> & {
  dcr?: Omit<NonNullable<Config['dcr']>, 'initial_access_token'> | undefined;
};

/** The configuration of a provider as it is stored: secrets stand beside it, as references. */
export type HeldProviderConfig =
  | { oidc_config: WithoutSecrets<OidcConfig>; oauth2_config?: undefined }
  | { oauth2_config: WithoutSecrets<Oauth2Config>; oidc_config?: undefined };

/** Places of secrets in a provider. */
export type ProviderSecretField = `${'oidc_config' | 'oauth2_config'}.${'client_secret' | 'dcr.initial_access_token'}`;

/** How a gateway becomes a client of this provider. */
export const registrationModeOf = (config: HeldProviderConfig): RegistrationMode =>
  (config.oidc_config ?? config.oauth2_config).dcr === undefined ? 'static' : 'dcr';
