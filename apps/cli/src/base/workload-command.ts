import { readSecretsEnvironment } from '@gatehouse/secrets/config';
import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { Workloads } from '@gatehouse/workloads/lifecycle';
import type { WorkloadState } from '@gatehouse/workloads/state/state';
import type { WorkloadClients } from '../services/clients/workload-clients.ts';
import { GatehouseCommand } from './base-command.ts';
import { loadCliConfig, readMachine } from '../config/config.ts';
import { addWorkloadSettings } from '../services/settings/workload-settings.ts';

/** The base of commands about the workloads of a home. */
export abstract class WorkloadCommand extends GatehouseCommand {
  /** The folder with the state. */
  protected home(): string {
    return loadCliConfig(this.config.root).home;
  }

  #secretsSettings: Promise<SecretsSettings> | undefined;

  /** The settings of the secrets of this home, the same at each call. */
  protected readonly secretsSettings = (): Promise<SecretsSettings> => {
    this.#secretsSettings ??= this.#createSecretsSettings();
    return this.#secretsSettings;
  };

  async #createSecretsSettings(): Promise<SecretsSettings> {
    const { createSecretsSettings } = await import('../services/secret/settings.ts');
    return createSecretsSettings(this.home(), readSecretsEnvironment());
  }

  /** The workloads of the home that the environment selects. */
  protected workloads(): Workloads {
    const config = loadCliConfig(this.config.root);
    const { engine, settings } = addWorkloadSettings(config, { secretsSettings: this.secretsSettings });
    return new Workloads(config.home, config.defaultHome, engine, settings);
  }

  /** The MCP clients that list the workloads of the home. */
  protected async clients(): Promise<WorkloadClients> {
    const { home, defaultHome } = loadCliConfig(this.config.root);
    const { WorkloadClients } = await import('../services/clients/workload-clients.ts');
    return new WorkloadClients(home, defaultHome, this.workloads().groups, readMachine());
  }

  /**
   * Removes what removed workloads have left outside of their folders: their entries in MCP
   * clients, and the secrets that their starts have stored.
   * @param secrets the stored secrets of these workloads before the removal
   */
  protected async finishRemoval(
    workloads: Workloads,
    names: readonly string[],
    secrets: readonly string[],
  ): Promise<void> {
    await this.updateClients(workloads, names);
    if (secrets.length === 0) return;
    const { removeUnusedSecrets } = await import('../services/secret/removed-secrets.ts');
    const { secretsSettings } = this;
    await removeUnusedSecrets(secrets, { workloads, secretsSettings, say: this.output.say });
  }

  /**
   * Makes MCP clients list the workloads that run, and only those. A problem with the file of a
   * client is a warning, because the workloads themselves are all right.
   * @param names the workloads whose entries may change; default: all
   * @param states the present states, where the command has them
   */
  protected async updateClients(
    workloads: Workloads,
    names?: readonly string[],
    states?: readonly WorkloadState[],
  ): Promise<void> {
    const { updateClients } = await import('../services/clients/update-clients.ts');
    await updateClients(await this.clients(), states ?? (() => workloads.list()), names, this.output.say);
  }
}
