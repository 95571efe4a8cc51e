import type { NetworkAttachment } from './container-spec.ts';
import type { Engine } from './engine.ts';
import type { ServerContext } from './server-context.ts';
import type { NetworkIsolation } from './network-isolation.ts';
import { type NetworkOwner, withNetwork } from './workload-networks.ts';

/**
 * Creates the networks of a workload while its proxy opens its port. The start of the server
 * repeats the calls and reports their errors.
 */
export async function prepareNetworks(owner: NetworkOwner, isolation: NetworkIsolation | undefined): Promise<void> {
  const work = isolation === undefined ? withNetwork(owner, () => Promise.resolve()) : isolation.start();
  await Promise.allSettled([work]);
}

/** Connects a created container with the further networks of its attachment. */
export async function joinNetworks(engine: Engine, id: string, { others = [] }: NetworkAttachment): Promise<void> {
  for (const network of others) await engine.call('POST', `/networks/${network}/connect`, { Container: id });
}

/**
 * Calls `work` with the network of a container: an isolated one, or that of {@link withNetwork}.
 * @param slot see NetworkIsolation
 */
export async function withAttachment<T>(
  context: ServerContext,
  slot: number,
  work: (attachment: NetworkAttachment) => Promise<T>,
): Promise<T> {
  await context.networks;
  if (context.isolation !== undefined) return work(await context.isolation.join(slot));
  return withNetwork(context, (network) => work({ network }));
}
