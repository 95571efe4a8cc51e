import { setTimeout as sleep } from 'node:timers/promises';
import type { RunConfig } from '../configuration/run-config.ts';
import type { EngineEnvironment } from '../engine/engine-address.ts';
import { EngineRuntime, type EngineRuntimeParts } from '../engine/engine-runtime.ts';
import { EngineResponseError, findEngine } from '../engine/engine.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { type ClusterSelection, isClusterAddress, type KubernetesSettings } from '../flags/cluster-address.ts';
import { REMOTE_ADDRESS } from '../flags/remote-address.ts';
import type { CommandContext, ListedServer, Runtime } from '../runtime/runtime.ts';
import type { StoredWorkload } from '../state/store.ts';

/** Maximum time until a runtime lists its servers. A remote engine takes seconds to connect. */
const LIST_TIMEOUT_MS = 10_000;

/** The parts of {@link Runtimes}. */
export interface RuntimesParts extends EngineRuntimeParts {
  readonly environment: EngineEnvironment;
  readonly kubernetes: KubernetesSettings;
}

/** Opens the runtimes of the workloads of one home. */
export class Runtimes {
  constructor(private readonly parts: RuntimesParts) {}

  /**
   * Finds the runtime of new workloads.
   * @param cluster undefined: the container engine
   * @param isRemote whether the server runs elsewhere, and needs only a proxy
   * @throws WorkloadError (no-engine)
   */
  async find(cluster?: ClusterSelection, isRemote = false): Promise<Runtime> {
    if (isRemote) return this.openRemote();
    if (cluster === undefined) return new EngineRuntime(await findEngine(this.parts.environment), this.parts);
    const { findKubernetesRuntime } = await import('../kubernetes/kubernetes-runtime.ts');
    return findKubernetesRuntime(cluster, this.clusterParts);
  }

  /** Opens the runtime of an existing workload. */
  async open({ engine }: RunConfig): Promise<Runtime> {
    if (engine === REMOTE_ADDRESS) return this.openRemote();
    if (!isClusterAddress(engine)) return EngineRuntime.open(engine, this.parts);
    const { openKubernetesRuntime } = await import('../kubernetes/kubernetes-runtime.ts');
    return openKubernetesRuntime(engine, this.clusterParts);
  }

  private async openRemote(): Promise<Runtime> {
    const { RemoteRuntime } = await import('../remote/remote-runtime.ts');
    return new RemoteRuntime(this.parts);
  }

  /**
   * Builds the image of the proxy of workloads in a cluster.
   * @param pushes whether it is pushed to the registry of the settings
   */
  async buildProxyImage(pushes: boolean, context: CommandContext): Promise<string> {
    const { buildProxyImage } = await import('../kubernetes/proxy-image.ts');
    return buildProxyImage(this.clusterParts, pushes, context);
  }

  private get clusterParts() {
    return { ...this.parts, settings: this.parts.kubernetes };
  }

  /** Finds the runtime of new workloads for one operation. */
  async withNew<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
    return closeAfter(await this.find(), work);
  }

  /**
   * Opens the runtime of a workload for one operation. A workload with an unreadable configuration
   * most likely used the current runtime.
   */
  async withRuntime<T>({ config }: Pick<StoredWorkload, 'config'>, work: (runtime: Runtime) => Promise<T>): Promise<T> {
    return closeAfter(await (config ? this.open(config) : this.find()), work);
  }

  /**
   * Lists the servers of this home on a runtime; undefined when it does not answer in
   * {@link LIST_TIMEOUT_MS}.
   */
  async listServers(config: RunConfig): Promise<readonly ListedServer[] | undefined> {
    const limit = sleep(LIST_TIMEOUT_MS, undefined, { ref: false });
    return this.ask(config, (runtime) => Promise.race([runtime.list(), limit]));
  }

  /** Returns the user of an image on the runtime of a workload; undefined where it is not known. */
  findImageUser(config: RunConfig, image: string): Promise<string | undefined> {
    return this.ask(config, (runtime) => runtime.findImageUser(image));
  }

  /** Asks the runtime of a workload; undefined when it does not answer or refuses. */
  private async ask<T>(config: RunConfig, work: (runtime: Runtime) => Promise<T>): Promise<T | undefined> {
    try {
      return await closeAfter(await this.open(config), work);
    } catch (error) {
      if (isUnreachable(error)) return undefined;
      throw error;
    }
  }
}

/** Whether an error says that the runtime does not answer or refuses. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof WorkloadError || error instanceof EngineResponseError;
}

async function closeAfter<T>(runtime: Runtime, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  try {
    return await work(runtime);
  } finally {
    runtime.close();
  }
}
