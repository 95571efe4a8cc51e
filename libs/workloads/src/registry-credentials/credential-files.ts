import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallText } from '@gatehouse/local-files/text-file';
import * as z from 'zod/mini';
import { WorkloadError } from '../errors/workload-error.ts';

/** The environment variables that say where the credentials of registries are. */
export interface CredentialEnvironment {
  /** DOCKER_CONFIG: folder of the docker client's configuration. */
  readonly dockerConfig?: string | undefined;
  /** REGISTRY_AUTH_FILE: the file of Podman. */
  readonly registryAuthFile?: string | undefined;
  /** XDG_RUNTIME_DIR */
  readonly runtimeFolder?: string | undefined;
  /** The whole environment, for the programs that this one starts. */
  readonly processEnvironment?: Readonly<NodeJS.ProcessEnv> | undefined;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const text = z.optional(z.string());

const CredentialFile = z.looseObject({
  auths: z.optional(
    z.nullable(
      z.record(
        z.string(),
        z.looseObject({ auth: text, username: text, password: text, identitytoken: text, registrytoken: text }),
      ),
    ),
  ),
  credHelpers: z.optional(z.nullable(z.record(z.string(), z.string()))),
  credsStore: text,
});

/** `config.json` of Docker and `auth.json` of Podman. */
export type CredentialFile = z.output<typeof CredentialFile>;

/** Lists the files with credentials, the first to look in first. */
export function listCredentialFiles(environment: CredentialEnvironment, isPodman: boolean): string[] {
  const { dockerConfig, registryAuthFile, runtimeFolder } = environment;
  const docker = join(dockerConfig || join(homedir(), '.docker'), 'config.json');
  if (!isPodman) return [docker];
  if (registryAuthFile) return [registryAuthFile];
  return [
    ...(runtimeFolder ? [join(runtimeFolder, 'containers', 'auth.json')] : []),
    join(homedir(), '.config', 'containers', 'auth.json'),
    docker,
  ];
}

/**
 * Reads a file with credentials. Its content never becomes a part of an error.
 * @returns undefined for a missing file
 * @throws WorkloadError (failed) that names the file
 */
export function readCredentialFile(path: string): CredentialFile | undefined {
  let content: string;
  try {
    content = readSmallText(path, MAX_FILE_BYTES);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw damagedFile(path, (error as Error).message);
  }
  const parsed = CredentialFile.safeParse(parseJson(path, content));
  if (parsed.success) return parsed.data;
  throw damagedFile(path, `the field ${parsed.error.issues[0]?.path[0]?.toString() ?? ''} has a wrong type`);
}

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The error of the parser quotes the content.
    throw damagedFile(path, 'it is not JSON');
  }
}

const damagedFile = (path: string, problem: string): WorkloadError =>
  new WorkloadError('failed', `The credentials of registries in ${path} cannot be read: ${problem}`, [
    'correct the file, or sign in again: docker login',
  ]);
