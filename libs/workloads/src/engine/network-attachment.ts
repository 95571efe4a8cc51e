import type { NetworkAttachment } from './container-spec.ts';
import type { ServerContext } from './server-context.ts';
import { withNetwork } from './workload-networks.ts';

/**
 * Calls `work` with the network of a container: an isolated one, or that of {@link withNetwork}.
 * @param slot see NetworkIsolation
 */
export async function withAttachment<T>(
  context: ServerContext,
  slot: number,
  work: (attachment: NetworkAttachment) => Promise<T>,
): Promise<T> {
  if (context.isolation !== undefined) return work(await context.isolation.join(slot));
  return withNetwork(context, (network) => work({ network }));
}
