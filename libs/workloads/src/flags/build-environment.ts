import { WorkloadError } from '../errors/workload-error.ts';
import type { Scheme } from './package-reference.ts';

/** The variables that tell the programs of each scheme where packages are. */
export const REGISTRY_VARIABLES: Readonly<Record<Scheme, readonly string[]>> = {
  uvx: ['PIP_INDEX_URL', 'UV_DEFAULT_INDEX', 'UV_INDEX', 'UV_INDEX_URL', 'UV_EXTRA_INDEX_URL'],
  npx: ['NPM_CONFIG_REGISTRY'],
  go: ['GOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GONOPROXY', 'GOPRIVATE'],
};

/** Addresses and lists of patterns, without quotes and references to variables. */
const VALUE = /^[A-Za-z0-9._~:/?#[\]!&()*+,;=%@| -]{1,2048}$/;
const CREDENTIALS = /\/\/[^/\s,|]*@/;

/**
 * Checks the registries of a build. Others could have packages of the same name, so a registry is a
 * part of the image and of the workload.
 * @param scheme undefined for a server that is not built
 * @throws WorkloadError (usage) that names the variable, and never shows its value
 */
export function parseBuildEnvironment(
  variables: Readonly<Record<string, string>>,
  scheme: Scheme | undefined,
): Readonly<Record<string, string>> {
  if (scheme === undefined) return {};
  const sorted = Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, value] of sorted) {
    if (!REGISTRY_VARIABLES[scheme].includes(name))
      throw new WorkloadError('usage', `${name} is not a variable of builds of ${scheme}:// packages`, [
        `the variables are ${REGISTRY_VARIABLES[scheme].join(', ')}`,
      ]);
    if (CREDENTIALS.test(value))
      throw new WorkloadError('usage', `${name} contains credentials, which the build would store in clear`, [
        `unset ${name}`,
        '--runtime-image IMAGE   a base image whose configuration has the credentials',
      ]);
    if (!VALUE.test(value)) throw new WorkloadError('usage', `${name} is not the address of a registry`);
  }
  return Object.fromEntries(sorted);
}
