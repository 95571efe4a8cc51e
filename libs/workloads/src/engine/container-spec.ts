import type { Home } from '../state/home.ts';
import { createLimitsBody } from '../flags/resource-limits.ts';
import type { Mount } from '../mounts/mount.ts';
import { getLimits, getPublishedPorts } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { ROLE_LABEL } from './containers.ts';
import { createServerVariables } from '../configuration/server-variables.ts';

/**
 * The access of the proxy to a port of the container: through a port published on loopback, at the
 * container's own address, or none.
 */
export type PortAccess = 'published' | 'direct' | 'none';

/** The network of a container. */
export interface NetworkAttachment {
  /** The id of a network, or a network mode of the engine. */
  readonly network: string;
  /** The address of the container; undefined: any free one. */
  readonly address?: string;
  /** The ids of further networks, which the container joins before its start. */
  readonly others?: readonly string[];
  /** The egress part of an isolated network. */
  readonly isolation?: {
    readonly proxyUrl: string;
    readonly nameserver: string;
    /** Whether the network has IPv6, by which a link-local address leads to the machine. */
    readonly disablesIpv6: boolean;
  };
}

/** Returns the labels of every container of a workload. */
export function createWorkloadLabels(home: Home, config: RunConfig): Record<string, string> {
  return {
    gatehouse: 'true',
    'gatehouse-home': home.id,
    'gatehouse-name': config.name,
    'gatehouse-basename': config.base_name ?? config.name,
    'gatehouse-transport': config.transport,
    'gatehouse-port': String(config.port),
    'gatehouse-network-isolation': String(config.isolate_network),
  };
}

/** Returns the label filters for the containers of a workload, or of the whole home. */
export function createLabelFilters(home: Home, name?: string): string[] {
  return ['gatehouse=true', `gatehouse-home=${home.id}`, ...(name === undefined ? [] : [`gatehouse-name=${name}`])];
}

/** The parts of a container that each start determines anew. */
interface StartInputs {
  /** The values of secrets by the names of their variables. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
}

const listVariables = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).map(([key, value]) => `${key}=${value}`);

/** The right and the limit that only a permission profile changes. */
function createRights(
  { permission_profile: profile }: RunConfig,
  mounts: readonly Mount[],
): { Privileged?: true; ReadonlyRootfs?: true; Tmpfs?: Record<string, string> } {
  const { privileged, read_only_root } = profile ?? {};
  const hasMountAtTmp = mounts.some(({ target }) => target === '/tmp');
  return {
    ...(privileged === true && { Privileged: true }),
    ...(read_only_root === true && { ReadonlyRootfs: true }),
    ...(read_only_root === true && !hasMountAtTmp && { Tmpfs: { '/tmp': 'rw,nosuid,nodev,mode=1777' } }),
  };
}

/**
 * Returns the body of the engine's create call. The container has no capabilities, no new
 * privileges, no terminal, a log of limited size and limited resources. It has no restart policy,
 * because the supervisor restarts it. A stdio container ends with its attachment and is then
 * removed.
 * @param secrets values by variable, which win over other variables
 */
export function createContainerSpec(
  config: RunConfig,
  labels: Record<string, string>,
  attachment: NetworkAttachment,
  access: PortAccess,
  { secrets, mounts }: StartInputs,
): unknown {
  const { network, address, isolation } = attachment;
  const stdio = config.transport === 'stdio';
  const exposed: Record<string, object> = {};
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  const publish = (port: number, binding: { HostIp: string; HostPort: string }) => {
    exposed[`${port}/tcp`] = {};
    (bindings[`${port}/tcp`] ??= []).push(binding);
  };
  if (!stdio && access === 'published' && config.target_port !== undefined) {
    publish(config.target_port, { HostIp: '127.0.0.1', HostPort: '' });
  }
  // The egress container of an isolated network publishes the ports.
  for (const { host, container } of isolation ? [] : getPublishedPorts(config)) {
    publish(container, { HostIp: '', HostPort: host === undefined ? '' : String(host) });
  }
  return {
    Image: config.image,
    ...(config.cmd_args.length > 0 && { Cmd: config.cmd_args }),
    Env: listVariables({ ...createServerVariables(config, network, isolation?.proxyUrl), ...secrets }),
    Labels: { ...config.container_labels, ...labels, [ROLE_LABEL]: 'server' },
    Tty: false,
    AttachStdin: stdio,
    AttachStdout: stdio,
    AttachStderr: stdio,
    OpenStdin: stdio,
    StdinOnce: stdio,
    ...(Object.keys(exposed).length > 0 && { ExposedPorts: exposed }),
    ...(address !== undefined && {
      NetworkingConfig: { EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: address } } } },
    }),
    HostConfig: {
      NetworkMode: network,
      ...(isolation && { Dns: [isolation.nameserver], DnsSearch: ['.'] }),
      ...(isolation?.disablesIpv6 === true && { Sysctls: { 'net.ipv6.conf.all.disable_ipv6': '1' } }),
      RestartPolicy: { Name: 'no' },
      AutoRemove: stdio,
      // The output of a stdio server is the protocol; it goes to the attachment, not to a log.
      LogConfig: stdio
        ? { Type: 'none', Config: {} }
        : { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
      ...createLimitsBody(getLimits(config)),
      CapDrop: ['ALL'],
      ...createRights(config, mounts),
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      PortBindings: bindings,
      Mounts: mounts.map((mount) => ({
        Type: 'bind',
        Source: mount.source,
        Target: mount.target,
        ReadOnly: mount.readOnly,
      })),
    },
  };
}
