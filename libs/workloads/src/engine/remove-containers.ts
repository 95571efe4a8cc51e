import type { Home } from '../state/home.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLabelFilters } from './container-spec.ts';
import { type ContainerSummary, listContainers, removeContainer } from './containers.ts';
import { removeIdleEgress } from './egress-removal.ts';
import type { Engine } from './engine.ts';
import { removeNetworks } from './workload-networks.ts';

/** Time in which a command starts a container that it has created. */
const NEW_CONTAINER_MS = 60_000;

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
  const left = found.filter((container) =>
    container.workload === '' ? isUnstarted(container) : !isWorkload(container.workload),
  );
  await Promise.all(left.map(({ id }) => removeContainer(engine, id)));
}

/** Whether a killed command has left a shared egress container. A started one ends by itself. */
const isUnstarted = ({ running, createdAt }: ContainerSummary): boolean =>
  !running && Date.now() - createdAt > NEW_CONTAINER_MS;

/** Time in which an engine completes the last call of a killed supervisor. */
const LATE_CALL_MS = 3_000;
const POLL_MS = 200;

/** Removes the container that the engine creates after the kill of a supervisor, if any. */
export async function removeLateContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const deadline = performance.now() + LATE_CALL_MS;
  for (;;) {
    const found = await listContainers(engine, createLabelFilters(home, name));
    await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
    if (found.some(({ role }) => role === 'server') || performance.now() > deadline) return;
    await sleep(POLL_MS);
  }
}

/** Removes every container and every network of a workload. */
export async function removeContainers(engine: Engine, home: Home, name: string): Promise<void> {
  const found = await listContainers(engine, createLabelFilters(home, name));
  await Promise.all(found.map(({ id }) => removeContainer(engine, id)));
  await removeNetworks(engine, home, name);
  await removeIdleEgress(engine, home);
}
