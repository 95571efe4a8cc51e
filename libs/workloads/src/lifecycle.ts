import type { BuildPlan } from './builds/build-plan.ts';
import { requireBuiltSections } from './configuration/built-sections.ts';
import {
  resolveConfiguredMounts,
  resolveConfiguredOverlays,
  withGlobalIgnoreFile,
} from './configuration/configured-mounts.ts';
import { createRunConfig } from './configuration/create-run-config.ts';
import { getNetworkMode } from './configuration/config-values.ts';
import type { RunConfig } from './configuration/run-config.ts';
import type { EngineEnvironment } from './engine/engine-address.ts';
import { EngineRuntime } from './engine/engine-runtime.ts';
import { EngineResponseError, findEngine } from './engine/engine.ts';
import { parseNetworkRanges } from './engine/subnets.ts';
import { getErrorMessage, WorkloadError } from './errors/workload-error.ts';
import { type ExportedConfig, exportConfig } from './exports/export-config.ts';
import type { ImportedConfig } from './exports/import-config.ts';
import { resolveHost } from './flags/local-address.ts';
import type { RunRequest } from './flags/run-flags.ts';
import {
  type GroupRemoval,
  type GroupWithWorkloads,
  listGroups,
  listMembers,
  removeGroup,
} from './groups/group-members.ts';
import { Groups } from './groups/groups.ts';
import { readRequests, type InspectionRequest } from './inspection.ts';
import { readLogFile } from './logs.ts';
import type { RequestRecord } from '@gatehouse/proxy/recording/request-record';
import { healIsolation } from './configuration/network-plan.ts';
import { createIsolationWarning } from './flags/isolation.ts';
import { parseNameserver } from './flags/nameserver.ts';
import type {
  CommandContext,
  ImageRefresh,
  ListedServer,
  LogConsumer,
  Runtime,
  StartedWorkload,
  UsedImage,
} from './runtime/runtime.ts';
import { warnOfExposure } from './runtime/start-warnings.ts';
import { checkSecrets, type SecretsSettingsSource } from './secrets/check-secrets.ts';
import { requireFreePorts } from './state/free-ports.ts';
import type { MachineFields, NewWorkload, RunningWorkload } from './state/new-workload.ts';
import { getContainerName, getHome, type Home } from './state/home.ts';
import { identifyProcess, isAlive } from './state/process-identity.ts';
import { describeState, shouldRun, type WorkloadState } from './state/state.ts';
import { createNameConflict, requireConfig, WorkloadStore, type StoredWorkload } from './state/store.ts';
import { ConcurrentStartError, endProcess } from './supervision/launch.ts';
import type { VerificationMode } from './flags/image-verification.ts';
import type { VerificationSettings } from './verification/verification-settings.ts';
import { verifyImage } from './verification/verify-image.ts';

/** The log of a workload that is read. */
export interface LogRequest {
  /** The log of the proxy instead of that of the server. */
  readonly proxy: boolean;
  /** Whether later lines follow, until the abort or the end of the log. */
  readonly follow: boolean;
  readonly abort: AbortSignal;
}

/** The settings of workloads. */
export interface WorkloadSettings {
  /** See {@link parseNetworkRanges}. */
  readonly networkRange?: string | undefined;
  /** See {@link parseNameserver}. */
  readonly egressNameserver?: string | undefined;
  /** The ignore file of the user, which need not exist. */
  readonly globalIgnoreFile?: string | undefined;
  /** The variables of a proxy for builds, such as HTTP_PROXY. */
  readonly proxyVariables?: Readonly<Record<string, string>>;
  /** Without it, workloads with secrets cannot start. */
  readonly secretsSettings?: SecretsSettingsSource;
  /** A file with the trusted root of a private Sigstore instance. */
  readonly trustedRootFile?: () => string | undefined;
  /** The mode of the verification of images for configurations that name none. */
  readonly verificationMode?: () => VerificationMode | undefined;
}

/** The operations of the commands on the workloads of one home. */
export class Workloads {
  private readonly home: Home;
  private readonly store: WorkloadStore;
  /** The groups of this home. */
  readonly groups: Groups;

  constructor(
    folder: string,
    private readonly defaultFolder: string,
    private readonly environment: EngineEnvironment,
    private readonly settings: WorkloadSettings = {},
  ) {
    this.home = getHome(folder, defaultFolder);
    this.store = new WorkloadStore(this.home);
    this.groups = new Groups(this.home.folder);
  }

  /**
   * Runs a server and waits until it answers. A failure leaves nothing behind.
   * @returns the state of the workload and a handle of what was started.
   */
  run(request: RunRequest, foreground: boolean, context: CommandContext): Promise<RunningWorkload> {
    const port = request.proxyPort === undefined ? undefined : { number: request.proxyPort, typed: '--proxy-port' };
    const createConfig = (machine: MachineFields) => createRunConfig(request, machine);
    return this.create({ request, port, replaces: false, createConfig }, foreground, context);
  }

  /**
   * Runs the server of an imported configuration, as {@link run} does. The fields of the machine on
   * which it was exported have no effect.
   * @param replaces whether it takes the place of the workload of its name
   */
  async import(
    { config, request }: ImportedConfig,
    replaces: boolean,
    foreground: boolean,
    context: CommandContext,
  ): Promise<RunningWorkload> {
    if (!replaces && this.store.has(config.name)) {
      throw createNameConflict(config.name, [
        '--replace   takes its place',
        '--name NAME   runs a second one beside it',
      ]);
    }
    this.groups.require(config.group, '--from-config: group');
    const port = config.port !== 0 ? { number: config.port, typed: 'port' } : undefined;
    const createConfig = ({ containerName, engine, host, networkRange, nameserver }: MachineFields) => ({
      ...config,
      ...{ container_name: containerName, engine, host, network_range: networkRange },
      ...(nameserver !== undefined && { egress_nameserver: nameserver }),
    });
    return this.create({ request, port, replaces, createConfig }, foreground, context);
  }

  /** Returns the configuration of a workload without the fields of this machine. */
  export(name: string): ExportedConfig {
    return exportConfig(requireConfig(this.require(name)));
  }

  private async create(
    { request, port, replaces, createConfig }: NewWorkload,
    foreground: boolean,
    context: CommandContext,
  ): Promise<RunningWorkload> {
    const networkRange = parseNetworkRanges(this.settings.networkRange);
    const host = await resolveHost(request.host);
    this.groups.require(request.group);
    const runtime = await this.findRuntime();
    try {
      const containerName = getContainerName(this.home, request.name);
      const nameserver = parseNameserver(this.settings.egressNameserver);
      const created = createConfig({ containerName, engine: runtime.address, host, networkRange, nameserver });
      const config = withGlobalIgnoreFile(created, this.settings.globalIgnoreFile);
      await this.removeInterrupted();
      resolveConfiguredMounts(config, this.home.folder);
      const old = replaces ? this.store.read(config.name) : undefined;
      await requireFreePorts(this.store, { ...request, host, proxy: port, replaced: old?.config });
      await runtime.requireSupport(config);
      if (old !== undefined) {
        await checkSecrets(config, this.settings.secretsSettings);
        await runtime.prepareImage(config, 'missing', context);
        await this.remove(config.name);
      }
      const command = identifyProcess(process.pid);
      await this.groups.whileExists(config.group, () => this.store.reserve(config, command, new Date()));
      warnOfExposure(config, context);
      const dropped = createIsolationWarning(request.isolateNetwork, getNetworkMode(config));
      if (dropped !== undefined) context.warn(dropped);
      try {
        const launched = await this.startWith(runtime, config, 'moving', foreground, context);
        return { state: await this.getState(config.name), launched };
      } catch (error) {
        throw await this.rollBack(runtime, config.name, error);
      }
    } finally {
      runtime.close();
    }
  }

  /** Starts an existing workload, unless it runs already. */
  async start(name: string, context: CommandContext): Promise<WorkloadState> {
    const workload = this.require(name);
    const config = requireConfig(workload);
    const now = await this.getState(name);
    if (now.status === 'running') return now;
    if (now.status === 'removing')
      throw new WorkloadError('conflict', `${name} is being removed`, [`gatehouse rm ${name}   finishes the removal`]);
    if (isAlive(workload.status?.process)) {
      if (now.status === 'starting') return this.waitForStart(name, context.abort);
      await endProcess(workload.status?.process?.pid, () => !isAlive(workload.status?.process));
    }
    const runtime = this.openRuntime(config);
    try {
      resolveConfiguredMounts(config, this.home.folder);
      await runtime.ping();
      warnOfExposure(config, context);
      const launched = await this.startWith(runtime, config, 'missing', false, context);
      launched.release();
      return await this.getState(name);
    } catch (error) {
      if (error instanceof ConcurrentStartError) return await this.waitForStart(name, context.abort);
      if (!context.abort.aborted)
        this.store.writeStatus(name, { status: 'error', context: getErrorMessage(error) }, new Date());
      else this.store.writeStatus(name, { status: 'stopped', stop_requested: true }, new Date());
      throw error;
    } finally {
      runtime.close();
    }
  }

  /** Stops the proxy and the servers of a workload, if any run. */
  async stop(name: string): Promise<void> {
    const workload = this.require(name);
    this.store.requestStop(name, new Date());
    await this.withRuntime(workload, (runtime) => runtime.stop(name));
    const now = this.store.read(name);
    // A live process belongs to a command that has started the workload meanwhile.
    if (now && !isAlive(now.status?.process))
      this.store.writeStatus(name, { status: 'stopped', stop_requested: true }, new Date());
  }

  /** Removes a workload with all its parts. The store keeps the port of its name. */
  async remove(name: string): Promise<void> {
    const workload = this.require(name);
    const command = identifyProcess(process.pid);
    if (command !== undefined) this.store.markRemoval(name, command);
    try {
      await this.withRuntime(workload, (runtime) => runtime.remove(name));
    } catch (error) {
      this.store.clearRemoval(name);
      throw error;
    }
    const last = this.store.remove(name);
    // A supervisor that was starting may have created a container after the removal.
    if (last && isAlive(last)) {
      await endProcess(last.pid, () => !isAlive(last));
      await this.withRuntime(workload, (runtime) => runtime.remove(name));
    }
  }

  /**
   * Returns the names of all workloads of this home, or of one group, sorted.
   * @throws WorkloadError (usage) for an unknown group
   */
  listNames(group?: string): string[] {
    if (group === undefined) return this.store.list().map(({ name }) => name);
    return listMembers(this.store, this.groups.require(group).name);
  }

  /** Returns the names of the workloads that no command has stopped, sorted. */
  listNamesToRun(): string[] {
    return this.store
      .list()
      .filter(shouldRun)
      .map(({ name }) => name);
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
    await this.removeInterrupted();
    const workloads = this.store.list();
    const configs = new Map(workloads.flatMap(({ config }) => (config ? [[config.engine, config] as const] : [])));
    const servers = new Map<string, readonly ListedServer[] | undefined>();
    for (const [address, config] of configs) servers.set(address, await this.listServers(config));
    return workloads.map((workload) => describeState(workload, servers.get(workload.config?.engine ?? '')));
  }

  /** Returns the actual state of one workload. */
  async getState(name: string): Promise<WorkloadState> {
    const workload = this.require(name);
    return describeState(workload, workload.config && (await this.listServers(workload.config)));
  }

  /**
   * Starts a new proxy for the workloads that have lost theirs (it was killed, or the machine
   * restarted). Does not wait for it.
   * @returns the names of these workloads.
   */
  recover(states: readonly WorkloadState[]): string[] {
    const lost = states.filter(({ lost_proxy }) => lost_proxy).map(({ name }) => name);
    for (const name of lost) {
      const { config } = this.require(name);
      if (config === undefined) continue;
      const runtime = this.openRuntime(config);
      runtime.recover(name);
      runtime.close();
    }
    return lost;
  }

  /** Reads a log of a workload. */
  async readLog(name: string, { proxy, follow, abort }: LogRequest, take: LogConsumer): Promise<void> {
    const config = requireConfig(this.require(name));
    if (proxy) await readLogFile(this.store.getProxyLogPath(name), follow, take, abort);
    // The standard output of a stdio server is the protocol. Its messages for people are on its
    // standard error.
    else if (config.transport === 'stdio') await readLogFile(this.store.getServerLogPath(name), follow, take, abort);
    else await this.withRuntime({ config }, (runtime) => runtime.readLog(name, follow, take, abort));
  }

  /** Reads the last requests of a workload. @throws WorkloadError when its proxy has ended */
  async inspect(name: string, request: InspectionRequest, take: (record: RequestRecord) => void): Promise<void> {
    this.require(name);
    await readRequests(name, this.store.getInspectionPath(name), request, take);
  }

  /** Builds the image of a package anew. @returns its name */
  async build(plan: BuildPlan, context: CommandContext): Promise<string> {
    const runtime = await this.findRuntime();
    try {
      await runtime.build(plan, context);
      return plan.image;
    } finally {
      runtime.close();
    }
  }

  /** Lists the images that were built from packages, with the workloads that use them. */
  async listImages(): Promise<readonly UsedImage[]> {
    const runtime = await this.findRuntime();
    try {
      const users = this.store.list();
      return (await runtime.listBuiltImages()).map((built) => ({
        ...built,
        workloads: users.filter(({ config }) => config?.image === built.image).map(({ name }) => name),
      }));
    } finally {
      runtime.close();
    }
  }

  /** Removes the built images that no workload and no container uses. @returns their names */
  async pruneImages(): Promise<readonly string[]> {
    const unused = (await this.listImages()).filter(({ workloads }) => workloads.length === 0);
    const runtime = await this.findRuntime();
    try {
      const removed: string[] = [];
      for (const { image } of unused) if (await runtime.removeImage(image)) removed.push(image);
      return removed;
    } finally {
      runtime.close();
    }
  }

  private get verification(): VerificationSettings {
    const { home, environment, settings } = this;
    return {
      home: home.folder,
      environment,
      trustedRootFile: settings.trustedRootFile,
      defaultMode: settings.verificationMode,
    };
  }

  private get parts() {
    const proxyVariables = this.settings.proxyVariables ?? {};
    const { home, defaultFolder, store, environment } = this;
    return { home, defaultFolder, store, proxyVariables, environment };
  }

  /** Finds the runtime of new workloads. @throws WorkloadError (no-engine) */
  private async findRuntime(): Promise<Runtime> {
    return new EngineRuntime(await findEngine(this.environment), this.parts);
  }

  private openRuntime({ engine }: RunConfig): Runtime {
    return EngineRuntime.open(engine, this.parts);
  }

  /** A workload with an unreadable configuration most likely used the current runtime. */
  private async withRuntime(
    { config }: Pick<StoredWorkload, 'config'>,
    work: (runtime: Runtime) => Promise<void>,
  ): Promise<void> {
    const runtime = config ? this.openRuntime(config) : await this.findRuntime();
    try {
      await work(runtime);
    } finally {
      runtime.close();
    }
  }

  private async startWith(
    runtime: Runtime,
    config: RunConfig,
    refresh: ImageRefresh,
    foreground: boolean,
    context: CommandContext,
  ): Promise<StartedWorkload> {
    requireBuiltSections(config);
    const secretVariables = await checkSecrets(config, this.settings.secretsSettings);
    const named = withGlobalIgnoreFile(config, config.ignore_config?.global_file ?? this.settings.globalIgnoreFile);
    if (named.ignore_config?.PrintOverlays === true && context.showOverlays !== undefined)
      context.showOverlays(await resolveConfiguredOverlays(named, this.home.folder));
    const verified = refresh === 'moving' ? await verifyImage(named, this.verification, context) : named;
    const complete = await runtime.prepareImage(healIsolation(verified), refresh, context);
    this.store.writeConfig(complete);
    return runtime.start(complete, { ...context, foreground, secretVariables });
  }

  /**
   * Removes the containers, networks and state of a failed run.
   * @returns the error, extended when the removal failed too.
   */
  private async rollBack(runtime: Runtime, name: string, error: unknown): Promise<unknown> {
    try {
      await runtime.remove(name);
      this.store.remove(name);
      return error;
    } catch (cleanupError) {
      const status_context = `it did not start, and could not be removed: ${getErrorMessage(cleanupError)}`;
      this.store.writeStatus(name, { status: 'error', context: status_context, first_start: true }, new Date());
      const code = error instanceof WorkloadError ? error.code : 'failed';
      const text = `${getErrorMessage(error)}; its containers could not be removed (${getErrorMessage(cleanupError)})`;
      return new WorkloadError(code, text, [`gatehouse rm ${name}   when the container engine answers again`], error);
    }
  }

  /**
   * Removes the workloads whose first start was interrupted by the end of its processes. A runtime
   * that does not answer keeps them for the next command.
   */
  private async removeInterrupted(): Promise<void> {
    if (this.store.listInterrupted().length === 0) return;
    await this.store.withRemovalLock(async () => {
      for (const name of this.store.listInterrupted()) await this.remove(name).catch(ignoreUnreachable);
    });
  }

  private require(name: string): StoredWorkload {
    const workload = this.store.read(name);
    if (workload) return workload;
    throw new WorkloadError('failed', `There is no workload named '${name}'`, [
      'gatehouse list -a   shows all of them',
    ]);
  }

  /** Lists the servers of this home on a runtime; undefined when it does not answer. */
  private async listServers(config: RunConfig): Promise<readonly ListedServer[] | undefined> {
    let runtime: Runtime | undefined;
    try {
      runtime = this.openRuntime(config);
      return await runtime.list();
    } catch (error) {
      if (error instanceof WorkloadError || error instanceof EngineResponseError) return undefined;
      throw error;
    } finally {
      runtime?.close();
    }
  }

  /** Waits for the end of a start by another command. */
  private async waitForStart(name: string, abort: AbortSignal): Promise<WorkloadState> {
    for (;;) {
      const now = await this.getState(name);
      if (now.status === 'running') return now;
      if (now.status !== 'starting') {
        throw new WorkloadError('failed', `${name} did not start: ${now.status_context ?? now.status}`);
      }
      abort.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @throws the error, unless it says that the runtime does not answer or refuses */
function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof WorkloadError || error instanceof EngineResponseError)) throw error;
}
