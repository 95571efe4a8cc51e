import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { labelFilters } from './container-shape.ts';
import { EngineRefusal, type Engine } from './engine.ts';
import { WorkloadFailure } from './failure.ts';
import { networkNameOf, type Home } from './home.ts';
import { hostRoutes } from './host-routes.ts';
import {
  createNetwork,
  isNetworkFull,
  isSubnetTaken,
  listNetworks,
  removeNetwork,
  type NetworkLine,
} from './networks.ts';
import type { RunConfig } from './run-config.ts';
import { DEFAULT_NETWORK_RANGES, freeSubnets } from './subnets.ts';

/** The workload whose network is meant. */
interface NetworkOwner {
  readonly engine: Engine;
  readonly home: Home;
  readonly config: RunConfig;
}

/** Attempts to find a subnet that no other program takes in between. */
const SUBNET_ATTEMPTS = 100;
/**
 * Networks of one workload: eight subnets hold more containers than a stdio server may have
 * processes.
 */
const MOST_NETWORKS = 8;
/**
 * Attempts to work on a network that another command removes at the same time, and the pause
 * between two of them.
 */
const RACE_ATTEMPTS = 10;
const RACE_PAUSE_MS = 100;
/** Attempts to remove a network whose containers are still being removed. */
const REMOVAL_ATTEMPTS = 30;

const byAge = (a: NetworkLine, b: NetworkLine) => (a.created + a.id < b.created + b.id ? -1 : 1);

/**
 * A number that depends on the network's name alone: a workload gets the same subnet again while it
 * is free.
 */
const seedOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE();

/**
 * Creates a workload's network unless there is one. Engines accept two networks of one name from
 * two callers at once; the oldest stays.
 * @returns its id
 * @throws WorkloadFailure when no subnet of the ranges is free
 */
export async function ensureNetwork({ engine, home, config }: NetworkOwner, number = 1): Promise<string> {
  const name = networkNameOf(home, config.name, number);
  const labels = { gatehouse: 'true', 'gatehouse-home': home.id, 'gatehouse-name': config.name };
  const ranges = config.network_range ?? DEFAULT_NETWORK_RANGES;
  const refused: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const networks = await listNetworks(engine);
    const [oldest, ...others] = networks.filter((network) => network.name === name).sort(byAge);
    for (const other of others) await removeNetwork(engine, other.id);
    if (oldest) return oldest.id;
    const used = [...networks.flatMap(({ subnets }) => subnets), ...hostRoutes(), ...refused];
    const [subnet] = freeSubnets(ranges, used, seedOf(name));
    if (subnet === undefined || attempt > SUBNET_ATTEMPTS) {
      throw new WorkloadFailure('failed', `No free /28 subnet is left in ${ranges.join(', ')} for ${config.name}`, [
        'gatehouse rm NAME   frees the subnet of a workload that is not needed',
        'GATEHOUSE_NETWORK_RANGE=10.99.0.0/16   takes subnets from another range',
      ]);
    }
    try {
      await createNetwork(engine, name, subnet, labels);
    } catch (error) {
      if (isSubnetTaken(error)) refused.push(subnet);
      // 409: the engine has unique names, and another caller was faster.
      else if (!(error instanceof EngineRefusal && error.status === 409)) throw error;
    }
  }
}

/** Whether an error says that a network is gone, or that two have its name for a moment. */
function isNetworkRace(error: unknown, id: string, name: string): boolean {
  if (!(error instanceof EngineRefusal)) return false;
  return (
    (error.status === 404 && [id, name].some((text) => error.message.includes(text))) ||
    / is ambiguous /.test(error.message)
  );
}

/**
 * Does the work on the workload's network: the one of `--network`, else its own, which is created
 * when it is missing. A workload whose network has no address left gets a further one.
 */
export async function onNetwork<T>(owner: NetworkOwner, work: (network: string) => Promise<T>): Promise<T> {
  const mode = owner.config.permission_profile.network.mode;
  if (mode !== '') return work(mode);
  let number = 1;
  for (let attempt = 1; ; attempt += 1) {
    const id = await ensureNetwork(owner, number);
    try {
      return await work(id);
    } catch (error) {
      if (isNetworkFull(error) && number < MOST_NETWORKS) number += 1;
      else if (
        attempt < RACE_ATTEMPTS &&
        isNetworkRace(error, id, networkNameOf(owner.home, owner.config.name, number))
      )
        await sleep(RACE_PAUSE_MS);
      else throw error;
    }
  }
}

/** Removes the networks of a workload whose containers are removed, or are just being removed. */
export async function removeNetworks(engine: Engine, home: Home, name: string): Promise<void> {
  for (const { id } of await listNetworks(engine, labelFilters(home, name))) {
    for (let attempt = 1; !(await removeNetwork(engine, id)) && attempt < REMOVAL_ATTEMPTS; attempt += 1)
      await sleep(RACE_PAUSE_MS);
  }
}

/**
 * Removes the networks of this home that belong to no workload: a command was killed, or the home
 * was deleted. One that a container uses stays.
 * @param isWorkload whether a workload of that name exists. It is asked after the networks were
 * listed: a workload reserves its name before it creates its network.
 */
export async function removeLeftoverNetworks(
  engine: Engine,
  home: Home,
  isWorkload: (name: string) => boolean,
): Promise<void> {
  for (const { id, labels } of await listNetworks(engine, labelFilters(home))) {
    if (!isWorkload(labels['gatehouse-name'] ?? '')) await removeNetwork(engine, id);
  }
}
