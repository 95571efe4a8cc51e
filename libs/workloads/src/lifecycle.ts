import { createLabelFilters } from './container-spec.ts';
import { inspectImage, listContainers, pullImage, type ContainerSummary } from './containers.ts';
import { parseEngineAddress, type EngineEnvironment } from './engine-address.ts';
import { Engine, EngineResponseError, findEngine } from './engine.ts';
import { createExposureWarning } from './exposure.ts';
import { flagError, getErrorMessage, WorkloadError } from './workload-error.ts';
import { getContainerName, getHome, type Home } from './home.ts';
import { resolveImageDefaults } from './image-defaults.ts';
import { endProcess, launch, launchDetached, ConcurrentStartError, type SupervisorHandle } from './launch.ts';
import { requireFreePort, resolveHost } from './local-address.ts';
import { hasNetwork } from './networks.ts';
import { identifyProcess, isAlive } from './process-identity.ts';
import { createRunConfig, type RunConfig } from './run-config.ts';
import type { RunRequest } from './run-flags.ts';
import { describeState, type WorkloadState } from './state.ts';
import { stopContainer } from './stop-container.ts';
import { WorkloadStore, type StoredWorkload } from './store.ts';
import { parseNetworkRanges } from './subnets.ts';
import { withNetwork, removeLeftoverNetworks } from './workload-networks.ts';
import { removeContainers } from './workload-server.ts';

/** Output and cancellation of a command that takes time. */
export interface CommandContext {
  readonly progress: (text: string) => void;
  /** Receives warnings of a command that succeeds. */
  readonly warn: (text: string) => void;
  readonly abort: AbortSignal;
}

/** The operations of the commands on the workloads of one home. */
export class Workloads {
  readonly #home: Home;
  readonly #defaultFolder: string;
  readonly #environment: EngineEnvironment;
  readonly #networkRange: string | undefined;
  readonly store: WorkloadStore;

  /** @param networkRange see {@link parseNetworkRanges} */
  constructor(folder: string, defaultFolder: string, environment: EngineEnvironment, networkRange?: string) {
    this.#home = getHome(folder, defaultFolder);
    this.#defaultFolder = defaultFolder;
    this.#environment = environment;
    this.#networkRange = networkRange;
    this.store = new WorkloadStore(this.#home);
  }

  /**
   * Runs a server and waits until it answers. A failure leaves nothing behind.
   * @returns the state of the workload and a handle of its supervisor.
   */
  async run(
    request: RunRequest,
    foreground: boolean,
    context: CommandContext,
  ): Promise<{ state: WorkloadState; launched: SupervisorHandle }> {
    const networkRange = parseNetworkRanges(this.#networkRange);
    const host = await resolveHost(request.host);
    const engine = await findEngine(this.#environment);
    try {
      await this.#checkConflicts(engine, request, host);
      const config = createRunConfig(request, {
        containerName: getContainerName(this.#home, request.name),
        engine: engine.address,
        host,
        networkRange,
      });
      this.store.reserve(config, identifyProcess(process.pid), new Date());
      this.#warnOfExposure(config, context);
      let network: Promise<unknown> | undefined;
      try {
        const complete = await this.#prepareImage(engine, config, context);
        await this.#removeLeftoverNetworks(engine);
        // The engine creates the network while the supervisor loads. The supervisor repeats the
        // call and reports its errors.
        network = withNetwork({ engine, home: this.#home, config }, () => Promise.resolve()).catch(() => undefined);
        const launched = await this.#launch(complete.name, foreground, context);
        return { state: await this.getState(config.name), launched };
      } catch (error) {
        await network;
        throw await this.#rollBack(engine, config.name, error);
      }
    } finally {
      engine.close();
    }
  }

  /**
   * Removes the containers, networks and state of a failed run.
   * @returns the error, extended when the removal failed too.
   */
  async #rollBack(engine: Engine, name: string, error: unknown): Promise<unknown> {
    try {
      await removeContainers(engine, this.#home, name);
      this.store.remove(name);
      return error;
    } catch (cleanupError) {
      const status_context = `it did not start, and could not be removed: ${getErrorMessage(cleanupError)}`;
      this.store.writeStatus(name, { status: 'error', context: status_context }, new Date());
      const code = error instanceof WorkloadError ? error.code : 'failed';
      const text = `${getErrorMessage(error)}; its containers could not be removed (${getErrorMessage(cleanupError)})`;
      return new WorkloadError(code, text, [`gatehouse rm ${name}   when the container engine answers again`], error);
    }
  }

  #warnOfExposure(config: RunConfig, context: CommandContext): void {
    const warning = createExposureWarning(config.host_name ?? config.host, config.host, config.allowed_origins);
    if (warning !== undefined) context.warn(warning);
  }

  #removeLeftoverNetworks(engine: Engine): Promise<void> {
    return removeLeftoverNetworks(engine, this.#home, (name) => this.store.has(name));
  }

  /** Starts an existing workload, unless it runs already. */
  async start(name: string, context: CommandContext): Promise<WorkloadState> {
    const workload = this.#require(name);
    const config = this.#requireConfig(workload);
    const now = await this.getState(name);
    if (now.status === 'running') return now;
    if (isAlive(workload.status?.process)) {
      if (now.status === 'starting') return this.#waitForStart(name, context.abort);
      await endProcess(workload.status?.process?.pid, () => !isAlive(workload.status?.process));
    }
    const engine = new Engine(parseEngineAddress(config.engine, 'engine'));
    try {
      await engine.ping();
      await this.#prepareImage(engine, config, context);
      await this.#removeLeftoverNetworks(engine);
      this.#warnOfExposure(config, context);
      const launched = await this.#launch(name, false, context);
      launched.release();
      return await this.getState(name);
    } catch (error) {
      if (error instanceof ConcurrentStartError) return await this.#waitForStart(name, context.abort);
      if (!context.abort.aborted)
        this.store.writeStatus(name, { status: 'error', context: getErrorMessage(error) }, new Date());
      else this.store.writeStatus(name, { status: 'stopped' }, new Date());
      throw error;
    } finally {
      engine.close();
    }
  }

  /** Stops the proxy and the containers of a workload, if any run. */
  async stop(name: string): Promise<void> {
    const workload = this.#require(name);
    await this.#end(workload, 'stop');
    if (this.store.has(name)) this.store.writeStatus(name, { status: 'stopped' }, new Date());
  }

  /** Removes a workload with all its parts. The store keeps the port of its name. */
  async remove(name: string): Promise<void> {
    const workload = this.#require(name);
    await this.#end(workload, 'remove');
    const last = this.store.remove(name);
    // A supervisor that was starting may have created a container after the removal.
    if (last && isAlive(last)) {
      await endProcess(last.pid, () => !isAlive(last));
      await this.#end({ ...workload, status: undefined }, 'remove');
    }
  }

  /** Returns the actual state of every workload of this home, sorted by name. */
  async list(): Promise<WorkloadState[]> {
    const workloads = this.store.list();
    const containers = new Map<string, ContainerSummary[] | undefined>();
    for (const address of new Set(workloads.flatMap(({ config }) => config?.engine ?? []))) {
      containers.set(address, await this.#containersOn(address));
    }
    return workloads.map((workload) => describeState(workload, containers.get(workload.config?.engine ?? '')));
  }

  /** Returns the actual state of one workload. */
  async getState(name: string): Promise<WorkloadState> {
    const workload = this.#require(name);
    return describeState(workload, await this.#containersOn(workload.config?.engine));
  }

  /**
   * Starts a new proxy for the workloads that have lost theirs (it was killed, or the machine
   * restarted). Does not wait for it.
   * @returns the names of these workloads.
   */
  recover(states: readonly WorkloadState[]): string[] {
    const lost = states.filter(({ lost_proxy }) => lost_proxy).map(({ name }) => name);
    for (const name of lost) {
      launchDetached({ home: this.#home, defaultFolder: this.#defaultFolder, store: this.store, name });
    }
    return lost;
  }

  /** Lists the containers of one workload on its engine. The caller closes the engine. */
  async listContainers(name: string): Promise<{ engine: Engine; config: RunConfig; containers: ContainerSummary[] }> {
    const config = this.#requireConfig(this.#require(name));
    const engine = new Engine(parseEngineAddress(config.engine, 'engine'));
    return { engine, config, containers: await listContainers(engine, createLabelFilters(this.#home, name)) };
  }

  #require(name: string): StoredWorkload {
    const workload = this.store.read(name);
    if (workload) return workload;
    throw new WorkloadError('failed', `There is no workload named '${name}'`, [
      'gatehouse list -a   shows all of them',
    ]);
  }

  #requireConfig(workload: StoredWorkload): RunConfig {
    if (workload.config) return workload.config;
    throw new WorkloadError(
      'failed',
      `The workload ${workload.name} is damaged: ${workload.problem ?? 'its state is missing'}`,
      [`gatehouse rm ${workload.name}   removes the rest of it`],
    );
  }

  async #checkConflicts(engine: Engine, request: RunRequest, host: string): Promise<void> {
    if (request.proxyPort !== undefined) {
      const owner = this.store
        .list()
        .find(({ name, config }) => name !== request.name && config?.port === request.proxyPort);
      if (owner) {
        throw new WorkloadError(
          'conflict',
          `Port ${request.proxyPort} (--proxy-port) belongs to the workload ${owner.name}`,
          ['give another port, or none to get a free one'],
        );
      }
      await requireFreePort('--proxy-port', host, request.proxyPort);
    }
    for (const { host: port } of request.publish) {
      if (port !== undefined) await requireFreePort('--publish', '0.0.0.0', port);
    }
    const network = request.network;
    const named =
      network !== undefined && network !== 'host' && network !== 'none' && !network.startsWith('container:');
    if (named && !(await hasNetwork(engine, network))) {
      throw flagError(
        `--network ${network}`,
        'is not a network of the container engine',
        `docker network create ${network}`,
      );
    }
  }

  /** Pulls a missing image and completes the stored configuration with its defaults. */
  async #prepareImage(engine: Engine, config: RunConfig, { progress, abort }: CommandContext): Promise<RunConfig> {
    let info = await inspectImage(engine, config.image);
    if (!info) {
      progress(`pulling ${config.image}`);
      try {
        await pullImage(engine, config.image, (text) => progress(`pulling ${config.image}: ${text}`), abort);
      } catch (error) {
        abort.throwIfAborted();
        throw new WorkloadError(
          'failed',
          `The image ${config.image} is missing and cannot be pulled: ${getErrorMessage(error)}`,
          ['check the spelling of name and tag', `docker pull ${config.image}`],
          error,
        );
      }
      info = await inspectImage(engine, config.image);
      if (!info)
        throw new WorkloadError('failed', `The engine does not have the image ${config.image} after pulling it`);
    }
    abort.throwIfAborted();
    const complete = await resolveImageDefaults(config, info);
    this.store.writeConfig(complete);
    return complete;
  }

  #launch(name: string, foreground: boolean, { progress, abort }: CommandContext): Promise<SupervisorHandle> {
    return launch({
      home: this.#home,
      defaultFolder: this.#defaultFolder,
      store: this.store,
      name,
      foreground,
      progress,
      abort,
    });
  }

  /** Ends the supervisor, then the remaining containers. */
  async #end(workload: StoredWorkload, what: 'stop' | 'remove'): Promise<void> {
    const supervisor = workload.status?.process;
    if (isAlive(supervisor)) await endProcess(supervisor?.pid, () => !isAlive(supervisor));
    // A workload with an unreadable configuration most likely used the current engine.
    const engine = workload.config
      ? new Engine(parseEngineAddress(workload.config.engine, 'engine'))
      : await findEngine(this.#environment);
    try {
      if (what === 'remove') await removeContainers(engine, this.#home, workload.name);
      else await stopContainers(engine, await listContainers(engine, createLabelFilters(this.#home, workload.name)));
    } finally {
      engine.close();
    }
  }

  /** Lists the containers of this home on an engine; undefined when it does not answer. */
  async #containersOn(address: string | undefined): Promise<ContainerSummary[] | undefined> {
    if (address === undefined) return undefined;
    let engine: Engine | undefined;
    try {
      engine = new Engine(parseEngineAddress(address, 'engine'));
      return await listContainers(engine, createLabelFilters(this.#home));
    } catch (error) {
      if (error instanceof WorkloadError || error instanceof EngineResponseError) return undefined;
      throw error;
    } finally {
      engine?.close();
    }
  }

  /** Waits for the end of a start by another command. */
  async #waitForStart(name: string, abort: AbortSignal): Promise<WorkloadState> {
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

async function stopContainers(engine: Engine, containers: readonly ContainerSummary[]): Promise<void> {
  await Promise.all(containers.filter(({ running }) => running).map(({ id }) => stopContainer(engine, id, 10)));
}
