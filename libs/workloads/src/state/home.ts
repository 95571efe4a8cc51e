import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder with the workloads of one user, and the label and name suffix of its containers and
 * networks.
 */
export interface Home {
  /** Absolute path. */
  readonly folder: string;
  /** Eight hex digits of the folder's hash: the value of the container label `gatehouse-home`. */
  readonly id: string;
  /** Suffix of container names of this home; empty for the default home. */
  readonly suffix: string;
}

/** Returns the default home: the XDG state folder of gatehouse. */
export function getDefaultHomeFolder(xdgStateHome: string | undefined): string {
  const state =
    xdgStateHome !== undefined && xdgStateHome.startsWith('/') ? xdgStateHome : join(homedir(), '.local', 'state');
  return join(state, 'gatehouse');
}

/**
 * Returns the home in a folder. Containers of every other home than the default one have a suffix,
 * so that names of two homes never collide.
 * @param defaultFolder see {@link getDefaultHomeFolder}
 */
export function getHome(folder: string, defaultFolder: string): Home {
  const absolute = resolve(folder);
  const id = createHash('sha256').update(absolute).digest('hex').slice(0, 8);
  return { folder: absolute, id, suffix: absolute === resolve(defaultFolder) ? '' : `-${id.slice(0, 6)}` };
}

/** Returns the name of a workload's container. Containers of stdio servers add their own suffix. */
export function getContainerName(home: Home, name: string): string {
  return `${name}${home.suffix}`;
}

/**
 * Returns the name of a workload's own network. Home and number precede the name, so that no two
 * workloads share a network.
 * @param number 1 for the first network; a workload with more containers than a subnet has
 * addresses gets more networks
 */
export function getNetworkName(home: Home, name: string, number: number): string {
  return `gatehouse-${home.id}${number === 1 ? '' : `.${number}`}-${name}`;
}

/** Returns the name of an internal network of an isolated workload. @param number from 1 */
export function getInternalNetworkName(home: Home, name: string, number: number): string {
  return `gatehouse-${home.id}.internal${number}-${name}`;
}

/**
 * Returns the name of the egress container that the isolated workloads of a home share, and of its
 * network. Each version of the command line has an image, and so a container, of its own.
 */
export function getEgressName(home: Home, image: string): string {
  return `gatehouse-${home.id}.egress-${image.replace(/^.*:/, '').slice(0, 8)}`;
}

/**
 * Returns the folder with one sub-folder for each workload: run.json, status.json, proxy.log,
 * server.log.
 */
export function getWorkloadsFolder(home: Home): string {
  return join(home.folder, 'workloads');
}

/** Returns the folder with the last proxy port of every workload name. */
export function getPortsFolder(home: Home): string {
  return join(home.folder, 'ports');
}
