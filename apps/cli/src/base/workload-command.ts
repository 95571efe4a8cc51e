import { readSecretsEnvironment } from '@gatehouse/secrets/config';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { Workloads } from '@gatehouse/workloads/lifecycle';
import { GatehouseCommand } from './base-command.ts';
import { loadCliConfig } from '../config/config.ts';
import { addWorkloadSettings } from '../services/settings/workload-settings.ts';

/** The base of commands about the workloads of a home. */
export abstract class WorkloadCommand extends GatehouseCommand {
  /** The folder with the state. */
  protected home(): string {
    return loadCliConfig(this.config.root).home;
  }

  /** The settings of the secrets of this home. */
  protected readonly secretsSettings = async (): Promise<SecretsSettings> => {
    const { createSecretsSettings } = await import('../services/secret/settings.ts');
    return createSecretsSettings(this.home(), readSecretsEnvironment());
  };

  /** The workloads of the home that the environment selects. */
  protected workloads(): Workloads {
    const config = loadCliConfig(this.config.root);
    const { engine, settings } = addWorkloadSettings(config, { secretsSettings: this.secretsSettings });
    return new Workloads(config.home, config.defaultHome, engine, settings);
  }
}
