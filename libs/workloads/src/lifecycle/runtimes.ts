import type { RunConfig } from '../configuration/run-config.ts';
import type { EngineEnvironment } from '../engine/engine-address.ts';
import { EngineRuntime, type EngineRuntimeParts } from '../engine/engine-runtime.ts';
import { EngineResponseError, findEngine } from '../engine/engine.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { ListedServer, Runtime } from '../runtime/runtime.ts';
import type { StoredWorkload } from '../state/store.ts';

/** Opens the runtimes of the workloads of one home. */
export class Runtimes {
  constructor(private readonly parts: EngineRuntimeParts & { readonly environment: EngineEnvironment }) {}

  /** Finds the runtime of new workloads. @throws WorkloadError (no-engine) */
  async find(): Promise<Runtime> {
    return new EngineRuntime(await findEngine(this.parts.environment), this.parts);
  }

  /** Opens the runtime of an existing workload. */
  open({ engine }: RunConfig): Promise<Runtime> {
    return Promise.resolve(EngineRuntime.open(engine, this.parts));
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

  /** Lists the servers of this home on a runtime; undefined when it does not answer. */
  async listServers(config: RunConfig): Promise<readonly ListedServer[] | undefined> {
    try {
      return await closeAfter(await this.open(config), (runtime) => runtime.list());
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
