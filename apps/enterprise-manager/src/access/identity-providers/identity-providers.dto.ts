import { pageParameters } from '@gatehouse/service-kit/paging';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { connectorName } from '../../validation/connector-text.ts';
import { line } from '@gatehouse/service-kit/text';
import { PROVIDER_CHECK_STATUSES } from './provider-check-outcome.ts';
import { SecretRef } from '../../secrets/references/secret-ref.dto.ts';

const address = () => line(2_048);
const type = () => z.enum(['oidc', 'oauth2']);

/** OAuth scopes (RFC 6749 section 3.3). */
const scopes = () =>
  z
    .array(
      z
        .string()
        .max(256)
        .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'must be a scope (RFC 6749): no blanks, quotes or backslashes'),
    )
    .max(100)
    .refine((all) => new Set(all).size === all.length, 'names a scope twice');

/** The dynamic registration of a gateway as a client. */
const DynamicRegistrationConfig = z
  .strictObject({
    discovery_url: address()
      .optional()
      .describe(
        'Metadata document (RFC 8414) with the registration endpoint; the default for `oidc` is the document of the issuer',
      ),
    registration_endpoint: address().optional().describe('Registration endpoint, instead of `discovery_url`'),
    initial_access_token: SecretRef.optional().describe('Sent with the registration request (RFC 7591 section 3)'),
    software_id: line(256).optional(),
    software_statement: line(16_384).optional(),
  })
  .meta({ id: 'DynamicRegistrationConfig', description: 'Registration of a client (RFC 7591)' });

const client = {
  client_id: line(512).optional().describe('Exactly one of `client_id` and `dcr`'),
  client_secret: SecretRef.optional().describe('Without it the client is public and uses PKCE only'),
  scopes: scopes().optional(),
  redirect_uri: address().optional().describe('Default is `<issuer of the connector gateway>/oauth/callback`'),
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  dcr: DynamicRegistrationConfig.optional(),
  send_resource: z
    .boolean()
    .optional()
    .describe(
      'Default true; whether requests for tokens name the upstream as the `resource` (RFC 8707), which some providers refuse',
    ),
};

const allowPrivateIps = (covered: string) =>
  z
    .boolean()
    .optional()
    .describe(
      `Default false; allows private addresses and plain http for ${covered}, but not for endpoints in its documents`,
    );

/** An OpenID provider. */
export const OidcConfig = z
  .strictObject({
    issuer_url: address().describe('The exact issuer; its discovery document is read when the provider is saved'),
    ...client,
    subject_claim: line(256).optional().describe('Claim with the subject of the user; default `sub`'),
    additional_authorization_params: z
      .record(line(128), line(2_048))
      .check(atMostEntries(32))
      .optional()
      .describe('Additional parameters of the authorization request; parameters of the protocol are refused'),
    allow_private_ips: allowPrivateIps('the issuer'),
  })
  .meta({ id: 'OidcConfig', description: 'OpenID Connect' });
export type OidcConfig = z.infer<typeof OidcConfig>;

/** An OAuth 2 authorization server. */
export const Oauth2Config = z
  .strictObject({
    authorization_endpoint: address(),
    token_endpoint: address(),
    ...client,
    allow_private_ips: allowPrivateIps('the configured endpoints'),
  })
  .meta({ id: 'Oauth2Config', description: 'OAuth 2 with configured endpoints' });
export type Oauth2Config = z.infer<typeof Oauth2Config>;

/** The outcome of the last check of a provider. */
const ProviderDiscovery = z
  .object({
    status: z
      .enum(PROVIDER_CHECK_STATUSES)
      .describe(
        '`ok`: the metadata documents agree with the provider; `none`: the provider has no document; `unreachable`: a host cannot be resolved or does not answer; `contradicts`: the document of a host that was unreachable disagrees with the provider',
      ),
    checked_at: z.iso.datetime().describe('Time of the check; a failed check is repeated every minute'),
    error: z.string().optional().describe('The field and the problem; only for `unreachable` and `contradicts`'),
  })
  .meta({ id: 'ProviderDiscovery', description: 'The outcome of the last check of an identity provider' });

/** An identity provider with references to secrets, without their values. */
export const ConnectorIdentityProvider = z
  .object({
    id: z.guid(),
    name: z.string().describe('Unique; case and Unicode form do not count'),
    provider_type: type(),
    registration_mode: z.enum(['static', 'dcr']),
    source: z.enum(['api', 'config']),
    oidc_config: OidcConfig.optional(),
    oauth2_config: Oauth2Config.optional(),
    discovery: ProviderDiscovery,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ConnectorIdentityProvider', description: 'An identity provider at which users sign in for connectors' });
export type ConnectorIdentityProvider = z.infer<typeof ConnectorIdentityProvider>;

/** A page of identity providers. */
export const ConnectorIdentityProviderPage = z
  .object({
    items: z.array(ConnectorIdentityProvider),
    next_cursor: z.string().optional(),
    prev_cursor: z.string().optional(),
  })
  .meta({
    id: 'ConnectorIdentityProviderPage',
    description: 'Identity providers in the order of their creation',
  });
export type ConnectorIdentityProviderPage = z.infer<typeof ConnectorIdentityProviderPage>;

/** The complete state of an identity provider. */
export const ConnectorIdentityProviderWrite = z
  .strictObject({
    name: connectorName(),
    provider_type: type(),
    oidc_config: OidcConfig.optional().describe('Required for the type `oidc`; refused for other types'),
    oauth2_config: Oauth2Config.optional().describe('Required for the type `oauth2`; refused for other types'),
  })
  .meta({
    id: 'ConnectorIdentityProviderWrite',
    description: 'The complete state of a new or existing identity provider',
    examples: [
      {
        name: 'Corporate sign-in',
        provider_type: 'oidc',
        oidc_config: {
          issuer_url: 'https://login.example.com',
          client_id: 'gatehouse',
          client_secret: { managed_secret_name: 'corporate sign-in' },
          scopes: ['openid', 'offline_access'],
        },
      },
    ],
  });
export type ConnectorIdentityProviderWrite = z.infer<typeof ConnectorIdentityProviderWrite>;

/** The query of the list of identity providers. */
export const ConnectorIdentityProviderQuery = z.strictObject({
  name: line(256).optional().describe('Exact name; case does not matter'),
  ...pageParameters(),
});
export type ConnectorIdentityProviderQuery = z.infer<typeof ConnectorIdentityProviderQuery>;
