import { createHash } from 'node:crypto';
import { getPublishedPorts } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { EgressPolicy } from '../isolation/egress-policy.ts';
import { EGRESS_LABEL } from './containers.ts';
import type { SidecarSettings } from '../isolation/sidecar-settings.ts';
import { getIsolatedAddresses } from './subnets.ts';
import type { WorkloadNetwork } from './workload-networks.ts';

/** Limits of an egress container. */
const MEMORY_BYTES = 256 * 1024 * 1024;
const PIDS = 64;

/** The parts of an egress container. */
export interface EgressParts {
  readonly image: string;
  readonly config: RunConfig;
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: EgressPolicy;
  readonly outside: WorkloadNetwork;
  readonly inside: WorkloadNetwork;
  /** Addresses of the machine of the engine, where they are known. */
  readonly machine: readonly string[];
  /** Whether this machine is that of the engine. */
  readonly isLocal: boolean;
  /** Whether the proxy needs a port on loopback, or reaches the container itself. */
  readonly publishesServer: boolean;
}

/** Returns the ports of the server that are reached from outside. */
function listIngressPorts(config: RunConfig): number[] {
  const target = config.transport === 'stdio' ? undefined : config.target_port;
  const published = getPublishedPorts(config).map(({ container }) => container);
  return [...new Set([...(target === undefined ? [] : [target]), ...published])];
}

/**
 * Returns the body of the engine's create call for the egress container of a workload. The
 * container has no capabilities and a read-only root. It is created in the network that reaches the
 * internet, and it joins the internal networks before its start.
 */
export function createEgressSpec(parts: EgressParts): { readonly body: unknown; readonly hash: string } {
  const { config, outside, inside, policy } = parts;
  const { server } = getIsolatedAddresses(inside.subnet);
  const settings: SidecarSettings = {
    policy,
    outside: outside.subnet,
    probesGateways: !parts.isLocal,
    machine: parts.machine,
    nameserver: config.egress_nameserver,
    ingress: listIngressPorts(config).map((port) => ({ port, host: server })),
  };
  const exposed: Record<string, object> = {};
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  const publish = (port: number, binding: { HostIp: string; HostPort: string }) => {
    exposed[`${port}/tcp`] = {};
    (bindings[`${port}/tcp`] ??= []).push(binding);
  };
  if (parts.publishesServer && config.transport !== 'stdio' && config.target_port !== undefined)
    publish(config.target_port, { HostIp: '127.0.0.1', HostPort: '' });
  for (const { host, container } of getPublishedPorts(config))
    publish(container, { HostIp: '', HostPort: host === undefined ? '' : String(host) });
  // The addresses of the machine change with its networks; they do not make another container.
  const identity = JSON.stringify([parts.image, { ...settings, machine: [] }, bindings, outside.id, inside.id]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const body = {
    Image: parts.image,
    Cmd: [JSON.stringify(settings)],
    Labels: { ...parts.labels, [EGRESS_LABEL]: hash },
    Tty: false,
    ...(Object.keys(exposed).length > 0 && { ExposedPorts: exposed }),
    HostConfig: {
      NetworkMode: outside.id,
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      Memory: MEMORY_BYTES,
      PidsLimit: PIDS,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      Sysctls: { 'net.ipv4.ip_forward': '0', 'net.ipv4.ip_unprivileged_port_start': '0' },
      ExtraHosts: ['host.docker.internal:host-gateway', 'gateway.docker.internal:host-gateway'],
      PortBindings: bindings,
    },
  };
  return { body, hash };
}
