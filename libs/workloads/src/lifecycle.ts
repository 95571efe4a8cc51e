import type { RequestRecord } from '@gatehouse/proxy/recording/request-record';
import type { BuildPlan } from './builds/build-plan.ts';
import type { EngineEnvironment } from './engine/engine-address.ts';
import { WorkloadError } from './errors/workload-error.ts';
import { type ExportedConfig, exportConfig, listSuspects } from './exports/export-config.ts';
import type { ExportedManifest, ManifestRequest } from './exports/export-manifest.ts';
import type { ImportedConfig } from './exports/import-config.ts';
import type { RunRequest } from './flags/run-request.ts';
import {
  type GroupRemoval,
  type GroupWithWorkloads,
  listGroups,
  listMembers,
  removeGroup,
} from './groups/group-members.ts';
import { Groups } from './groups/groups.ts';
import { readRequests, type InspectionRequest } from './inspection.ts';
import { isClusterAddress, type KubernetesSettings } from './flags/cluster-address.ts';
import { buildPackage, listUsedImages, pruneImages } from './lifecycle/built-images.ts';
import { WorkloadCreation } from './lifecycle/creation.ts';
import { WorkloadRemoval } from './lifecycle/removal.ts';
import { Runtimes } from './lifecycle/runtimes.ts';
import { WorkloadStart } from './lifecycle/start.ts';
import { WorkloadStates } from './lifecycle/states.ts';
import type { WorkloadSettings } from './lifecycle/workload-settings.ts';
import { forgetSession } from './remote/session/forget-session.ts';
import type { SecretsSettingsSource } from './secrets/check-secrets.ts';
import type { CommandContext, LogConsumer, LogRequest, UsedImage } from './runtime/runtime.ts';
import { getHome } from './state/home.ts';
import type { RunningWorkload } from './state/new-workload.ts';
import { shouldRun, type WorkloadState } from './state/state.ts';
import { requireConfig, WorkloadStore } from './state/store.ts';

/** The operations of the commands on the workloads of one home. */
export class Workloads {
  private readonly store: WorkloadStore;
  private readonly runtimes: Runtimes;
  private readonly states: WorkloadStates;
  private readonly removal: WorkloadRemoval;
  private readonly starts: WorkloadStart;
  private readonly creation: WorkloadCreation;
  private readonly kubernetes: KubernetesSettings;
  private readonly secretsSettings: SecretsSettingsSource | undefined;
  /** The groups of this home. */
  readonly groups: Groups;

  constructor(folder: string, defaultFolder: string, environment: EngineEnvironment, settings: WorkloadSettings = {}) {
    const home = getHome(folder, defaultFolder);
    const store = new WorkloadStore(home);
    const proxyVariables = settings.proxyVariables ?? {};
    const runtimes = new Runtimes({
      ...{ home, defaultFolder, store, proxyVariables, environment },
      kubernetes: settings.kubernetes ?? {},
    });
    this.kubernetes = settings.kubernetes ?? {};
    this.secretsSettings = settings.secretsSettings;
    const states = new WorkloadStates(store, runtimes);
    const removal = new WorkloadRemoval(store, runtimes, states);
    const groups = new Groups(home.folder);
    const starts = new WorkloadStart({ folder: home.folder, store, runtimes, states, environment, settings });
    this.creation = new WorkloadCreation({ home, store, groups, runtimes, states, starts, removal, settings });
    this.store = store;
    this.runtimes = runtimes;
    this.states = states;
    this.removal = removal;
    this.starts = starts;
    this.groups = groups;
  }

  /**
   * Runs a server and waits until it answers. A failure leaves nothing behind.
   * @returns the state of the workload and a handle of what was started.
   */
  run(request: RunRequest, foreground: boolean, context: CommandContext): Promise<RunningWorkload> {
    return this.creation.run(request, foreground, context);
  }

  /**
   * Checks the group and the name of a new workload, and that a runtime answers, before a person is
   * asked for anything.
   */
  checkNew(request: RunRequest): Promise<void> {
    return this.creation.checkNew(request);
  }

  /**
   * Runs the server of an imported configuration, as {@link run} does. The fields of the machine on
   * which it was exported have no effect.
   * @param replaces whether it takes the place of the workload of its name
   */
  import(
    imported: ImportedConfig,
    replaces: boolean,
    foreground: boolean,
    context: CommandContext,
  ): Promise<RunningWorkload> {
    return this.creation.import(imported, replaces, foreground, context);
  }

  /** Returns the configuration of a workload without the fields of this machine. */
  export(name: string): ExportedConfig {
    return exportConfig(requireConfig(this.states.require(name)));
  }

  /** Returns a workload as objects of Kubernetes. */
  async exportManifest(
    name: string,
    request: ManifestRequest,
  ): Promise<ExportedManifest & Pick<ExportedConfig, 'suspects'>> {
    const { exportManifest } = await import('./exports/export-manifest.ts');
    const config = requireConfig(this.states.require(name));
    const findImageUser = (image: string) => this.runtimes.findImageUser(config, image);
    return {
      ...(await exportManifest(config, request, this.kubernetes, findImageUser)),
      suspects: listSuspects(config),
    };
  }

  /** Starts an existing workload, unless it runs already. */
  start(name: string, context: CommandContext): Promise<WorkloadState> {
    return this.starts.start(name, context);
  }

  /** Stops the proxy and the servers of a workload, if any run. */
  stop(name: string): Promise<void> {
    return this.removal.stop(name);
  }

  /**
   * Removes a workload with all its parts. The store keeps the port of its name.
   * @param warn receives what stays elsewhere
   */
  async remove(name: string, warn?: (message: string) => void): Promise<void> {
    const { config } = this.states.require(name);
    await this.removal.remove(name);
    await forgetSession(config, this.secretsSettings, warn);
  }

  /**
   * Returns the names of all workloads of this home, or of one group, sorted.
   * @throws WorkloadError (usage) for an unknown group
   */
  listNames(group?: string): string[] {
    if (group === undefined) return this.store.list().map(({ name }) => name);
    return listMembers(this.store, this.groups.requirePresent(group).name);
  }

  /** Returns the names of the workloads that no command has stopped, sorted. */
  listNamesToRun(): string[] {
    return this.store
      .list()
      .filter(shouldRun)
      .map(({ name }) => name);
  }

  /** See {@link listStoredSecrets}. */
  async listStoredSecrets(names: readonly string[]): Promise<string[]> {
    const { listStoredSecrets } = await import('./secrets/stored-secrets.ts');
    return listStoredSecrets(names.map((name) => this.store.read(name)?.config));
  }

  /** Returns those of the secrets that no workload of this home refers to. */
  async listUnusedSecrets(secrets: readonly string[]): Promise<string[]> {
    const { listUnusedSecrets } = await import('./secrets/stored-secrets.ts');
    return listUnusedSecrets(
      secrets,
      this.store.list().map(({ config }) => config),
    );
  }

  /** Returns the groups of this home with their workloads. */
  listGroups(): GroupWithWorkloads[] {
    return listGroups(this.groups, this.store);
  }

  /**
   * Returns the names of the workloads of a group that can be removed.
   * @throws WorkloadError (usage) for an unknown group and for `default`
   */
  listMembersOfRemovable(group: string): string[] {
    return listMembers(this.store, this.groups.requireRemovable(group).name);
  }

  /**
   * Removes a group, and its workloads or their membership.
   * @throws WorkloadError (usage) for an unknown group and for `default`
   */
  removeGroup(name: string, withWorkloads: boolean): Promise<GroupRemoval> {
    const remove = withWorkloads ? (workload: string) => this.remove(workload) : undefined;
    return removeGroup(this.groups, this.store, name, remove);
  }

  /** Returns the actual state of every workload of this home, sorted by name. */
  async list(): Promise<WorkloadState[]> {
    const workloads = this.store.list();
    const isChanged = await this.removal.removeInterrupted(workloads);
    return this.states.describe(isChanged ? this.store.list() : workloads);
  }

  /** Returns the actual state of one workload. */
  getState(name: string): Promise<WorkloadState> {
    return this.states.get(name);
  }

  /**
   * Starts a new proxy for the workloads that have lost theirs (it was killed, or the machine
   * restarted). Does not wait for it.
   * @returns the names of these workloads.
   */
  async recover(states: readonly WorkloadState[]): Promise<string[]> {
    const lost = states.filter(({ lost_proxy }) => lost_proxy).map(({ name }) => name);
    for (const name of lost) {
      const { config } = this.states.require(name);
      if (config === undefined) continue;
      await this.runtimes.withRuntime({ config }, (runtime) => {
        runtime.recover(name);
        return Promise.resolve();
      });
    }
    return lost;
  }

  /** Reads a log of a workload. */
  async readLog(name: string, request: LogRequest, take: LogConsumer): Promise<void> {
    const config = requireConfig(this.states.require(name));
    await this.runtimes.withRuntime({ config }, (runtime) => runtime.readLog(config, request, take));
  }

  /** Reads the last requests of a workload. @throws WorkloadError when its proxy has ended */
  async inspect(name: string, request: InspectionRequest, take: (record: RequestRecord) => void): Promise<void> {
    const { config } = this.states.require(name);
    if (config !== undefined && isClusterAddress(config.engine))
      throw new WorkloadError(
        'usage',
        `The requests of ${name} are in its pod in Kubernetes, which does not show them`,
        [`gatehouse logs ${name} --proxy   shows the log of its proxy`],
      );
    await readRequests(name, this.store.getInspectionPath(name), request, take);
  }

  /** Builds the image of a package anew. @returns its name */
  build(plan: BuildPlan, context: CommandContext): Promise<string> {
    return buildPackage(this.runtimes, plan, context);
  }

  /** See {@link Runtimes.buildProxyImage}. */
  buildProxyImage(pushes: boolean, context: CommandContext): Promise<string> {
    return this.runtimes.buildProxyImage(pushes, context);
  }

  /** Lists the images that were built from packages, with the workloads that use them. */
  listImages(): Promise<readonly UsedImage[]> {
    return listUsedImages(this.runtimes, this.store);
  }

  /** Removes the built images that no workload and no container uses. @returns their names */
  pruneImages(): Promise<readonly string[]> {
    return pruneImages(this.runtimes, this.store);
  }
}
