import type { Home } from '../state/home.ts';
import { createLabelFilters } from './container-spec.ts';
import { type ContainerSummary, EGRESS_LABEL, listContainers, removeContainer } from './containers.ts';
import { EngineResponseError, type Engine } from './engine.ts';
import { removeNetwork } from './networks.ts';

/** Lists the egress containers that the workloads of a home share: one for each version. */
async function listSharedEgress(engine: Engine, home: Home): Promise<ContainerSummary[]> {
  const found = await listContainers(engine, [...createLabelFilters(home), EGRESS_LABEL]);
  return found.filter(({ workload }) => workload === '');
}

/** Disconnects the shared egress containers of a home from networks. */
export async function disconnectEgress(
  engine: Engine,
  home: Home,
  networks: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  if (networks.length === 0) return;
  for (const container of await listSharedEgress(engine, home))
    for (const { id, name } of container.networks)
      if (networks.some((network) => network.id === id || network.name === name))
        await disconnect(engine, name, container.id);
}

async function disconnect(engine: Engine, network: string, container: string): Promise<void> {
  try {
    await engine.call('POST', `/networks/${network}/disconnect`, { Container: container, Force: true });
  } catch (error) {
    // The container has ended, or another caller has disconnected it.
    if (!(error instanceof EngineResponseError)) throw error;
  }
}

/**
 * Removes the shared egress containers of a home that serve no network, with their networks. A
 * workload that starts at the same time creates its container again.
 */
export async function removeIdleEgress(engine: Engine, home: Home): Promise<void> {
  for (const { id, name, networks } of await listSharedEgress(engine, home)) {
    // Its network with a way out has the same name.
    if (networks.some((network) => network.name !== name)) continue;
    await removeContainer(engine, id);
    await removeNetwork(engine, name);
  }
}
