import { splitImageReference } from './image-reference.ts';

/** The registry that references without a host name, and the Docker Hub's names for itself. */
export const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_NAMES: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** A repository of images: where it is, and its path there. */
export interface ImageRepository {
  /** Host name with port, such as `ghcr.io`; the Docker Hub is `docker.io`. */
  readonly host: string;
  /** With `library/` for images of the Docker Hub without an owner. */
  readonly path: string;
}

/** Returns the registry of a host name; the Docker Hub has several. */
export const normalizeRegistryHost = (host: string): string =>
  DOCKER_HUB_NAMES.has(host.toLowerCase()) ? DOCKER_HUB : host;

/** Returns the repository of a reference. The first part is a host when it has a dot or a port. */
export function getImageRepository(reference: string): ImageRepository {
  const { name } = splitImageReference(reference);
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const host = /[.:]|^localhost$/.test(first) ? normalizeRegistryHost(first) : DOCKER_HUB;
  const path = /[.:]|^localhost$/.test(first) ? name.slice(slash + 1) : name;
  return { host, path: host === DOCKER_HUB && !path.includes('/') ? `library/${path}` : path };
}
