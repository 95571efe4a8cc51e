import { setTimeout as sleep } from 'node:timers/promises';
import { networkInterfaces } from 'node:os';
import { createExposedError } from './isolation-error.ts';
import { planNetwork } from '../configuration/network-plan.ts';
import { isOwnAddress } from '../flags/local-address.ts';
import { createWorkloadLabels } from './container-spec.ts';
import { createContainer, EGRESS_LABEL, ignoreNotFound, removeContainer, startContainer } from './containers.ts';
import { ensureEgressImage } from './egress-image.ts';
import { createEgressSpec } from './egress-spec.ts';
import { EngineResponseError, type Engine } from './engine.ts';
import { listNetworkGateways } from './networks.ts';
import { getIsolatedAddresses } from './subnets.ts';
import { ensureNetwork, type NetworkOwner, type WorkloadNetwork } from './workload-networks.ts';

/** A running egress container. */
export interface EgressContainer {
  readonly id: string;
  readonly outside: WorkloadNetwork;
  /** The first internal network. */
  readonly inside: WorkloadNetwork;
  /** Whether the container ran already, with the same settings. */
  readonly isAdopted: boolean;
  /** Whether the network with a way out is on this machine, so that its addresses can be dialed. */
  readonly isLocal: boolean;
}

const ATTEMPTS = 50;
const RETRY_MS = 50;

/** Returns the name of the egress container of a workload. */
const getEgressName = ({ config }: NetworkOwner): string => `${config.container_name}.egress`;

/** Whether the engine has the bridge of a network on this machine. */
async function isBridgeLocal(engine: Engine, network: string): Promise<boolean> {
  if (!engine.address.startsWith('unix:')) return false;
  for (const gateway of await listNetworkGateways(engine, network)) if (await isOwnAddress(gateway)) return true;
  return false;
}

const listMachineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ address, internal }) => (internal ? [] : [address.replace(/%.*$/, '')]));

/**
 * Starts the egress container of an isolated workload, with its networks, unless it runs already.
 * The command and the supervisor of a workload call it at the same time.
 * @param progress receives the steps of a build of its image
 */
export async function startEgress(owner: NetworkOwner, progress: (text: string) => void): Promise<EgressContainer> {
  const { engine, home, config } = owner;
  const plan = planNetwork(config);
  if (plan.kind !== 'isolated') throw new Error(`the network of ${config.name} is not isolated`);
  const parts = [
    ensureEgressImage(engine, progress),
    ensureNetwork(owner, 1, 'open'),
    ensureNetwork(owner, 1, 'internal'),
  ] as const;
  // After an error, a removal must find what the other calls have created.
  await Promise.allSettled(parts);
  const [image, outside, inside] = await Promise.all(parts);
  const isLocal = await isBridgeLocal(engine, outside.id);
  if (isLocal && (await isBridgeLocal(engine, inside.id))) throw createExposedError(config.name);
  const { body, hash } = createEgressSpec({
    image,
    config,
    labels: createWorkloadLabels(home, config),
    policy: plan.policy,
    outside,
    inside,
    isLocal,
    machine: isLocal ? listMachineAddresses() : [],
    publishesServer: !isLocal || config.target_host !== undefined,
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { id, isAdopted } = await findOrCreate(owner, body, hash);
      await connectEgress(engine, id, inside);
      await startContainer(engine, id);
      return { id, outside, inside, isAdopted, isLocal };
    } catch (error) {
      // Another caller removes or creates the same container.
      const isRace = error instanceof EngineResponseError && [404, 409].includes(error.status);
      if (!isRace || attempt > ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function findOrCreate(owner: NetworkOwner, body: unknown, hash: string) {
  const { engine } = owner;
  const name = getEgressName(owner);
  const found = (await ignoreNotFound(engine.call('GET', `/containers/${encodeURIComponent(name)}/json`))) as
    | { Id: string; State: { Status: string; Running: boolean }; Config: { Labels?: Record<string, string> | null } }
    | undefined;
  if (found !== undefined) {
    const isSame = found.Config.Labels?.[EGRESS_LABEL] === hash;
    if (isSame && ['created', 'running'].includes(found.State.Status))
      return { id: found.Id, isAdopted: found.State.Running };
    await removeContainer(engine, found.Id);
  }
  return { id: await createContainer(engine, name, body, () => undefined), isAdopted: false };
}

/**
 * Connects the egress container with an internal network, at the address that its containers know.
 * @returns false when it was connected already
 */
export async function connectEgress(engine: Engine, id: string, network: WorkloadNetwork): Promise<boolean> {
  const { egress } = getIsolatedAddresses(network.subnet);
  try {
    await engine.call('POST', `/networks/${network.id}/connect`, {
      Container: id,
      EndpointConfig: { IPAMConfig: { IPv4Address: egress } },
    });
    return true;
  } catch (error) {
    if (error instanceof EngineResponseError && /already exists in network|already attached/.test(error.message))
      return false;
    throw error;
  }
}
