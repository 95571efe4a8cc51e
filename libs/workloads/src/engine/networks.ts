import { createHash } from 'node:crypto';
import { ignoreNotFound } from './containers.ts';
import { EngineResponseError, type Engine } from './engine.ts';
import { getGateway } from './subnets.ts';

/** One network of a container engine. */
export interface NetworkSummary {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly created: string;
  readonly labels: Readonly<Record<string, string>>;
  /** In CIDR notation; IPv6 too. */
  readonly subnets: readonly string[];
}

/** Whether a network of that name exists. */
export async function hasNetwork(engine: Engine, name: string): Promise<boolean> {
  return (await ignoreNotFound(engine.call('GET', `/networks/${encodeURIComponent(name)}`))) !== undefined;
}

/** Returns the addresses of a network's gateways; empty when it has none. */
export async function listNetworkGateways(engine: Engine, name: string): Promise<string[]> {
  const found = (await ignoreNotFound(engine.call('GET', `/networks/${encodeURIComponent(name)}`))) as
    { IPAM?: { Config?: { Gateway?: string }[] | null } | null } | undefined;
  return (found?.IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway || []);
}

/** Lists the networks of the engine, all or those with all of the given labels (`key=value`). */
export async function listNetworks(engine: Engine, labels: readonly string[] = []): Promise<NetworkSummary[]> {
  const filters = labels.length === 0 ? '' : `?filters=${encodeURIComponent(JSON.stringify({ label: labels }))}`;
  const found = (await engine.call('GET', `/networks${filters}`)) as {
    Id: string;
    Name: string;
    Created: string;
    Labels?: Record<string, string> | null;
    IPAM?: { Config?: { Subnet?: string }[] | null } | null;
  }[];
  return found.map(({ Id, Name, Created, Labels, IPAM }) => ({
    id: Id,
    name: Name,
    created: Created,
    labels: Labels ?? {},
    subnets: (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet || []),
  }));
}

/**
 * The kinds of networks of a workload. Containers of an open one reach the internet, and not each
 * other. An internal one has no way out, and the machine has no address in it: a container reaches
 * the egress container only, and no service of the machine.
 */
export type NetworkKind = 'open' | 'internal';

/**
 * Creates a bridge network whose containers cannot reach those of other networks. Docker separates
 * networks by default and needs an option for the containers of one network. Podman needs an option
 * that separates networks.
 * @throws EngineResponseError; see {@link isSubnetTaken}
 */
export async function createNetwork(
  engine: Engine,
  name: string,
  subnet: string,
  labels: Readonly<Record<string, string>>,
  kind: NetworkKind,
): Promise<void> {
  const isPodman = await engine.isPodman();
  if (isPodman && kind === 'internal') {
    await createPodmanInternal(engine, name, subnet, labels);
    return;
  }
  const open = isPodman ? { isolate: 'true' } : { 'com.docker.network.bridge.enable_icc': 'false' };
  await engine.call('POST', '/networks/create', {
    Name: name,
    Driver: 'bridge',
    // Docker reports the gateway of a subnet only when both were given.
    IPAM: { Config: [{ Subnet: subnet, Gateway: getGateway(subnet) }] },
    Internal: kind === 'internal',
    Options: kind === 'open' ? open : { 'com.docker.network.bridge.inhibit_ipv4': 'true' },
    Labels: labels,
  });
}

/**
 * Creates an internal network of Podman. Only its own API gives the machine no address in it: a
 * network without gateway needs one without DNS. The bridge has a name of its own, because those
 * that Podman chooses can be in use by another user's Podman.
 */
async function createPodmanInternal(
  engine: Engine,
  name: string,
  subnet: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  await engine.call('POST', '/v4.0.0/libpod/networks/create', {
    name,
    driver: 'bridge',
    network_interface: `gh${createHash('sha256').update(name).digest('hex').slice(0, 12)}`,
    internal: true,
    dns_enabled: false,
    subnets: [{ subnet }],
    labels,
  });
}

/** Whether the engine refused a network because another network or route uses its addresses. */
export function isSubnetTaken(error: unknown): boolean {
  return error instanceof EngineResponseError && /overlap|already (?:being )?used|conflicts? with/i.test(error.message);
}

/** Whether the engine could not start a container because its network has no free address. */
export function isNetworkFull(error: unknown): boolean {
  return (
    error instanceof EngineResponseError && /no available ipv4 addresses|failed to find free ip/i.test(error.message)
  );
}

/**
 * Removes a network, unless it is removed already.
 * @returns false when a container uses it
 */
export async function removeNetwork(engine: Engine, id: string): Promise<boolean> {
  try {
    await ignoreNotFound(engine.call('DELETE', `/networks/${id}`));
    return true;
  } catch (error) {
    if (error instanceof EngineResponseError) return false;
    throw error;
  }
}
