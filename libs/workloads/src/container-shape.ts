import { isIP } from 'node:net';
import type { Home } from './home.ts';
import { limitsBody } from './resource-limits.ts';
import { limitsOf, mountsOf, publishedOf, type RunConfig } from './run-config.ts';

/**
 * How the process in front reaches a container's port: through a port published on loopback, or
 * straight at its address.
 */
export type Reach = 'published' | 'direct' | 'none';

/** The labels that every container of a workload carries. */
export function workloadLabels(home: Home, config: RunConfig): Record<string, string> {
  return {
    gatehouse: 'true',
    'gatehouse-home': home.id,
    'gatehouse-name': config.name,
    'gatehouse-basename': config.base_name,
    'gatehouse-transport': config.transport,
    'gatehouse-port': String(config.port),
    'gatehouse-network-isolation': 'false',
  };
}

/** The label filters that select a workload's containers, or those of the whole home. */
export function labelFilters(home: Home, name?: string): string[] {
  return ['gatehouse=true', `gatehouse-home=${home.id}`, ...(name === undefined ? [] : [`gatehouse-name=${name}`])];
}

/**
 * Whether a network mode gives the container no network of its own whose ports could be published.
 */
export function sharesNetwork(mode: string): boolean {
  return mode === 'host' || mode === 'none' || mode.startsWith('container:');
}

/** The variables that tell a server how it is spoken to; what the user set wins. */
function serverEnvironment(config: RunConfig, mode: string): Record<string, string> {
  const own: Record<string, string> = { MCP_TRANSPORT: config.transport };
  if (config.transport !== 'stdio' && config.target_port !== undefined) {
    own['MCP_PORT'] = String(config.target_port);
    own['FASTMCP_PORT'] = String(config.target_port);
    // Inside a network of its own the server must listen on all addresses to be reached at all.
    own['MCP_HOST'] = mode === 'host' ? '127.0.0.1' : '0.0.0.0';
    if (config.target_host !== undefined && isIP(config.target_host) !== 0 && mode === 'host')
      own['MCP_HOST'] = config.target_host;
  }
  return { ...own, ...config.env_vars };
}

/**
 * The body of the engine's create call: no capabilities, no new privileges, no restart policy (the
 * supervisor restarts), no terminal, a bounded log, and bounded memory, processor time and number
 * of processes. A stdio container lives as long as its attachment and leaves nothing behind.
 */
export function containerBody(
  config: RunConfig,
  labels: Record<string, string>,
  network: string,
  reach: Reach,
): unknown {
  const stdio = config.transport === 'stdio';
  const exposed: Record<string, object> = {};
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  const publish = (port: number, binding: { HostIp: string; HostPort: string }) => {
    exposed[`${port}/tcp`] = {};
    (bindings[`${port}/tcp`] ??= []).push(binding);
  };
  if (!stdio && reach === 'published' && config.target_port !== undefined) {
    publish(config.target_port, { HostIp: '127.0.0.1', HostPort: '' });
  }
  for (const { host, container } of publishedOf(config)) {
    publish(container, { HostIp: '', HostPort: host === undefined ? '' : String(host) });
  }
  return {
    Image: config.image,
    ...(config.cmd_args.length > 0 && { Cmd: config.cmd_args }),
    Env: Object.entries(serverEnvironment(config, network)).map(([key, value]) => `${key}=${value}`),
    Labels: { ...config.container_labels, ...labels },
    Tty: false,
    AttachStdin: stdio,
    AttachStdout: stdio,
    AttachStderr: stdio,
    OpenStdin: stdio,
    StdinOnce: stdio,
    ...(Object.keys(exposed).length > 0 && { ExposedPorts: exposed }),
    HostConfig: {
      NetworkMode: network,
      RestartPolicy: { Name: 'no' },
      AutoRemove: stdio,
      // What a stdio server writes is the protocol: it goes to the attachment and is nobody's log.
      LogConfig: stdio
        ? { Type: 'none', Config: {} }
        : { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
      ...limitsBody(limitsOf(config)),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      PortBindings: bindings,
      Mounts: mountsOf(config).map((mount) => ({
        Type: 'bind',
        Source: mount.source,
        Target: mount.target,
        ReadOnly: mount.readOnly,
      })),
    },
  };
}
