import { labelFilters } from './container-shape.ts';
import { inspectImage, listContainers, pullImage, type ContainerLine } from './containers.ts';
import { parseEngineAddress, type EngineEnvironment } from './engine-address.ts';
import { Engine, EngineRefusal, findEngine } from './engine.ts';
import { exposureWarning } from './exposure.ts';
import { badFlag, messageOf, WorkloadFailure } from './failure.ts';
import { containerNameOf, homeIn, type Home } from './home.ts';
import { decideByImage } from './image-decisions.ts';
import { endProcess, launch, launchAndForget, SupervisedElsewhere, type Launched } from './launch.ts';
import { requireFreePort, resolveHost } from './local-address.ts';
import { networkExists } from './networks.ts';
import { identify, isAlive } from './process-identity.ts';
import { configOf, type RunConfig } from './run-config.ts';
import type { RunRequest } from './run-flags.ts';
import { presentState, type WorkloadState } from './state.ts';
import { stopContainer } from './stop-container.ts';
import { WorkloadStore, type StoredWorkload } from './store.ts';
import { parseNetworkRanges } from './subnets.ts';
import { onNetwork, removeLeftoverNetworks } from './workload-networks.ts';
import { removeContainers } from './workload-server.ts';

/** What a command that takes time tells while it works. */
export interface Watch {
  readonly progress: (text: string) => void;
  /** Takes what the user should know although the command succeeds. */
  readonly warn: (text: string) => void;
  readonly abort: AbortSignal;
}

/** The workloads of one home: everything the commands do with them. */
export class Workloads {
  readonly #home: Home;
  readonly #defaultFolder: string;
  readonly #environment: EngineEnvironment;
  readonly #networkRange: string | undefined;
  readonly store: WorkloadStore;

  /** @param networkRange see {@link parseNetworkRanges} */
  constructor(folder: string, defaultFolder: string, environment: EngineEnvironment, networkRange?: string) {
    this.#home = homeIn(folder, defaultFolder);
    this.#defaultFolder = defaultFolder;
    this.#environment = environment;
    this.#networkRange = networkRange;
    this.store = new WorkloadStore(this.#home);
  }

  /**
   * Runs a server and waits until it answers. A failure leaves nothing behind.
   * @returns what it became, and the hold on its supervisor.
   */
  async run(
    request: RunRequest,
    foreground: boolean,
    watch: Watch,
  ): Promise<{ state: WorkloadState; launched: Launched }> {
    const networkRange = parseNetworkRanges(this.#networkRange);
    const host = await resolveHost(request.host);
    const engine = await findEngine(this.#environment);
    try {
      await this.#checkConflicts(engine, request, host);
      const config = configOf(request, {
        containerName: containerNameOf(this.#home, request.name),
        engine: engine.address,
        host,
        networkRange,
      });
      this.store.reserve(config, identify(process.pid), new Date());
      this.#warnOfExposure(config, watch);
      let network: Promise<unknown> | undefined;
      try {
        const complete = await this.#prepareImage(engine, config, watch);
        await this.#removeLeftoverNetworks(engine);
        // The engine makes the network while the supervisor is still loading, which asks for it
        // again and sees what went wrong.
        network = onNetwork({ engine, home: this.#home, config }, () => Promise.resolve()).catch(() => undefined);
        const launched = await this.#launch(complete.name, foreground, watch);
        return { state: await this.state(config.name), launched };
      } catch (error) {
        await network;
        throw await this.#takenBack(engine, config.name, error);
      }
    } finally {
      engine.close();
    }
  }

  /**
   * Removes what a run has made that failed.
   * @returns the failure, with what could not be removed.
   */
  async #takenBack(engine: Engine, name: string, error: unknown): Promise<unknown> {
    try {
      await removeContainers(engine, this.#home, name);
      this.store.remove(name);
      return error;
    } catch (cleaning) {
      const context = `it did not start, and could not be removed: ${messageOf(cleaning)}`;
      this.store.writeStatus(name, { status: 'error', context }, new Date());
      const code = error instanceof WorkloadFailure ? error.code : 'failed';
      const text = `${messageOf(error)}; what was begun could not be removed (${messageOf(cleaning)})`;
      return new WorkloadFailure(code, text, [`gatehouse rm ${name}   when the container engine answers again`], error);
    }
  }

  #warnOfExposure(config: RunConfig, watch: Watch): void {
    const warning = exposureWarning(config.host_name ?? config.host, config.host, config.allowed_origins);
    if (warning !== undefined) watch.warn(warning);
  }

  #removeLeftoverNetworks(engine: Engine): Promise<void> {
    return removeLeftoverNetworks(engine, this.#home, (name) => this.store.has(name));
  }

  /** Starts a workload that exists; one that runs is left alone. */
  async start(name: string, watch: Watch): Promise<WorkloadState> {
    const workload = this.#require(name);
    const config = this.#configOf(workload);
    const now = await this.state(name);
    if (now.status === 'running') return now;
    if (isAlive(workload.status?.process)) {
      if (now.status === 'starting') return this.#untilSettled(name, watch.abort);
      await endProcess(workload.status?.process?.pid, () => !isAlive(workload.status?.process));
    }
    const engine = new Engine(parseEngineAddress(config.engine, 'engine'));
    try {
      await engine.ping();
      await this.#prepareImage(engine, config, watch);
      await this.#removeLeftoverNetworks(engine);
      this.#warnOfExposure(config, watch);
      const launched = await this.#launch(name, false, watch);
      launched.release();
      return await this.state(name);
    } catch (error) {
      if (error instanceof SupervisedElsewhere) return await this.#untilSettled(name, watch.abort);
      if (!watch.abort.aborted)
        this.store.writeStatus(name, { status: 'error', context: messageOf(error) }, new Date());
      else this.store.writeStatus(name, { status: 'stopped' }, new Date());
      throw error;
    } finally {
      engine.close();
    }
  }

  /** Stops a workload: its proxy and its containers. One that does not run is fine. */
  async stop(name: string): Promise<void> {
    const workload = this.#require(name);
    await this.#end(workload, 'stop');
    if (this.store.has(name)) this.store.writeStatus(name, { status: 'stopped' }, new Date());
  }

  /**
   * Removes a workload with everything that belongs to it; its port stays remembered for its name.
   */
  async remove(name: string): Promise<void> {
    const workload = this.#require(name);
    await this.#end(workload, 'remove');
    const last = this.store.remove(name);
    // A supervisor that was only just starting knows now that the workload is gone, but may have
    // made a container.
    if (last && isAlive(last)) {
      await endProcess(last.pid, () => !isAlive(last));
      await this.#end({ ...workload, status: undefined }, 'remove');
    }
  }

  /** What every workload of this home really does now, by name. */
  async list(): Promise<WorkloadState[]> {
    const workloads = this.store.list();
    const containers = new Map<string, ContainerLine[] | undefined>();
    for (const address of new Set(workloads.flatMap(({ config }) => config?.engine ?? []))) {
      containers.set(address, await this.#containersOn(address));
    }
    return workloads.map((workload) => presentState(workload, containers.get(workload.config?.engine ?? '')));
  }

  /** What one workload really does now. */
  async state(name: string): Promise<WorkloadState> {
    const workload = this.#require(name);
    return presentState(workload, await this.#containersOn(workload.config?.engine));
  }

  /**
   * Gives the workloads that should run but have lost their proxy (killed, or the machine was
   * restarted) a new one. Nobody waits for it.
   * @returns their names.
   */
  recover(states: readonly WorkloadState[]): string[] {
    const lost = states.filter(({ lost_proxy }) => lost_proxy).map(({ name }) => name);
    for (const name of lost) {
      launchAndForget({ home: this.#home, defaultFolder: this.#defaultFolder, store: this.store, name });
    }
    return lost;
  }

  /**
   * The containers of one workload on its engine, with the engine to ask about them. The caller
   * closes the engine.
   */
  async containersOf(name: string): Promise<{ engine: Engine; config: RunConfig; containers: ContainerLine[] }> {
    const config = this.#configOf(this.#require(name));
    const engine = new Engine(parseEngineAddress(config.engine, 'engine'));
    return { engine, config, containers: await listContainers(engine, labelFilters(this.#home, name)) };
  }

  #require(name: string): StoredWorkload {
    const workload = this.store.read(name);
    if (workload) return workload;
    throw new WorkloadFailure('failed', `There is no workload named '${name}'`, [
      'gatehouse list -a   shows all of them',
    ]);
  }

  #configOf(workload: StoredWorkload): RunConfig {
    if (workload.config) return workload.config;
    throw new WorkloadFailure(
      'failed',
      `The workload ${workload.name} is damaged: ${workload.problem ?? 'its state is gone'}`,
      [`gatehouse rm ${workload.name}   removes what is left of it`],
    );
  }

  async #checkConflicts(engine: Engine, request: RunRequest, host: string): Promise<void> {
    if (request.proxyPort !== undefined) {
      const owner = this.store
        .list()
        .find(({ name, config }) => name !== request.name && config?.port === request.proxyPort);
      if (owner) {
        throw new WorkloadFailure(
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
    if (named && !(await networkExists(engine, network))) {
      throw badFlag(
        `--network ${network}`,
        'is not a network of the container engine',
        `docker network create ${network}`,
      );
    }
  }

  /**
   * Makes sure that the image is there, and completes the stored configuration with what it
   * decides.
   */
  async #prepareImage(engine: Engine, config: RunConfig, { progress, abort }: Watch): Promise<RunConfig> {
    let facts = await inspectImage(engine, config.image);
    if (!facts) {
      progress(`pulling ${config.image}`);
      try {
        await pullImage(engine, config.image, (text) => progress(`pulling ${config.image}: ${text}`), abort);
      } catch (error) {
        abort.throwIfAborted();
        throw new WorkloadFailure(
          'failed',
          `The image ${config.image} is not here and cannot be pulled: ${messageOf(error)}`,
          ['check the spelling of name and tag', `docker pull ${config.image}`],
          error,
        );
      }
      facts = await inspectImage(engine, config.image);
      if (!facts)
        throw new WorkloadFailure('failed', `The engine does not have the image ${config.image} after pulling it`);
    }
    abort.throwIfAborted();
    const complete = await decideByImage(config, facts);
    this.store.writeConfig(complete);
    return complete;
  }

  #launch(name: string, foreground: boolean, { progress, abort }: Watch): Promise<Launched> {
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

  /** Ends the process in charge, then what of the containers is left. */
  async #end(workload: StoredWorkload, what: 'stop' | 'remove'): Promise<void> {
    const inCharge = workload.status?.process;
    if (isAlive(inCharge)) await endProcess(inCharge?.pid, () => !isAlive(inCharge));
    // One whose configuration cannot be read had its containers, most likely, on the engine that is
    // used now.
    const engine = workload.config
      ? new Engine(parseEngineAddress(workload.config.engine, 'engine'))
      : await findEngine(this.#environment);
    try {
      if (what === 'remove') await removeContainers(engine, this.#home, workload.name);
      else await stopContainers(engine, await listContainers(engine, labelFilters(this.#home, workload.name)));
    } finally {
      engine.close();
    }
  }

  /** The containers of this home on an engine; undefined when it does not answer. */
  async #containersOn(address: string | undefined): Promise<ContainerLine[] | undefined> {
    if (address === undefined) return undefined;
    let engine: Engine | undefined;
    try {
      engine = new Engine(parseEngineAddress(address, 'engine'));
      return await listContainers(engine, labelFilters(this.#home));
    } catch (error) {
      if (error instanceof WorkloadFailure || error instanceof EngineRefusal) return undefined;
      throw error;
    } finally {
      engine?.close();
    }
  }

  /** Waits for a start that another command is in the middle of. */
  async #untilSettled(name: string, abort: AbortSignal): Promise<WorkloadState> {
    for (;;) {
      const now = await this.state(name);
      if (now.status === 'running') return now;
      if (now.status !== 'starting') {
        throw new WorkloadFailure('failed', `${name} did not start: ${now.status_context ?? now.status}`);
      }
      abort.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function stopContainers(engine: Engine, containers: readonly ContainerLine[]): Promise<void> {
  await Promise.all(containers.filter(({ running }) => running).map(({ id }) => stopContainer(engine, id, 10)));
}
