import { join } from 'node:path';
import type { Registry } from '@gatehouse/mcp-registry/registry/registry';
import { RegistryError, type RegistryErrorCode } from '@gatehouse/mcp-registry/registry-error';
import { CommandFailedError, UsageError } from '../../errors/cli-error.ts';
import { readRegistrySource } from '../settings/registry-source.ts';
import { readStoredSetting } from '../settings/stored-settings.ts';

/** The folder of a home with stored answers of registries. */
export const getCacheFolder = (home: string): string => join(home, 'registry-cache');

/**
 * Opens the registry of a home.
 * @param note receives sentences about a registry that is old
 * @param bundle a file with certificates of authorities; default: the one of the settings
 * @param timeoutMs for all requests of one question; default 30 s
 */
export async function openSelectedRegistry(
  home: string,
  note: (sentence: string) => void,
  bundle?: string,
  timeoutMs?: number,
): Promise<Registry> {
  const source = readRegistrySource(home);
  const isRemote = source.kind === 'url' || source.kind === 'api';
  const certificates = isRemote ? await readBundle(home, bundle) : undefined;
  const { openRegistry } = await import('@gatehouse/mcp-registry/sources/open-registry');
  const options = { cacheFolder: getCacheFolder(home), note, now: () => new Date(), certificates, timeoutMs };
  return openRegistry(source, options);
}

/** Reads certificates of authorities. @throws WorkloadError (usage) that names the file */
export async function readBundle(home: string, bundle?: string): Promise<string | undefined> {
  const { requireSetting } = await import('../settings/definitions.ts');
  const path = bundle ?? readStoredSetting(home, requireSetting('ca_bundle'));
  if (typeof path !== 'string') return undefined;
  const { readCertificates } = await import('@gatehouse/workloads/flags/certificates');
  return readCertificates(
    path,
    bundle === undefined ? `The setting ca_bundle ${path}` : `--gatehouse-ca-bundle ${path}`,
  );
}

/** The errors that another command line avoids. */
const USAGE_ERRORS: ReadonlySet<RegistryErrorCode> = new Set([
  'registry_server_unknown',
  'registry_server_ambiguous',
  'server_environment_missing',
  'server_arguments_missing',
]);

/**
 * Runs a question to a registry.
 * @throws CliError `usage` for an unclear name and for missing values, else `failed`
 */
export async function askRegistry<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    throw new (USAGE_ERRORS.has(error.code) ? UsageError : CommandFailedError)(error.message, error.tryNext, error);
  }
}
