import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import { SecretRef } from '../../secrets/references/secret-ref.dto.ts';

/** The types of authentication of a gateway to an upstream. */
export const AUTH_TYPES = [
  'none',
  'bearerToken',
  'headerInjection',
  'upstreamInject',
  'tokenExchange',
  'awsSts',
  'obo',
  'xaa',
] as const;

const id = () => uuid();
const text = () => line(2_048);
const scopes = () => z.array(line(256)).max(100);
const flag = () => z.boolean();

const RoleMapping = z
  .strictObject({
    claim: text().optional().describe('Exact value of the role claim'),
    matcher: text().optional().describe('Pattern of the value instead of `claim`; `*` matches any characters'),
    priority: z
      .number()
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .optional()
      .describe('The matching mapping with the lowest priority applies; default 0'),
    role_arn: text().optional(),
  })
  .meta({ id: 'RoleMapping', description: 'The AWS role for a value of the role claim' });

const awsSts = {
  region: text(),
  service: text().optional(),
  role_claim: text().optional(),
  role_mappings: z.array(RoleMapping).max(100).optional(),
  fallback_role_arn: text().optional(),
  session_duration: z.number().int().min(900).max(43_200).optional().describe('Seconds; default 3600'),
  session_name_claim: text().optional(),
};

const tokenExchange = {
  token_url: text().optional().describe('The default is the token endpoint of the provider'),
  client_id: text().optional(),
  audience: text().optional(),
  scopes: scopes().optional(),
  provider_id: id().optional(),
  subject_token_type: text().optional(),
  external_token_header_name: text()
    .optional()
    .describe('Header of the new token in requests to the upstream; default `Authorization`'),
};

const obo = {
  audience: text().optional(),
  authority: text().optional().describe('Default `https://login.microsoftonline.com`'),
  scopes: scopes().optional(),
  cache_skew: text()
    .regex(/^\d{1,4}(ms|s|m)$/, 'must be a duration, such as 30s')
    .optional()
    .describe('Time before its expiry at which a token is renewed; default 60s'),
};

const xaa = {
  idp_client_id: text().optional(),
  idp_token_url: text().optional(),
  insecure_target_token_url: flag()
    .optional()
    .describe('Allows plain http and a private address for `target_token_url` only'),
  scopes: scopes().optional(),
  subject_token_type: text().optional(),
  target_audience: text().optional(),
  target_client_id: text().optional(),
  target_resource: text().optional(),
  target_token_url: text().optional(),
};

/** The authentication in a write of a connector: a type and its block. */
export const ConnectorAuthWrite = z
  .strictObject({
    type: z.enum(AUTH_TYPES),
    bearer_token: z.strictObject({ token: SecretRef.optional() }).meta({ id: 'BearerTokenAuthWrite' }).optional(),
    header_injection: z
      .strictObject({ header_name: line(256), value: SecretRef.optional() })
      .meta({ id: 'HeaderInjectionAuthWrite' })
      .optional(),
    upstream_inject: z.strictObject({ provider_id: id() }).meta({ id: 'UpstreamInjectAuthWrite' }).optional(),
    token_exchange: z
      .strictObject({ ...tokenExchange, client_secret: SecretRef.optional() })
      .meta({ id: 'TokenExchangeAuthWrite' })
      .optional(),
    aws_sts: z
      .strictObject({ provider_id: id(), ...awsSts })
      .meta({ id: 'AwsStsAuthWrite' })
      .optional(),
    obo: z
      .strictObject({
        provider_id: id(),
        client_id: text(),
        tenant_id: text(),
        ...obo,
        client_secret: SecretRef.optional(),
      })
      .meta({ id: 'OboAuthWrite' })
      .optional(),
    xaa: z
      .strictObject({
        provider_id: id(),
        ...xaa,
        idp_client_secret: SecretRef.optional(),
        target_client_secret: SecretRef.optional(),
      })
      .meta({ id: 'XaaAuthWrite' })
      .optional(),
  })
  .meta({
    id: 'ConnectorAuthWrite',
    description: 'How the gateway authenticates to the upstream',
    examples: [
      {
        type: 'headerInjection',
        header_injection: {
          header_name: 'X-Api-Key',
          value: { managed_secret_id: '0197a3c2-1a11-7497-a7a9-9d3b828c906b' },
        },
      },
    ],
  });
export type ConnectorAuthWrite = z.infer<typeof ConnectorAuthWrite>;

/** The authentication in a read of a connector, without secrets. */
export const ConnectorAuth = z
  .object({
    type: z.enum(AUTH_TYPES),
    header_injection: z.object({ header_name: z.string() }).meta({ id: 'HeaderInjectionAuth' }).optional(),
    upstream_inject: z.object({ provider_id: z.string() }).meta({ id: 'UpstreamInjectAuth' }).optional(),
    token_exchange: z
      .object({ ...tokenExchange, client_secret_configured: z.boolean().optional() })
      .meta({ id: 'TokenExchangeAuth' })
      .optional(),
    aws_sts: z
      .object({ provider_id: z.string(), ...awsSts })
      .meta({ id: 'AwsStsAuth' })
      .optional(),
    obo: z
      .object({ provider_id: z.string(), client_id: z.string(), tenant_id: z.string(), ...obo })
      .meta({ id: 'OboAuth' })
      .optional(),
    xaa: z
      .object({ provider_id: z.string(), ...xaa })
      .meta({ id: 'XaaAuth' })
      .optional(),
  })
  .meta({
    id: 'ConnectorAuth',
    description: 'How the gateway authenticates to the upstream',
    examples: [{ type: 'headerInjection', header_injection: { header_name: 'X-Api-Key' } }],
  });
export type ConnectorAuth = z.infer<typeof ConnectorAuth>;
