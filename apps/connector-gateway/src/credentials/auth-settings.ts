import { z } from 'zod';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';

const url = z.url({ protocol: /^https?$/ });
const scopes = z.array(z.string());

/** The last word of a token type, or its complete name (RFC 8693, section 3). */
const tokenType = z
  .enum(['access_token', 'id_token', 'jwt'])
  .transform((word) => `urn:ietf:params:oauth:token-type:${word}`)
  .or(z.string().startsWith('urn:'));

const DURATION = /^(\d{1,4})(ms|s|m)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

const duration = z
  .string()
  .regex(DURATION)
  .transform((text) => {
    const [, number, unit = ''] = DURATION.exec(text) ?? [];
    return Number(number) * (UNIT_MS[unit] ?? 0);
  });

/**
 * The settings of each authentication that needs the caller, as `ConnectorAuth` of the enterprise
 * manager describes them.
 */
const BLOCKS = {
  token_exchange: z.object({
    token_url: url.optional(),
    client_id: z.string().optional(),
    audience: z.string().optional(),
    scopes: scopes.optional(),
    subject_token_type: tokenType.optional(),
    external_token_header_name: z.string().optional(),
  }),
  obo: z.object({
    client_id: z.string(),
    tenant_id: z.string(),
    audience: z.string().optional(),
    authority: url.default('https://login.microsoftonline.com'),
    scopes: scopes.optional(),
    cache_skew: duration.optional(),
  }),
  xaa: z.object({
    idp_client_id: z.string().optional(),
    idp_token_url: url.optional(),
    insecure_target_token_url: z.boolean().default(false),
    scopes: scopes.optional(),
    subject_token_type: tokenType.optional(),
    target_audience: z.string(),
    target_client_id: z.string().optional(),
    target_resource: z.string().optional(),
    target_token_url: url,
  }),
  aws_sts: z.object({
    region: z.string().regex(/^[a-z0-9-]+$/),
    service: z.string().default('aws-mcp'),
    role_claim: z.string().default('groups'),
    role_mappings: z
      .array(
        z.object({
          claim: z.string().optional(),
          matcher: z.string().optional(),
          priority: z.number().default(0),
          role_arn: z.string(),
        }),
      )
      .default([]),
    fallback_role_arn: z.string().optional(),
    session_duration: z.number().default(3_600),
    session_name_claim: z.string().default('sub'),
  }),
} as const;

/** The name of a block of settings. */
export type AuthBlock = keyof typeof BLOCKS;

/** The settings of one authentication. */
export type AuthSettings<Block extends AuthBlock> = z.output<(typeof BLOCKS)[Block]>;

/**
 * Reads the settings of a connector's authentication.
 * @throws CredentialError for a form that this gateway does not know
 */
export function readAuthSettings<Block extends AuthBlock>({ auth }: Connector, block: Block): AuthSettings<Block> {
  const { data } = BLOCKS[block].safeParse((auth as Readonly<Record<string, unknown>>)[block]);
  if (data === undefined)
    throw new CredentialError('cannot be called, because its authentication has settings that the gateway cannot use');
  return data as AuthSettings<Block>;
}
