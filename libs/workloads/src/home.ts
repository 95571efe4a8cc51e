import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where one person's workloads are kept, and what keeps its containers apart from those of other
 * homes.
 */
export interface Home {
  /** Absolute path. */
  readonly folder: string;
  /**
   * Eight hex digits that stand for the folder: the value of the container label `gatehouse-home`.
   */
  readonly id: string;
  /** What container and network names of this home end in: empty for the person's default home. */
  readonly suffix: string;
}

/** The XDG state folder of gatehouse: the home when nothing else is said. */
export function defaultHomeFolder(xdgStateHome: string | undefined): string {
  const state =
    xdgStateHome !== undefined && xdgStateHome.startsWith('/') ? xdgStateHome : join(homedir(), '.local', 'state');
  return join(state, 'gatehouse');
}

/**
 * The home in a folder. Containers of every folder but the default one carry a suffix, so that two
 * homes never meet.
 * @param defaultFolder see {@link defaultHomeFolder}
 */
export function homeIn(folder: string, defaultFolder: string): Home {
  const absolute = resolve(folder);
  const id = createHash('sha256').update(absolute).digest('hex').slice(0, 8);
  return { folder: absolute, id, suffix: absolute === resolve(defaultFolder) ? '' : `-${id.slice(0, 6)}` };
}

/**
 * The name of a workload's container in a home; session containers of stdio servers add their own
 * ending.
 */
export function containerNameOf(home: Home, name: string): string {
  return `${name}${home.suffix}`;
}

/**
 * The name of a workload's own network. The home and the number stand before the name, so that no
 * two workloads can share one.
 * @param number 1 for the first; a workload with more containers than a subnet has addresses gets
 * further ones
 */
export function networkNameOf(home: Home, name: string, number: number): string {
  return `gatehouse-${home.id}${number === 1 ? '' : `.${number}`}-${name}`;
}

/** Folder with one sub-folder for every workload: run.json, status.json, proxy.log, server.log. */
export function workloadsFolder(home: Home): string {
  return join(home.folder, 'workloads');
}

/** Folder that remembers the proxy port of every name that ever ran here. */
export function portsFolder(home: Home): string {
  return join(home.folder, 'ports');
}
