import type { OidcConfig, Oauth2Config } from './identity-providers.dto.ts';

/** The protocol: OpenID Connect with an issuer, or OAuth 2 with configured endpoints. */
export type ProviderType = 'oidc' | 'oauth2';

/** The origin of a provider: the API, or the configuration of the service. */
export type ProviderSource = 'api' | 'config';

/** The source of the client id of a gateway: the configuration, or registration (RFC 7591). */
export type RegistrationMode = 'static' | 'dcr';

type WithoutSecrets<Config extends { dcr?: object | undefined }> = Omit<Config, 'client_secret' | 'dcr'> & {
  dcr?: Omit<NonNullable<Config['dcr']>, 'initial_access_token'> | undefined;
};

/** The stored configuration of a provider. References to secrets are stored separately. */
export type StoredProviderConfig =
  | { oidc_config: WithoutSecrets<OidcConfig>; oauth2_config?: undefined }
  | { oauth2_config: WithoutSecrets<Oauth2Config>; oidc_config?: undefined };

/** The fields of a provider that refer to secrets. */
export type ProviderSecretField = `${'oidc_config' | 'oauth2_config'}.${'client_secret' | 'dcr.initial_access_token'}`;

/** Returns how a gateway becomes a client of this provider. */
export const getRegistrationMode = (config: StoredProviderConfig): RegistrationMode =>
  (config.oidc_config ?? config.oauth2_config).dcr === undefined ? 'static' : 'dcr';
