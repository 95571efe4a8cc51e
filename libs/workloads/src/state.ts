import type { ContainerLine } from './containers.ts';
import { isAlive } from './process-identity.ts';
import type { StoredWorkload } from './store.ts';

/** One workload as the commands show it; field names of `list --json`. */
export interface WorkloadState {
  readonly name: string;
  /** The image. */
  readonly package: string;
  /** What MCP clients are given. */
  readonly url: string;
  readonly port: number;
  readonly transport_type: string;
  readonly status: 'starting' | 'running' | 'unhealthy' | 'stopping' | 'stopped' | 'error';
  readonly status_context?: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  /** It should run, but nothing is in charge of it any more. */
  readonly lost_proxy: boolean;
}

/** The address that clients use: any-address binds are reached over loopback. */
function urlOf(host: string, port: number): string {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}/mcp`;
}

type Verdict = Pick<WorkloadState, 'status' | 'status_context'> & { readonly lost_proxy?: boolean };

/**
 * Holds what was written against what is so: the process in charge, and the containers (undefined:
 * the engine does not answer).
 */
function judge(workload: StoredWorkload, containers: readonly ContainerLine[] | undefined): Verdict {
  const { status, config, problem } = workload;
  if (!config || !status) return { status: 'error', status_context: problem ?? 'its state is incomplete' };
  const context = status.context === undefined ? {} : { status_context: status.context };
  const alive = isAlive(status.process);
  const running = containers?.some((container) => container.workload === workload.name && container.running);
  if (status.status === 'error') return { status: 'error', ...context };
  if (status.status === 'stopped') {
    return running === true
      ? { status: 'unhealthy', status_context: 'it was stopped, but its container runs' }
      : { status: 'stopped', ...context };
  }
  if (status.status === 'stopping') return { status: alive ? 'stopping' : 'stopped' };
  if (!alive && status.status === 'starting' && (config.port === 0 || config.transport === '')) {
    return { status: 'error', status_context: 'the command that was starting it ended before it was ready' };
  }
  if (!alive) return { status: 'unhealthy', status_context: 'its proxy process does not run', lost_proxy: true };
  if (status.status === 'starting') return { status: 'starting', ...context };
  if (containers === undefined) return { status: 'unhealthy', status_context: 'the container engine does not answer' };
  if (running !== true) return { status: 'unhealthy', status_context: 'its container does not run' };
  return { status: 'running' };
}

/** What a workload does now. */
export function presentState(
  workload: StoredWorkload,
  containers: readonly ContainerLine[] | undefined,
): WorkloadState {
  const { config } = workload;
  return {
    name: workload.name,
    package: config?.image ?? '',
    url: config && config.port !== 0 ? urlOf(config.host, config.port) : '',
    port: config?.port ?? 0,
    transport_type: config?.transport ?? '',
    created_at: workload.status?.created_at ?? '',
    group: config?.group ?? 'default',
    labels: config?.container_labels ?? {},
    lost_proxy: false,
    ...judge(workload, containers),
  };
}
