import { setTimeout as sleep } from 'node:timers/promises';
import { planNetwork } from '../configuration/network-plan.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { isOwnAddress } from '../flags/local-address.ts';
import { getEgressName } from '../state/home.ts';
import { createWorkloadLabels } from './container-spec.ts';
import {
  createContainer,
  EGRESS_LABEL,
  ignoreNotFound,
  inspectImage,
  removeContainer,
  startContainer,
} from './containers.ts';
import { ensureEgressImage, nameEgressImage } from './egress-image.ts';
import { createEgressSpec, needsOwnEgress } from './egress-spec.ts';
import { EngineResponseError, type Engine } from './engine.ts';
import { createExposedError } from './isolation-error.ts';
import { listNetworkGateways } from './networks.ts';
import { listMachineAddresses } from './host-routes.ts';
import { containsAddress, getGateway, getIsolatedAddresses } from './subnets.ts';
import {
  createHomeLabels,
  ensureEgressNetwork,
  ensureNetwork,
  type NetworkOwner,
  type WorkloadNetwork,
} from './workload-networks.ts';

/** A running egress container, without the network of a workload. */
export interface EgressHost {
  readonly id: string;
  readonly outside: WorkloadNetwork;
  /** Whether the workloads of the home use it together. */
  readonly isShared: boolean;
  /** Whether the network with a way out is on this machine, so that its addresses can be dialed. */
  readonly isLocal: boolean;
  readonly isPodman: boolean;
}

/** A running egress container of a workload. */
export interface EgressContainer extends EgressHost {
  /** The first internal network. */
  readonly inside: WorkloadNetwork;
}

const ATTEMPTS = 50;
const RETRY_MS = 50;
/** The labels that tell whose container it is; a shared one has no workload. */
const OWNER_LABELS = ['gatehouse-home', 'gatehouse-name'];
/** The network that engines have on every machine. */
const DEFAULT_NETWORK = 'bridge';

/** Whether this machine has the address of a gateway of a network of the engine. */
async function isBridgeLocal(engine: Engine, gateways: readonly string[]): Promise<boolean> {
  if (!engine.address.startsWith('unix:')) return false;
  for (const gateway of gateways) if (await isOwnAddress(gateway)) return true;
  return false;
}

/**
 * Whether the containers of an engine are on this machine. Podman creates a bridge with its first
 * container, so that nothing tells it before.
 */
const isEngineLocal = async (engine: Engine): Promise<boolean> =>
  engine.address.startsWith('unix:') &&
  !(await engine.isPodman()) &&
  isBridgeLocal(engine, await listNetworkGateways(engine, DEFAULT_NETWORK));

/** Whether this machine has an address in an internal network, so that the server finds it. */
function isInsideNetwork(engine: Engine, { subnet }: WorkloadNetwork): boolean {
  return (
    engine.address.startsWith('unix:') && listMachineAddresses().some((address) => containsAddress(subnet, address))
  );
}

/**
 * Starts the egress container of an isolated workload, with its networks, unless it runs already.
 * The command and the supervisors of all workloads call it at the same time.
 * @param progress receives the steps of a build of its image
 */
export async function startEgress(owner: NetworkOwner, progress: (text: string) => void): Promise<EgressContainer> {
  const { engine, config } = owner;
  if (planNetwork(config).kind !== 'isolated') throw new Error(`the network of ${config.name} is not isolated`);
  return retryRaces(async () => {
    const parts = [startHost(owner, progress), ensureNetwork(owner, 1, 'internal')] as const;
    // After an error, a removal must find what the other call has created.
    await Promise.allSettled(parts);
    const [host, inside] = await Promise.all(parts);
    await connectEgress(engine, host.id, inside);
    if (isInsideNetwork(engine, inside)) throw createExposedError(config.name);
    return { ...host, inside };
  });
}

/**
 * Starts the egress container that an isolated workload will use, before its networks exist, unless
 * its image is missing or the workload needs one of its own.
 */
export async function startSharedEgress(owner: NetworkOwner): Promise<void> {
  const { name } = await nameEgressImage(owner.engine);
  if ((await inspectImage(owner.engine, name)) === undefined) return;
  if (needsOwnEgress(owner.config, await isEngineLocal(owner.engine))) return;
  await retryRaces(() => startHost(owner, () => undefined));
}

/** Repeats work while another caller removes or creates the same container or network. */
async function retryRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof EngineResponseError && [404, 409].includes(error.status);
      if (!isRace || attempt > ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function startHost(owner: NetworkOwner, progress: (text: string) => void): Promise<EgressHost> {
  const { engine, home, config } = owner;
  const [image, isPodman, isOwn] = await Promise.all([
    ensureEgressImage(engine, progress),
    engine.isPodman(),
    isEngineLocal(engine).then((isLocal) => needsOwnEgress(config, isLocal)),
  ]);
  const name = isOwn ? `${config.container_name}.egress` : getEgressName(home, image);
  const outside = await (isOwn ? ensureNetwork(owner, 1, 'open') : ensureEgressNetwork(owner, name));
  const isLocal = !isPodman && (await isBridgeLocal(engine, [getGateway(outside.subnet)]));
  const labels = isOwn ? createWorkloadLabels(home, config) : createHomeLabels(home);
  const spec = createEgressSpec({
    ...{ image, labels, outside, isLocal, isPodman },
    publishes: isOwn ? config : undefined,
  });
  const { id, isRunning } = await findOrCreate(engine, name, spec);
  if (!isRunning) await startContainer(engine, id);
  return { id, outside, isShared: !isOwn, isLocal, isPodman };
}

async function findOrCreate(engine: Engine, name: string, { body, hash }: ReturnType<typeof createEgressSpec>) {
  const found = (await ignoreNotFound(engine.call('GET', `/containers/${encodeURIComponent(name)}/json`))) as
    | { Id: string; State: { Status: string; Running: boolean }; Config: { Labels?: Record<string, string> | null } }
    | undefined;
  if (found !== undefined) {
    const has = found.Config.Labels ?? {};
    // A program or another workload can have a container of this name.
    if (!(EGRESS_LABEL in has) || OWNER_LABELS.some((label) => has[label] !== body.Labels[label]))
      throw new WorkloadError(
        'conflict',
        `A container named '${name}' exists already, and it is not that of network isolation`,
        [`docker rm ${name}   removes it, if nothing needs it`, '--name NAME   gives this workload another name'],
      );
    if (has[EGRESS_LABEL] === hash && ['created', 'running'].includes(found.State.Status))
      return { id: found.Id, isRunning: found.State.Running };
    await removeContainer(engine, found.Id);
  }
  return { id: await createContainer(engine, name, body, () => undefined), isRunning: false };
}

/**
 * Connects the egress container with an internal network, at the address that its containers know.
 */
export async function connectEgress(engine: Engine, id: string, network: WorkloadNetwork): Promise<void> {
  const { egress } = getIsolatedAddresses(network.subnet);
  try {
    await engine.call('POST', `/networks/${network.id}/connect`, {
      Container: id,
      EndpointConfig: { IPAMConfig: { IPv4Address: egress } },
    });
  } catch (error) {
    const isConnected =
      error instanceof EngineResponseError &&
      /already exists in network|already attached|already connected/.test(error.message);
    if (!isConnected) throw error;
  }
}
