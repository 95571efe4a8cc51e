import { createHash } from 'node:crypto';
import { getPublishedPorts } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { IngressPort } from '../isolation/ingress.ts';
import type { SidecarSettings } from '../isolation/workload-rules.ts';
import { EGRESS_LABEL, ROLE_LABEL } from './containers.ts';

/** Limits of an egress container, which is that of many workloads. */
const MEMORY_BYTES = 512 * 1024 * 1024;
const PIDS = 64;

/** The parts of an egress container. */
export interface EgressParts {
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The network with a way out: its id, and its subnet in CIDR notation. */
  readonly outside: { readonly id: string; readonly subnet: string };
  /** Whether this machine is that of the engine. */
  readonly isLocal: boolean;
  readonly isPodman: boolean;
  /** The workload whose ports the engine publishes at this container. Undefined: it is shared. */
  readonly publishes?: RunConfig | undefined;
}

/**
 * Whether a workload needs an egress container of its own: the engine publishes ports only at the
 * creation of a container.
 * @param isLocal whether this machine reaches the addresses of containers
 */
export function needsOwnEgress({ transport, publish, target_host: host }: RunConfig, isLocal: boolean): boolean {
  return publish.length > 0 || (transport !== 'stdio' && (!isLocal || host !== undefined));
}

/**
 * Returns the ports of the server that are reached from outside.
 * @param host the address of the container of the server
 */
export function listIngressPorts(config: RunConfig, host: string, isShared: boolean): IngressPort[] {
  const target = config.transport === 'stdio' ? undefined : config.target_port;
  const published = getPublishedPorts(config).map(({ container }) => container);
  const ports = new Set([...(target === undefined ? [] : [target]), ...published]);
  return [...ports].map((port) => ({ port, host, isPublished: !isShared }));
}

function createBindings(config: RunConfig): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  const publish = (port: number, binding: { HostIp: string; HostPort: string }) =>
    (bindings[`${port}/tcp`] ??= []).push(binding);
  if (config.transport !== 'stdio' && config.target_port !== undefined)
    publish(config.target_port, { HostIp: '127.0.0.1', HostPort: '' });
  for (const { host, container } of getPublishedPorts(config))
    publish(container, { HostIp: '', HostPort: host === undefined ? '' : String(host) });
  return bindings;
}

/**
 * Returns the body of the engine's create call for an egress container. The container has no
 * capabilities and a read-only root. It is created in the network that reaches the internet, and it
 * joins the internal networks afterwards. The engine removes it at its end.
 */
export function createEgressSpec(parts: EgressParts): {
  readonly body: { readonly Labels: Readonly<Record<string, string>> };
  readonly hash: string;
} {
  const { image, labels, outside, isLocal, isPodman, publishes } = parts;
  const settings: SidecarSettings = { outside: outside.subnet, probesGateways: !isLocal };
  const bindings = publishes === undefined ? {} : createBindings(publishes);
  const identity = JSON.stringify([image, settings, bindings, outside.id]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const body: { Labels: Record<string, string>; [member: string]: unknown } = {
    Image: image,
    Cmd: [JSON.stringify(settings)],
    Labels: { ...labels, [EGRESS_LABEL]: hash, [ROLE_LABEL]: 'egress' },
    Tty: false,
    OpenStdin: true,
    StdinOnce: false,
    ExposedPorts: Object.fromEntries(Object.keys(bindings).map((port) => [port, {}])),
    HostConfig: {
      NetworkMode: outside.id,
      RestartPolicy: { Name: 'no' },
      AutoRemove: true,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      Memory: MEMORY_BYTES,
      PidsLimit: PIDS,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      Sysctls: { 'net.ipv4.ip_forward': '0', 'net.ipv4.ip_unprivileged_port_start': '0' },
      // Podman names the machine host.containers.internal by itself.
      ExtraHosts: isPodman ? [] : ['host.docker.internal:host-gateway', 'gateway.docker.internal:host-gateway'],
      PortBindings: bindings,
    },
  };
  return { body, hash };
}
