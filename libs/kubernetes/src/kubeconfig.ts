import type { KubeConfig } from '@kubernetes/client-node';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KubeconfigAccess } from './access.ts';
import { KubeconfigError } from './errors.ts';
import { createTokenFileUser } from './token-file.ts';

/**
 * Reads kubeconfig files into a configuration of @kubernetes/client-node.
 * @throws KubeconfigError that names the file and the member with the error
 */
export async function loadKubeconfig(config: KubeConfig, access: KubeconfigAccess): Promise<void> {
  const { kubeconfigPath: path, morePaths = [], context } = access;
  await loadFile(config, path);
  for (const further of morePaths) {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const part = new KubeConfig();
    await loadFile(part, further);
    addMissingEntries(config, part);
  }
  if (context !== undefined) config.setCurrentContext(context);
  requireContext(config, [path, ...morePaths].join(', '), context !== undefined);
}

/** Reads one file. The paths in it are relative to its folder. */
async function loadFile(config: KubeConfig, path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const { code } = cause as { code?: string };
    throw new KubeconfigError(`The kubeconfig ${path} cannot be read (${code}). Check the path and its permissions.`, {
      cause,
    });
  });
  try {
    config.loadFromString(text);
  } catch (error) {
    throw new KubeconfigError(`The kubeconfig ${path} is not valid: ${describe(error)}. Correct the file.`);
  }
  config.makePathsAbsolute(dirname(path));
  await useTokenFiles(config, text, dirname(path));
}

/** Adds the entries of a later file whose names no earlier file has. */
function addMissingEntries(config: KubeConfig, part: KubeConfig): void {
  const add = <T extends { name: string }>(present: readonly T[], more: readonly T[]): T[] => [
    ...present,
    ...more.filter(({ name }) => !present.some((one) => one.name === name)),
  ];
  config.clusters = add(config.clusters, part.clusters);
  config.users = add(config.users, part.users);
  config.contexts = add(config.contexts, part.contexts);
  if (!config.getCurrentContext()) config.setCurrentContext(part.getCurrentContext());
}

/** Checks the members that every request needs. */
function requireContext(config: KubeConfig, path: string, isNamed: boolean): void {
  const name = config.getCurrentContext();
  if (!name)
    throw new KubeconfigError(
      `The kubeconfig ${path} has no current-context. Select one with "kubectl config use-context".`,
    );
  const context = config.getContextObject(name);
  if (!context)
    throw new KubeconfigError(
      `The kubeconfig ${path} has no context ${name}${isNamed ? '.' : ', which is its current-context.'}`,
    );
  const cluster = config.getCluster(context.cluster);
  if (!cluster)
    throw new KubeconfigError(
      `The kubeconfig ${path} has no cluster ${context.cluster}, which the context ${name} names.`,
    );
  if (!/^https?:$/.test(URL.parse(cluster.server)?.protocol ?? ''))
    throw new KubeconfigError(`The server of the cluster ${context.cluster} in the kubeconfig ${path} is not a URL.`);
  if (context.user && !config.getUser(context.user))
    throw new KubeconfigError(`The kubeconfig ${path} has no user ${context.user}, which the context ${name} names.`);
}

/** Reads the tokens of `tokenFile`, which the library does not know, for every request. */
async function useTokenFiles(config: KubeConfig, text: string, folder: string): Promise<void> {
  const { loadYaml } = await import('@kubernetes/client-node');
  const { users } = loadYaml<{ users?: { name?: string; user?: { tokenFile?: unknown } }[] }>(text);
  for (const user of config.users) {
    const file = users?.find(({ name }) => name === user.name)?.user?.tokenFile;
    if (typeof file === 'string' && file !== '') Object.assign(user, createTokenFileUser(resolve(folder, file)));
  }
}

/** The reason of an error. The message of a YAML error repeats lines of the file, with tokens. */
function describe(error: unknown): string {
  const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
  if (reason === undefined) return error instanceof TypeError ? 'it is not a YAML object' : String(error);
  return mark === undefined ? reason : `${reason} in line ${mark.line + 1}, column ${mark.column + 1}`;
}
