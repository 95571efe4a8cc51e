import { WorkloadError } from '../errors/workload-error.ts';
import { describeState, type WorkloadState } from '../state/state.ts';
import type { StoredWorkload, WorkloadStore } from '../state/store.ts';
import type { Runtimes } from './runtimes.ts';

/** Reads the actual state of workloads from the store and from their runtimes. */
export class WorkloadStates {
  constructor(
    private readonly store: WorkloadStore,
    private readonly runtimes: Runtimes,
  ) {}

  /** Returns a stored workload. @throws WorkloadError (failed) when there is none of this name */
  require(name: string): StoredWorkload {
    const workload = this.store.read(name);
    if (workload) return workload;
    throw new WorkloadError('failed', `There is no workload named '${name}'`, [
      'gatehouse list -a   shows all of them',
    ]);
  }

  /** Returns the actual states of workloads, with one call for each of their runtimes. */
  async describe(workloads: readonly StoredWorkload[]): Promise<WorkloadState[]> {
    const configs = new Map(workloads.flatMap(({ config }) => (config ? [[config.engine, config] as const] : [])));
    const servers = new Map(
      await Promise.all(
        [...configs].map(async ([address, config]) => [address, await this.runtimes.listServers(config)] as const),
      ),
    );
    return workloads.map((workload) => describeState(workload, servers.get(workload.config?.engine ?? '')));
  }

  /** Returns the actual state of one workload. */
  async get(name: string): Promise<WorkloadState> {
    const workload = this.require(name);
    return describeState(workload, workload.config && (await this.runtimes.listServers(workload.config)));
  }

  /** Waits for the end of a start by another command. */
  async waitForStart(name: string, abort: AbortSignal): Promise<WorkloadState> {
    for (;;) {
      const now = await this.get(name);
      if (now.status === 'running') return now;
      if (now.status !== 'starting') {
        throw new WorkloadError('failed', `${name} did not start: ${now.status_context ?? now.status}`);
      }
      abort.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
