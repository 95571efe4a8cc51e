import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { identifyProcess, isAlive } from '../state/process-identity.ts';
import type { StoredWorkload, WorkloadStore } from '../state/store.ts';
import { endProcess } from '../supervision/launch.ts';
import { isUnreachable, type Runtimes } from './runtimes.ts';
import type { WorkloadStates } from './states.ts';

/** Stops and removes workloads. */
export class WorkloadRemoval {
  constructor(
    private readonly store: WorkloadStore,
    private readonly runtimes: Runtimes,
    private readonly states: WorkloadStates,
  ) {}

  /** Stops the proxy and the servers of a workload, if any run. */
  async stop(name: string): Promise<void> {
    const workload = this.states.require(name);
    this.store.requestStop(name, new Date());
    await this.runtimes.withRuntime(workload, (runtime) => runtime.stop(name));
    const now = this.store.read(name);
    // A live process belongs to a command that has started the workload meanwhile.
    if (now && !isAlive(now.status?.process))
      this.store.writeStatus(name, { status: 'stopped', stop_requested: true }, new Date());
  }

  /** Removes a workload with all its parts. The store keeps the port of its name. */
  async remove(name: string): Promise<void> {
    const workload = this.states.require(name);
    const command = identifyProcess(process.pid);
    if (command !== undefined) this.store.markRemoval(name, command);
    try {
      await this.runtimes.withRuntime(workload, (runtime) => runtime.remove(name));
    } catch (error) {
      this.store.clearRemoval(name);
      throw error;
    }
    const last = this.store.remove(name);
    // A supervisor that was starting may have created a container after the removal.
    if (last && isAlive(last)) {
      await endProcess(last.pid, () => !isAlive(last));
      await this.runtimes.withRuntime(workload, (runtime) => runtime.remove(name));
    }
  }

  /**
   * Removes the containers, networks and state of a failed run.
   * @returns the error, extended when the removal failed too.
   */
  async rollBack(runtime: Runtime, name: string, error: unknown): Promise<unknown> {
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
   * @param workloads the workloads as the caller has read them; default: all
   * @returns whether there were any
   */
  async removeInterrupted(workloads?: readonly StoredWorkload[]): Promise<boolean> {
    if (this.store.listInterrupted(workloads).length === 0) return false;
    await this.store.withRemovalLock(async () => {
      for (const name of this.store.listInterrupted()) await this.remove(name).catch(ignoreUnreachable);
    });
    return true;
  }
}

/** @throws the error, unless it says that the runtime does not answer or refuses */
function ignoreUnreachable(error: unknown): void {
  if (!isUnreachable(error)) throw error;
}
