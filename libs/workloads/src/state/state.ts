import type { ListedServer } from '../runtime/runtime.ts';
import { isAlive } from './process-identity.ts';
import type { StoredWorkload } from './store.ts';

/** The state of a workload. The fields are those of `list --json`. */
export interface WorkloadState {
  readonly name: string;
  /** The image, or the package that it is built from. */
  readonly package: string;
  /** The URL for MCP clients. */
  readonly url: string;
  readonly port: number;
  readonly transport_type: string;
  readonly status: 'starting' | 'running' | 'unhealthy' | 'stopping' | 'stopped' | 'error';
  readonly status_context?: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  /** It should run, but its supervisor has ended. */
  readonly lost_proxy: boolean;
}

/** Returns the URL for clients. A proxy on all addresses is reached over loopback. */
function getUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}/mcp`;
}

type ActualStatus = Pick<WorkloadState, 'status' | 'status_context'> & { readonly lost_proxy?: boolean };

/**
 * Determines the actual status from the stored one, the supervisor process and the containers
 * (undefined: the engine does not answer).
 */
function determineStatus(workload: StoredWorkload, containers: readonly ListedServer[] | undefined): ActualStatus {
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
  if (!alive && status.first_start === true) {
    return { status: 'error', status_context: 'the command that started it ended before it was ready' };
  }
  if (!alive) return { status: 'unhealthy', status_context: 'its proxy process does not run', lost_proxy: true };
  if (status.status === 'starting') return { status: 'starting', ...context };
  if (containers === undefined) return { status: 'unhealthy', status_context: 'the container engine does not answer' };
  if (running !== true) return { status: 'unhealthy', status_context: 'its container does not run' };
  return { status: 'running' };
}

/** Describes the actual state of a workload. */
export function describeState(
  workload: StoredWorkload,
  containers: readonly ListedServer[] | undefined,
): WorkloadState {
  const { config } = workload;
  return {
    name: workload.name,
    package: config?.source ?? config?.image ?? '',
    url: config && config.port !== 0 ? getUrl(config.host, config.port) : '',
    port: config?.port ?? 0,
    transport_type: config?.transport ?? '',
    created_at: workload.status?.created_at ?? '',
    group: config?.group ?? 'default',
    labels: config?.container_labels ?? {},
    lost_proxy: false,
    ...determineStatus(workload, containers),
  };
}
