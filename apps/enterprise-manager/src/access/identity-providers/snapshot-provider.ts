import { z } from 'zod';
import { KubernetesSecretRef } from '../../secrets/references/secret-ref.dto.ts';
import { getRegistrationMode } from './identity-provider.ts';
import type { StoredProviderWithVersions } from './identity-providers.repository.ts';

/** An identity provider in a gateway snapshot, with references to its secrets. */
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
      .describe('References by field, for example `oidc_config.client_secret`; a new value has a new version'),
    kubernetes_secrets: z
      .record(z.string(), KubernetesSecretRef)
      .optional()
      .describe('References to secrets that the gateway reads in its cluster, by field'),
  })
  .meta({
    id: 'SnapshotIdentityProvider',
    description: 'An identity provider of connectors; contains no secret values',
  });
type SnapshotIdentityProvider = z.infer<typeof SnapshotIdentityProvider>;

/** Converts a stored provider for a gateway snapshot. */
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
  registration_mode: getRegistrationMode(config),
  ...config,
  secrets,
  ...(kubernetes_secrets && { kubernetes_secrets }),
});
