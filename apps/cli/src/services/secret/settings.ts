import type { SecretsEnvironment } from '@gatehouse/secrets/config';
import { systemKeyring } from '@gatehouse/secrets/keyring';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { askHidden, canAskHidden } from '../../terminal/hidden-prompt.ts';

/** The settings of secrets for a command of this home. A person is asked only on a terminal. */
export function createSecretsSettings(home: string, given: SecretsEnvironment): SecretsSettings {
  const { provider, hasEnvironmentFallback, password, passwordFile, environment } = given;
  const ask = canAskHidden() ? askHidden : undefined;
  return {
    ...{ home, provider, hasEnvironmentFallback, environment },
    passwords: { password, passwordFile, keyring: systemKeyring, ask },
  };
}
