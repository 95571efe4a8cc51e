import { ImagePullError } from '@gatehouse/workloads/errors/workload-error';
import { nearest } from '../../errors/nearest.ts';
import { readRegistrySource } from '../settings/registry-source.ts';
import { openSelectedRegistry } from './selected-registry.ts';

/**
 * Adds the most similar name of the registry to the error of an image that cannot be pulled, since
 * the text may be a misspelled name. An API, which would be read page by page, is not asked.
 * @param typed the argument of `run`
 */
export async function suggestName(error: unknown, typed: string, home: string): Promise<unknown> {
  if (!(error instanceof ImagePullError)) return error;
  const similar = await findSimilarName(typed, home).catch(() => undefined);
  if (similar === undefined) return error;
  return new ImagePullError(error.message, [`gatehouse run ${similar}   is in the registry`, ...error.tryNext], error);
}

async function findSimilarName(typed: string, home: string): Promise<string | undefined> {
  if (readRegistrySource(home).kind === 'api') return undefined;
  const registry = await openSelectedRegistry(home, () => undefined);
  const names = (await registry.list()).servers.map(({ name }) => name);
  return nearest(typed, typed.includes('/') ? names : names.map((name) => name.slice(name.indexOf('/') + 1)));
}
