import { isSignInConfigured } from '../../configuration/remote-sign-in.ts';
import type { RunConfig } from '../../configuration/run-config.ts';
import type { SecretsSettingsSource } from '../../secrets/check-secrets.ts';

/**
 * Deletes the tokens of a workload that is removed. A store that needs a password which only a
 * person has keeps them: they are of no use for another server.
 */
export async function forgetSession(
  config: RunConfig | undefined,
  loadSettings: SecretsSettingsSource | undefined,
): Promise<void> {
  if (config === undefined || loadSettings === undefined || !isSignInConfigured(config.remote_auth_config)) return;
  const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
  const { SecretsError } = await import('@gatehouse/secrets/secrets-error');
  const { SessionStore } = await import('./session-store.ts');
  try {
    const settings = await loadSettings();
    const passwords = { ...settings.passwords, ask: undefined };
    await new SessionStore(openSecrets({ ...settings, passwords }), config).delete();
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
  }
}
