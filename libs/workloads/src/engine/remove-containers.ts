import type { Home } from '../state/home.ts';
import { createLabelFilters } from './container-spec.ts';
import { listContainers, removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { removeNetworks } from './workload-networks.ts';

/** Removes every container and every network of a workload. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, createLabelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeNetworks(engine, home, name);
}
