import { existsSync } from 'node:fs';
import { listContainers, removeContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { type NetworkSummary, removeNetwork } from './networks.ts';

/** The label of a network with the folder of its home. */
export const FOLDER_LABEL = 'gatehouse-folder';
const HOME_LABEL = 'gatehouse-home';

const isOfDeadHome = ({ labels }: NetworkSummary): boolean => {
  const folder = labels[FOLDER_LABEL];
  return folder !== undefined && !existsSync(folder);
};

/**
 * Removes the networks of homes whose folder was deleted, with their egress containers. A home with
 * a running server keeps them, because its folder can exist for other processes than this one.
 * @param networks networks of any homes
 */
export async function removeDeadHomes(engine: Engine, networks: readonly NetworkSummary[]): Promise<void> {
  const dead = networks.filter(isOfDeadHome);
  for (const home of new Set(dead.map(({ labels }) => labels[HOME_LABEL]))) {
    const containers = await listContainers(engine, ['gatehouse=true', `${HOME_LABEL}=${home ?? ''}`]);
    if (containers.some(({ role, running }) => role === 'server' && running)) continue;
    const egress = containers.filter(({ role }) => role === 'egress');
    await Promise.all(egress.map(({ id }) => removeContainer(engine, id)));
    for (const { id, labels } of dead) if (labels[HOME_LABEL] === home) await removeNetwork(engine, id);
  }
}
