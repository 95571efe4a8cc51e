import { computeETag } from '@gatehouse/service-kit/etag';
import { type StoredProviderConfig, getRegistrationMode } from './identity-provider.ts';
import type { ConnectorIdentityProvider } from './identity-providers.dto.ts';
import type { StoredProvider } from './identity-providers.repository.ts';

/** Converts a stored provider to its API representation for administrators. */
export function toIdentityProvider(row: StoredProvider): ConnectorIdentityProvider {
  return {
    id: row.id,
    name: row.name,
    provider_type: row.provider_type,
    registration_mode: getRegistrationMode(row.config),
    source: row.source,
    ...addReferences(row.config, row.secrets),
    discovery: row.discovery,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/**
 * Computes the ETag of a provider. A check with the same outcome does not change the tag, so that
 * it does not fail the writes of an administrator.
 */
export function computeProviderETag(row: StoredProvider): string {
  const { discovery, ...provider } = toIdentityProvider(row);
  const { checked_at: _, ...outcome } = discovery;
  return computeETag({ revision: row.revision, provider, outcome });
}

/** Adds the references to secrets to the configuration. */
function addReferences(
  { oidc_config, oauth2_config }: StoredProviderConfig,
  secrets: StoredProvider['secrets'],
): Pick<ConnectorIdentityProvider, 'oidc_config' | 'oauth2_config'> {
  const addBlockReferences = (block: 'oidc_config' | 'oauth2_config', dcr: NonNullable<typeof oidc_config>['dcr']) => {
    const [secret, token] = [secrets[`${block}.client_secret`], secrets[`${block}.dcr.initial_access_token`]];
    return {
      ...(secret && { client_secret: secret }),
      ...(dcr && { dcr: { ...dcr, ...(token && { initial_access_token: token }) } }),
    };
  };
  return oidc_config === undefined
    ? { oauth2_config: { ...oauth2_config, ...addBlockReferences('oauth2_config', oauth2_config.dcr) } }
    : { oidc_config: { ...oidc_config, ...addBlockReferences('oidc_config', oidc_config.dcr) } };
}
