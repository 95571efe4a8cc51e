import { pageParameters } from '@gatehouse/service-kit/paging';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { connectorName } from '../../validation/connector-text.ts';
import { line } from '../../validation/text.ts';
import { DISCOVERY_STATUSES } from './discovery.ts';
import { SecretRef } from '../../secrets/references/secret-ref.dto.ts';

const address = () => line(2_048);
const type = () => z.enum(['oidc', 'oauth2']);

/** RFC 6749 section 3.3: what one scope may be. */
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

/** How a gateway registers itself as a client. */
const DynamicRegistrationConfig = z
  .strictObject({
    discovery_url: address()
      .optional()
      .describe('Metadata document (RFC 8414) that names the registration endpoint; default for oidc is the issuer’s'),
    registration_endpoint: address().optional().describe('Instead of a document'),
    initial_access_token: SecretRef.optional().describe('Presented at registration (RFC 7591 section 3)'),
    software_id: line(256).optional(),
    software_statement: line(16_384).optional(),
  })
  .meta({ id: 'DynamicRegistrationConfig', description: 'Registration of a client (RFC 7591)' });

const client = {
  client_id: line(512).optional().describe('Exactly one of `client_id` and `dcr`'),
  client_secret: SecretRef.optional().describe('Without one the client is public (PKCE alone)'),
  scopes: scopes().optional(),
  redirect_uri: address().optional().describe('Default is `<issuer of the connector gateway>/oauth/callback`'),
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  dcr: DynamicRegistrationConfig.optional(),
};

const allowPrivateIps = (covered: string) =>
  z
    .boolean()
    .optional()
    .describe(
      `Default false; lets ${covered} have private addresses and plain http, and nothing that is learned there`,
    );

/** An OpenID provider. */
export const OidcConfig = z
  .strictObject({
    issuer_url: address().describe('The issuer, to the letter; its discovery document is read when this is saved'),
    ...client,
    subject_claim: line(256).optional().describe('Claim that names the person; default `sub`'),
    additional_authorization_params: z
      .record(line(128), line(2_048))
      .check(atMostEntries(32))
      .optional()
      .describe('Sent along with the authorization request; never one that the protocol sets itself'),
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
    allow_private_ips: allowPrivateIps('the addresses that are typed here'),
  })
  .meta({ id: 'Oauth2Config', description: 'OAuth 2 without discovery of the endpoints' });
export type Oauth2Config = z.infer<typeof Oauth2Config>;

/** What the last check of a provider found. */
const ProviderDiscovery = z
  .object({
    status: z
      .enum(DISCOVERY_STATUSES)
      .describe(
        '`ok`: the metadata documents agree with the provider; `none`: it has none; `unreachable`: a host cannot be found or does not answer; `contradicts`: a host that was unreachable says something else now',
      ),
    checked_at: z.iso.datetime().describe('A check that failed is repeated every minute'),
    error: z.string().optional().describe('The field and what happened; only for `unreachable` and `contradicts`'),
  })
  .meta({ id: 'ProviderDiscovery', description: 'What the last check of an identity provider found' });

/** An identity provider as administrators see it: references to secrets, never their values. */
export const ConnectorIdentityProvider = z
  .object({
    id: z.guid(),
    name: z.string().describe('Unique, whatever its case or Unicode form'),
    provider_type: type(),
    registration_mode: z.enum(['static', 'dcr']),
    source: z.enum(['api', 'config']),
    oidc_config: OidcConfig.optional(),
    oauth2_config: Oauth2Config.optional(),
    discovery: ProviderDiscovery,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ConnectorIdentityProvider', description: 'Where connectors get the credentials of people' });
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
    description: 'Identity providers in the order in which they were made',
  });
export type ConnectorIdentityProviderPage = z.infer<typeof ConnectorIdentityProviderPage>;

/** The whole state of an identity provider as an administrator writes it. */
export const ConnectorIdentityProviderWrite = z
  .strictObject({
    name: connectorName(),
    provider_type: type(),
    oidc_config: OidcConfig.optional().describe('Required for `oidc`, and for nothing else'),
    oauth2_config: Oauth2Config.optional().describe('Required for `oauth2`, and for nothing else'),
  })
  .meta({
    id: 'ConnectorIdentityProviderWrite',
    description: 'An identity provider to be created, or its new state',
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

/** What the list takes. */
export const ConnectorIdentityProviderQuery = z.strictObject({
  name: line(256).optional().describe('Exact name; case does not matter'),
  ...pageParameters(),
});
export type ConnectorIdentityProviderQuery = z.infer<typeof ConnectorIdentityProviderQuery>;
