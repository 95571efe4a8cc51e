import {
  DOCKER_HUB,
  getImageRepository,
  type ImageRepository,
  normalizeRegistryHost,
} from '../flags/image-repository.ts';
import {
  type CredentialEnvironment,
  type CredentialFile,
  listCredentialFiles,
  readCredentialFile,
} from './credential-files.ts';
import { askCredentialHelper } from './credential-helper.ts';

/** The credentials of a registry, a password or a token, with the names of the API of engines. */
export interface RegistryCredentials {
  readonly serveraddress: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
}

/** Where credentials are, and which engine asks. */
export interface CredentialSearch {
  readonly environment: CredentialEnvironment;
  readonly isPodman: boolean;
  readonly abort: AbortSignal;
}

/** The key under which Docker stores the credentials of the Docker Hub. */
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

/**
 * Finds the credentials of the registry of an image, in the order of the docker client: the helper
 * of the registry, the helper of all registries, the file itself.
 * @returns undefined for a registry without credentials
 * @throws WorkloadError (failed) for a damaged file and a helper that fails
 */
export async function findCredentials(
  image: string,
  search: CredentialSearch,
): Promise<RegistryCredentials | undefined> {
  const { host, path } = getImageRepository(image);
  for (const file of listCredentialFiles(search.environment, search.isPodman)) {
    const content = readCredentialFile(file);
    const found = content && (await findInFile(content, { host, path }, search));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function findInFile(
  file: CredentialFile,
  { host, path }: ImageRepository,
  { environment, abort }: CredentialSearch,
): Promise<RegistryCredentials | undefined> {
  const serveraddress = host === DOCKER_HUB ? DOCKER_HUB_KEY : host;
  const [server, name] = findEntry(file.credHelpers, [host]) ?? [serveraddress, file.credsStore];
  if (name) {
    const answer = await askCredentialHelper({
      name,
      server,
      environment: environment.processEnvironment,
      abort,
    });
    if (answer?.username === '<token>') return { serveraddress, identitytoken: answer.secret };
    if (answer !== undefined) return { serveraddress, username: answer.username, password: answer.secret };
  }
  const [, entry] = findEntry(file.auths, listScopes(host, path)) ?? [];
  return entry && createCredentials(serveraddress, entry);
}

/** Podman also stores credentials of a part of a registry, such as `quay.io/owner`. */
function listScopes(host: string, path: string): string[] {
  const parts = path.split('/');
  return [...parts.map((_, index) => `${host}/${parts.slice(0, parts.length - index).join('/')}`), host];
}

/** Finds the entry of the first scope. Keys may have a scheme and the path of an API. */
function findEntry<T>(entries: Readonly<Record<string, T>> | null | undefined, scopes: readonly string[]) {
  const byScope = new Map(Object.entries(entries ?? {}).map((entry) => [normalizeKey(entry[0]), entry] as const));
  return scopes.map((scope) => byScope.get(scope)).find((entry) => entry !== undefined);
}

function normalizeKey(key: string): string {
  const [host = '', ...path] = key
    .replace(/^https?:\/\//, '')
    .replace(/\/(?:v[12]\/?)?$/, '')
    .split('/');
  return [normalizeRegistryHost(host), ...path].join('/');
}

type StoredEntry = NonNullable<NonNullable<CredentialFile['auths']>[string]>;

function createCredentials(serveraddress: string, entry: StoredEntry): RegistryCredentials | undefined {
  const { identitytoken, registrytoken } = entry;
  if (identitytoken) return { serveraddress, identitytoken };
  if (registrytoken) return { serveraddress, registrytoken };
  const decoded = Buffer.from(entry.auth ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const username = colon === -1 ? entry.username : decoded.slice(0, colon);
  const password = colon === -1 ? entry.password : decoded.slice(colon + 1).replace(/\0+$/, '');
  return username && password ? { serveraddress, username, password } : undefined;
}
