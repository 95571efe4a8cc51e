import { readSecretsEnvironment } from '@gatehouse/secrets/config';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { GatehouseCommand } from './base-command.ts';
import { loadCliConfig } from '../config/config.ts';

/** The base of commands about the secrets of workloads. */
export abstract class SecretCommand extends GatehouseCommand {
  /** The settings of secrets of this home. */
  protected async secretsSettings(): Promise<SecretsSettings> {
    const { createSecretsSettings } = await import('../services/secret/settings.ts');
    return createSecretsSettings(loadCliConfig(this.config.root).home, readSecretsEnvironment());
  }

  /**
   * The provider of this home.
   * @param name of the user's secret, which is checked first
   */
  protected async provider(name?: string): Promise<SecretsProvider> {
    const { checkSecretName } = await import('@gatehouse/secrets/references/secret-name');
    if (name !== undefined) checkSecretName(name);
    const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
    return openSecrets(await this.secretsSettings());
  }
}
