import type { ProxyOptions } from '@gatehouse/proxy/options';
import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage } from '../errors/workload-error.ts';
import { requireEnforceableAuthorization } from '../authorization/check-authorization.ts';

/**
 * Opens the authorizer of a workload; undefined when its configuration has none. Cedar is loaded
 * only with one.
 * @throws WorkloadError for policies that are not valid
 */
export async function openAuthorizer(
  { authz_config: config }: RunConfig,
  log: (line: string) => void,
): Promise<ProxyOptions['authorizer']> {
  if (config == null) return undefined;
  await requireEnforceableAuthorization(config);
  const { CedarAuthorizer } = await import('@gatehouse/proxy/authorization/cedar-authorizer');
  return new CedarAuthorizer(config.cedar ?? { policies: [] }, ({ level, message, cause }) =>
    log(`${level} ${message}${cause === undefined ? '' : `: ${getErrorMessage(cause)}`}`),
  );
}
