import type { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { type Credential, listClientReferences, nameStoredCredential } from '../configuration/client-secrets.ts';
import { listHeaderReferences, nameStoredHeader } from '../configuration/configured-headers.ts';
import { listTelemetryReferences, nameStoredTelemetryHeader } from '../configuration/telemetry-headers.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { listReferences } from './list-references.ts';

/**
 * Lists the names of the secrets that starts of these workloads have stored: credentials of their
 * proxies and values of headers. A secret that the user has stored has another name.
 * @param configs undefined for a workload whose configuration cannot be read
 */
export const listStoredSecrets = (configs: readonly (RunConfig | undefined)[]): string[] =>
  configs.flatMap((config) => (config === undefined ? [] : (readOrNone(() => listStored(config)) ?? [])));

function listStored(config: RunConfig): string[] {
  const credentials = Object.entries(listClientReferences(config)) as [Credential, SecretReference][];
  const named = [
    ...credentials.map(([credential, { name }]) => [name, nameStoredCredential(credential, config.name)] as const),
    ...listHeaderReferences(config).map(({ name, target }) => [name, nameStoredHeader(target, config.name)] as const),
    ...listTelemetryReferences(config).map(
      ({ name, target }) => [name, nameStoredTelemetryHeader(target, config.name)] as const,
    ),
  ];
  return named
    .filter(([name, base]) => name.startsWith(base) && /^(?:_[1-9]\d*)?$/.test(name.slice(base.length)))
    .map(([name]) => name);
}

/**
 * Returns the secrets that none of the workloads refers to. A workload whose configuration cannot
 * be read may use each of them, so that all stay.
 */
export function listUnusedSecrets(secrets: readonly string[], configs: readonly (RunConfig | undefined)[]): string[] {
  const used = new Set<string>();
  for (const config of configs) {
    const references = config && readOrNone(() => listReferences(config));
    if (references === undefined) return [];
    for (const { name } of references) used.add(name);
  }
  return [...new Set(secrets)].filter((name) => !used.has(name));
}

/** A configuration that was changed by hand must not prevent the removal of a workload. */
function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WorkloadError) return undefined;
    throw error;
  }
}
