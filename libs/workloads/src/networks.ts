import { unlessMissing } from './containers.ts';
import { EngineRefusal, type Engine } from './engine.ts';
import { gatewayOf } from './subnets.ts';

/** One network of a container engine. */
export interface NetworkLine {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly created: string;
  readonly labels: Readonly<Record<string, string>>;
  /** In CIDR notation; IPv6 too. */
  readonly subnets: readonly string[];
}

/** Whether a network of that name exists. */
export async function networkExists(engine: Engine, name: string): Promise<boolean> {
  return (await unlessMissing(engine.call('GET', `/networks/${encodeURIComponent(name)}`))) !== undefined;
}

/** The addresses of a network's own gateways; empty when it has none. */
export async function networkGateways(engine: Engine, name: string): Promise<string[]> {
  const found = (await unlessMissing(engine.call('GET', `/networks/${encodeURIComponent(name)}`))) as
    { IPAM?: { Config?: { Gateway?: string }[] | null } | null } | undefined;
  return (found?.IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway || []);
}

/** All networks of the engine, or those with all of the given labels (`key=value`). */
export async function listNetworks(engine: Engine, labels: readonly string[] = []): Promise<NetworkLine[]> {
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

async function isPodman(engine: Engine): Promise<boolean> {
  const { Components } = (await engine.call('GET', '/version')) as { Components?: { Name?: string }[] | null };
  return (Components ?? []).some(({ Name }) => /podman/i.test(Name ?? ''));
}

/**
 * Creates a bridge network whose containers reach neither each other nor containers of other such
 * networks. Docker separates networks by itself and needs an option inside of one; Podman needs an
 * option between networks.
 * @throws EngineRefusal; see {@link isSubnetTaken}
 */
export async function createNetwork(
  engine: Engine,
  name: string,
  subnet: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const options = (await isPodman(engine)) ? { isolate: 'true' } : { 'com.docker.network.bridge.enable_icc': 'false' };
  await engine.call('POST', '/networks/create', {
    Name: name,
    Driver: 'bridge',
    // Docker reports the gateway of a given subnet only when it was given too.
    IPAM: { Config: [{ Subnet: subnet, Gateway: gatewayOf(subnet) }] },
    Options: options,
    Labels: labels,
  });
}

/**
 * Whether the engine refused to create a network because another network or route has its
 * addresses.
 */
export function isSubnetTaken(error: unknown): boolean {
  return error instanceof EngineRefusal && /overlap|already (?:being )?used|conflicts? with/i.test(error.message);
}

/** Whether the engine refused to start a container because its network has no address left. */
export function isNetworkFull(error: unknown): boolean {
  return error instanceof EngineRefusal && /no available ipv4 addresses|failed to find free ip/i.test(error.message);
}

/**
 * Removes a network. One that is gone is fine.
 * @returns false when a container uses it
 */
export async function removeNetwork(engine: Engine, id: string): Promise<boolean> {
  try {
    await unlessMissing(engine.call('DELETE', `/networks/${id}`));
    return true;
  } catch (error) {
    if (error instanceof EngineRefusal) return false;
    throw error;
  }
}
