import type { KubeConfig } from '@kubernetes/client-node';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KubeconfigAccess } from './access.ts';
import { KubeconfigError } from './errors.ts';
import { createTokenFileUser } from './token-file.ts';

/**
 * Reads a kubeconfig file into a configuration of @kubernetes/client-node.
 * @throws KubeconfigError that names the file and the member with the error
 */
export async function loadKubeconfig(config: KubeConfig, { kubeconfigPath: path }: KubeconfigAccess): Promise<void> {
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
  requireCurrentContext(config, path);
  config.makePathsAbsolute(dirname(path));
  await useTokenFile(config, text, dirname(path));
}

/** Checks the members that every request needs. */
function requireCurrentContext(config: KubeConfig, path: string): void {
  const name = config.getCurrentContext();
  if (!name)
    throw new KubeconfigError(
      `The kubeconfig ${path} has no current-context. Select one with "kubectl config use-context".`,
    );
  const context = config.getContextObject(name);
  if (!context)
    throw new KubeconfigError(`The kubeconfig ${path} has no context ${name}, which is its current-context.`);
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

/** Reads the token of `tokenFile`, which the library does not know, for every request. */
async function useTokenFile(config: KubeConfig, text: string, folder: string): Promise<void> {
  const user = config.getCurrentUser();
  if (!user) return;
  const { loadYaml } = await import('@kubernetes/client-node');
  const { users } = loadYaml<{ users?: { name?: string; user?: { tokenFile?: unknown } }[] }>(text);
  const file = users?.find(({ name }) => name === user.name)?.user?.tokenFile;
  if (typeof file === 'string' && file !== '') Object.assign(user, createTokenFileUser(resolve(folder, file)));
}

/** The reason of an error. The message of a YAML error repeats lines of the file, with tokens. */
function describe(error: unknown): string {
  const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
  if (reason === undefined) return error instanceof TypeError ? 'it is not a YAML object' : String(error);
  return mark === undefined ? reason : `${reason} in line ${mark.line + 1}, column ${mark.column + 1}`;
}
