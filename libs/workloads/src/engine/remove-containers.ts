import type { Home } from '../state/home.ts';
import { createLabelFilters } from './container-spec.ts';
import { listContainers, removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { removeNetworks } from './workload-networks.ts';

/**
 * Removes the containers of this home whose workload does not exist. A killed command can leave
 * one: the engine completes a call that nothing waits for.
 * @param isWorkload whether a workload of that name exists. The check follows the listing, because
 * a workload reserves its name before it creates a container.
 */
export async function removeLeftoverContainers(
  engine: Engine,
  home: Home,
  isWorkload: (name: string) => boolean,
): Promise<void> {
  const found = await listContainers(engine, createLabelFilters(home));
  await Promise.all(found.filter(({ workload }) => !isWorkload(workload)).map(({ id }) => removeContainer(engine, id)));
}

/** Removes every container and every network of a workload. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, createLabelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeNetworks(engine, home, name);
}
