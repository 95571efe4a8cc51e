import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { listReferences } from './list-references.ts';

/** The settings of secrets of a command, loaded for a workload that has some. */
export type SecretsSettingsSource = () => Promise<SecretsSettings>;

/**
 * Reads the secrets of a configuration once, so that a missing secret or a wrong password fails
 * before anything starts. The values are dropped.
 * @returns the variables with which the supervisor reads them again
 * @throws SecretsError
 */
export async function checkSecrets(
  config: RunConfig,
  loadSettings: SecretsSettingsSource | undefined,
): Promise<Readonly<Record<string, string>>> {
  const secrets = listReferences(config);
  if (secrets.length === 0 && !isSignInConfigured(config.remote_auth_config)) return {};
  if (loadSettings === undefined) throw new WorkloadError('failed', 'This command has no access to secrets');
  const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
  const { resolveSecrets } = await import('@gatehouse/secrets/references/resolve-secrets');
  const provider = openSecrets(await loadSettings());
  await resolveSecrets(secrets, provider);
  return (await provider.createChildEnvironment?.()) ?? {};
}
