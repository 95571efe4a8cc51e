import { z } from 'zod';
import { KubernetesSecretRef } from '../../secrets/references/secret-ref.dto.ts';
import { registrationModeOf } from './identity-provider.ts';
import type { StoredProviderWithVersions } from './identity-providers.repository.ts';

/**
 * An identity provider as a gateway needs it: its secrets are to be revealed, or to be read in its
 * cluster.
 */
export const SnapshotIdentityProvider = z
  .object({
    id: z.guid(),
    name: z.string(),
    provider_type: z.enum(['oidc', 'oauth2']),
    registration_mode: z.enum(['static', 'dcr']),
    oidc_config: z.record(z.string(), z.unknown()).optional(),
    oauth2_config: z.record(z.string(), z.unknown()).optional(),
    secrets: z
      .record(z.string(), z.object({ id: z.guid(), version: z.int().min(1) }))
      .describe('By their place, for example `oidc_config.client_secret`; a new value is a new version'),
    kubernetes_secrets: z
      .record(z.string(), KubernetesSecretRef)
      .optional()
      .describe('Likewise those that the gateway reads in its cluster'),
  })
  .meta({ id: 'SnapshotIdentityProvider', description: 'Where a connector signs people in; never a secret value' });
type SnapshotIdentityProvider = z.infer<typeof SnapshotIdentityProvider>;

/** A stored provider as a gateway gets it. */
export const toSnapshotProvider = ({
  id,
  name,
  provider_type,
  config,
  secrets,
  kubernetes_secrets,
}: StoredProviderWithVersions): SnapshotIdentityProvider => ({
  id,
  name,
  provider_type,
  registration_mode: registrationModeOf(config),
  ...config,
  secrets,
  ...(kubernetes_secrets && { kubernetes_secrets }),
});
