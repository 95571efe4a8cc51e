import type { RunConfig } from '../configuration/run-config.ts';
import { getEndpointPath } from '../configuration/endpoint-path.ts';
import { isClusterAddress, parseClusterAddress } from '../flags/cluster-address.ts';
import { getServicePort } from '../flags/cluster-address.ts';
import { showUrl } from '../flags/remote-address.ts';
import type { ListedServer } from '../runtime/runtime.ts';
import { isAlive, isOfEarlierBoot } from './process-identity.ts';
import type { StoredWorkload } from './store.ts';

/** The state of a workload. The fields are those of `list --json`. */
export interface WorkloadState {
  readonly name: string;
  /** The image, the package that it is built from, or the URL of a remote server. */
  readonly package: string;
  /** The URL for MCP clients. */
  readonly url: string;
  readonly port: number;
  readonly transport_type: string;
  readonly status: 'starting' | 'running' | 'unhealthy' | 'stopping' | 'stopped' | 'removing' | 'error';
  readonly status_context?: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** The time of the last start of a server that runs, ISO 8601. */
  readonly started_at?: string;
  /** How often the server has been started again since the last start of the workload. */
  readonly restarts: number;
  /** The image of the containers; empty while a package is not built. */
  readonly image: string;
  readonly network_isolation: boolean;
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  /** It should run, but its supervisor has ended. */
  readonly lost_proxy: boolean;
}

/** Returns the port for clients; 0 while it is not known. */
const getPort = (config: RunConfig): number => (isClusterAddress(config.engine) ? getServicePort(config) : config.port);

/** Returns the URL for clients. A proxy on all addresses is reached over loopback. */
function getUrl(config: RunConfig): string {
  const { name, host, engine } = config;
  const port = getPort(config);
  if (port === 0) return '';
  if (isClusterAddress(engine))
    return `http://${name}.${parseClusterAddress(engine).namespace}.svc.cluster.local:${port}${getEndpointPath(config)}`;
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}${getEndpointPath(config)}`;
}

const SHUT_DOWN = 'its proxy was ended by a signal; gatehouse start --all starts it again';

type ActualStatus = Pick<WorkloadState, 'status' | 'status_context'> & { readonly lost_proxy?: boolean };

/**
 * Determines the actual status from the stored one, the supervisor process and the containers
 * (undefined: the engine does not answer).
 */
function determineStatus(workload: StoredWorkload, containers: readonly ListedServer[] | undefined): ActualStatus {
  const { status, config, problem, removal } = workload;
  if (removal !== undefined) {
    const interrupted = `its removal was interrupted; gatehouse rm ${workload.name} finishes it`;
    return { status: 'removing', ...(!isAlive(removal) && { status_context: interrupted }) };
  }
  if (!config || !status) return { status: 'error', status_context: problem ?? 'its state is incomplete' };
  const context = status.context === undefined ? {} : { status_context: status.context };
  const alive = isAlive(status.process);
  const running = containers?.some((container) => container.workload === workload.name && container.running);
  if (status.status === 'error') return { status: 'error', ...context };
  if (status.status === 'stopped') {
    if (status.shut_down && status.process && isOfEarlierBoot(status.process))
      return { status: 'unhealthy', status_context: 'it ran when the machine was shut down', lost_proxy: true };
    return running === true
      ? { status: 'unhealthy', status_context: 'it was stopped, but its container runs' }
      : { status: 'stopped', ...context, ...(status.shut_down && { status_context: SHUT_DOWN }) };
  }
  if (status.status === 'stopping') return { status: alive ? 'stopping' : 'stopped' };
  if (isClusterAddress(config.engine) && status.first_start !== true)
    return alive ? { status: 'starting' } : describeReported(workload.name, containers);
  if (!alive && status.first_start === true) {
    return { status: 'error', status_context: 'the command that started it ended before it was ready' };
  }
  if (!alive) return { status: 'unhealthy', status_context: 'its proxy process does not run', lost_proxy: true };
  if (status.status === 'starting') return { status: 'starting', ...context };
  if (containers === undefined) return { status: 'unhealthy', status_context: 'the container engine does not answer' };
  if (running !== true) return { status: 'unhealthy', status_context: 'its container does not run' };
  // The supervisor stores the reason while the server does not answer.
  return status.context === undefined ? { status: 'running' } : { status: 'unhealthy', ...context };
}

const findReported = (name: string, servers: readonly ListedServer[] | undefined) =>
  servers?.find(({ workload }) => workload === name)?.reported;

/** The status of a workload in a cluster, which holds the truth about it. */
function describeReported(name: string, servers: readonly ListedServer[] | undefined): ActualStatus {
  if (servers === undefined) return { status: 'unhealthy', status_context: 'the cluster does not answer' };
  const reported = findReported(name, servers);
  if (reported === undefined || reported.status === 'stopped')
    return { status: 'unhealthy', status_context: `it has no pods; gatehouse start ${name} creates them` };
  const { status, context } = reported;
  return { status, ...(context !== undefined && { status_context: context }) };
}

/** The query of a remote server can have a secret. */
function describeSource({ remote_url: remote, source, image }: RunConfig): string {
  if (remote === undefined) return source ?? image;
  const url = URL.parse(remote);
  return url === null ? '' : showUrl(url);
}

/** Describes the actual state of a workload. */
export function describeState(
  workload: StoredWorkload,
  containers: readonly ListedServer[] | undefined,
): WorkloadState {
  const { config, status } = workload;
  const actual = determineStatus(workload, containers);
  const hasServer = actual.status === 'running' || actual.status === 'unhealthy';
  return {
    name: workload.name,
    package: config ? describeSource(config) : '',
    url: config ? getUrl(config) : '',
    port: config ? getPort(config) : 0,
    transport_type: config?.transport ?? '',
    created_at: status?.created_at ?? '',
    ...(hasServer && status?.started_at !== undefined && { started_at: status.started_at }),
    restarts: findReported(workload.name, containers)?.restarts ?? status?.restarts ?? 0,
    image: config?.image ?? '',
    network_isolation: config?.isolate_network ?? false,
    group: config?.group ?? 'default',
    labels: config?.container_labels ?? {},
    lost_proxy: false,
    ...actual,
  };
}

/** Whether `start --all` starts a workload: no command has stopped it, and none removes it. */
export function shouldRun({ status, removal }: StoredWorkload): boolean {
  if (removal !== undefined) return false;
  if (status?.status === 'stopped') return status.shut_down === true;
  return status?.stop_requested !== true || isAlive(status.process);
}
