import type { Connector } from '../mcp/ports/snapshot.ts';
import type { SecretPlace } from '../mcp/ports/upstream-secrets.ts';
import { z } from 'zod';

/** The registration of this gateway at a provider (RFC 7591). */
const registration = z.object({
  discovery_url: z.string().optional(),
  registration_endpoint: z.string().optional(),
  software_id: z.string().optional(),
  software_statement: z.string().optional(),
});

const client = {
  client_id: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  redirect_uri: z.string().optional(),
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  dcr: registration.optional(),
  allow_private_ips: z.boolean().default(false),
  send_resource: z.boolean().default(true),
  additional_authorization_params: z.record(z.string(), z.string()).default({}),
};

const oidcConfig = z.object({ issuer_url: z.string(), ...client });
const oauth2Config = z.object({ authorization_endpoint: z.string(), token_endpoint: z.string(), ...client });

/** The configuration of an identity provider, as an administrator wrote it. */
export type ProviderConfig =
  ({ kind: 'oidc' } & z.output<typeof oidcConfig>) | ({ kind: 'oauth2' } & z.output<typeof oauth2Config>);

/** An identity provider of the snapshot. */
type SnapshotProvider = NonNullable<Connector['identity_provider']>;

/**
 * Reads the configuration of an identity provider.
 * @returns undefined if the enterprise manager sent a form that this gateway does not know
 */
export function readProviderConfig({
  provider_type,
  oidc_config,
  oauth2_config,
}: SnapshotProvider): ProviderConfig | undefined {
  if (provider_type === 'oidc') {
    const { data } = oidcConfig.safeParse(oidc_config);
    return data && { kind: 'oidc', ...data };
  }
  const { data } = oauth2Config.safeParse(oauth2_config);
  return data && { kind: 'oauth2', ...data };
}

/** The addresses of a provider that an administrator typed. */
export function listTypedAddresses(config: ProviderConfig): string[] {
  const own = config.kind === 'oidc' ? [config.issuer_url] : [config.authorization_endpoint, config.token_endpoint];
  const { discovery_url, registration_endpoint } = config.dcr ?? {};
  return [...own, discovery_url, registration_endpoint].filter((address) => address !== undefined);
}

/** The place of a secret of a provider; undefined without one. */
export function getProviderSecret(
  { provider_type, secrets, kubernetes_secrets }: SnapshotProvider,
  name: 'client_secret' | 'dcr.initial_access_token',
): SecretPlace | undefined {
  const field = `${provider_type}_config.${name}`;
  const managed = secrets[field];
  if (managed !== undefined) return { kind: 'managed', id: managed.id };
  const inCluster = kubernetes_secrets?.[field];
  return inCluster && { kind: 'kubernetes', ...inCluster };
}
