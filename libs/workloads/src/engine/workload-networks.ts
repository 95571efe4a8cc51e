import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLabelFilters } from './container-spec.ts';
import { EngineResponseError, type Engine } from './engine.ts';
import { FOLDER_LABEL, removeDeadHomes } from './dead-homes.ts';
import { disconnectEgress, removeIdleEgress } from './egress-removal.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { getInternalNetworkName, getNetworkName, type Home } from '../state/home.ts';
import { listHostRoutes } from './host-routes.ts';
import {
  createNetwork,
  isNetworkFull,
  isSubnetTaken,
  listNetworks,
  removeNetwork,
  type NetworkKind,
  type NetworkSummary,
} from './networks.ts';
import { getNetworkMode } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { DEFAULT_NETWORK_RANGES, listFreeSubnets } from './subnets.ts';

/** A network of a workload. */
export interface WorkloadNetwork {
  readonly id: string;
  readonly name: string;
  /** In CIDR notation. */
  readonly subnet: string;
}

/** The workload to which a network belongs. */
export interface NetworkOwner {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
}

/** Attempts to create a network while other programs take subnets. */
const SUBNET_ATTEMPTS = 100;
/**
 * Networks of one workload. Eight subnets have enough addresses for all processes of a stdio
 * server.
 */
const MAX_NETWORKS = 8;
/** Attempts on a network that another command removes at the same time, and the pause between. */
const RACE_ATTEMPTS = 10;
const RACE_PAUSE_MS = 100;
/** The label of a network with the name of its workload. */
const NAME_LABEL = 'gatehouse-name';
/** Time in which a command creates a container in a new network. */
const NEW_NETWORK_MS = 60_000;
/** Attempts to remove a network during the removal of its containers. */
const REMOVAL_ATTEMPTS = 30;

const compareAge = (a: NetworkSummary, b: NetworkSummary) => (a.created + a.id < b.created + b.id ? -1 : 1);

/** Hashes the name of a network, so that a workload gets the same subnet again while it is free. */
const computeSubnetSeed = (name: string) => createHash('sha256').update(name).digest().readUInt32BE();

/** Returns the labels of the networks and shared containers of a home. */
export const createHomeLabels = (home: Home): Record<string, string> => ({
  gatehouse: 'true',
  'gatehouse-home': home.id,
  [FOLDER_LABEL]: home.folder,
});

/** A network that is created unless it exists. */
interface NetworkSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly kind: NetworkKind;
}

/**
 * Creates a workload's network unless it exists.
 * @throws WorkloadError when no subnet of the ranges is free
 */
export function ensureNetwork(owner: NetworkOwner, number = 1, kind: NetworkKind = 'open'): Promise<WorkloadNetwork> {
  const { home, config } = owner;
  const name = (kind === 'open' ? getNetworkName : getInternalNetworkName)(home, config.name, number);
  return ensure(owner, { name, kind, labels: { ...createHomeLabels(home), [NAME_LABEL]: config.name } });
}

/** Creates the network with a way out of a shared egress container unless it exists. */
export const ensureEgressNetwork = (owner: NetworkOwner, name: string): Promise<WorkloadNetwork> =>
  ensure(owner, { name, kind: 'open', labels: createHomeLabels(owner.home) });

/**
 * Creates a network unless it exists. Engines accept two networks of one name from concurrent
 * callers; the oldest one stays.
 */
async function ensure({ engine, config }: NetworkOwner, { name, labels, kind }: NetworkSpec): Promise<WorkloadNetwork> {
  const ranges = config.network_range ?? DEFAULT_NETWORK_RANGES;
  const refused: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const networks = await listNetworks(engine);
    const [oldest, ...others] = networks.filter((network) => network.name === name).sort(compareAge);
    for (const other of others) await removeNetwork(engine, other.id);
    if (oldest) return { id: oldest.id, name, subnet: oldest.subnets[0] ?? '' };
    const used = [...networks.flatMap(({ subnets }) => subnets), ...listHostRoutes(), ...refused];
    const [subnet] = listFreeSubnets(ranges, used, computeSubnetSeed(name));
    if (subnet === undefined || attempt > SUBNET_ATTEMPTS) {
      throw new WorkloadError('failed', `There is no free /28 subnet in ${ranges.join(', ')} for ${config.name}`, [
        'gatehouse rm NAME   frees the subnet of another workload',
        'GATEHOUSE_NETWORK_RANGE=10.99.0.0/16   uses another range',
      ]);
    }
    try {
      await createNetwork(engine, name, subnet, labels, kind);
    } catch (error) {
      if (isSubnetTaken(error)) refused.push(subnet);
      // 409: another caller has created a network of this name.
      else if (!(error instanceof EngineResponseError && error.status === 409)) throw error;
    }
  }
}

/**
 * Whether the network was removed, or has the name of another one, because of a concurrent call.
 */
function isNetworkRace(error: unknown, id: string, name: string): boolean {
  if (!(error instanceof EngineResponseError)) return false;
  return (
    (error.status === 404 && [id, name].some((text) => error.message.includes(text))) ||
    / is ambiguous /.test(error.message)
  );
}

/**
 * Calls `work` with the network of `--network` or with the workload's own one, which it creates
 * when missing. A workload whose network is full gets one more.
 */
export async function withNetwork<T>(owner: NetworkOwner, work: (network: string) => Promise<T>): Promise<T> {
  const mode = getNetworkMode(owner.config);
  if (mode !== '') return work(mode);
  let number = 1;
  for (let attempt = 1; ; attempt += 1) {
    const { id } = await ensureNetwork(owner, number);
    try {
      return await work(id);
    } catch (error) {
      if (isNetworkFull(error) && number < MAX_NETWORKS) number += 1;
      else if (
        attempt < RACE_ATTEMPTS &&
        isNetworkRace(error, id, getNetworkName(owner.home, owner.config.name, number))
      )
        await sleep(RACE_PAUSE_MS);
      else throw error;
    }
  }
}

/** Takes the networks of a stopped workload from its egress container. */
export async function leaveEgress(engine: Engine, home: Home, name: string): Promise<void> {
  await disconnectEgress(engine, home, await listNetworks(engine, createLabelFilters(home, name)));
  await removeIdleEgress(engine, home);
}

/** Removes the networks of a workload after or during the removal of its containers. */
export async function removeNetworks(engine: Engine, home: Home, name: string): Promise<void> {
  const networks = await listNetworks(engine, createLabelFilters(home, name));
  await disconnectEgress(engine, home, networks);
  for (const { id } of networks) {
    for (let attempt = 1; !(await removeNetwork(engine, id)) && attempt < REMOVAL_ATTEMPTS; attempt += 1)
      await sleep(RACE_PAUSE_MS);
  }
}

/**
 * Removes the unused networks whose workload does not exist, because a command was killed or the
 * home was deleted.
 * @param isWorkload whether a workload of that name exists in this home. The check follows the
 * listing, because a workload reserves its name before it creates its network.
 */
export async function removeLeftoverNetworks(
  engine: Engine,
  home: Home,
  isWorkload: (name: string) => boolean,
): Promise<void> {
  const networks = await listNetworks(engine, ['gatehouse=true']);
  await removeDeadHomes(engine, networks);
  const own = networks.filter(({ labels }) => labels['gatehouse-home'] === home.id);
  const ofWorkloads = own.filter(({ labels }) => {
    const name = labels[NAME_LABEL];
    return name !== undefined && !isWorkload(name);
  });
  await disconnectEgress(engine, home, ofWorkloads);
  const ofEgress = own.filter((network) => network.labels[NAME_LABEL] === undefined && isOld(network));
  for (const { id } of [...ofWorkloads, ...ofEgress]) await removeNetwork(engine, id);
}

/** Whether no command creates the egress container of this network at the moment. */
const isOld = ({ created }: NetworkSummary): boolean => Date.now() - Date.parse(created) > NEW_NETWORK_MS;
