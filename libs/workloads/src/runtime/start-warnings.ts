import type { RunConfig } from '../configuration/run-config.ts';
import { createExposureWarning } from '../flags/exposure.ts';
import { listPermissionWarnings } from '../permissions/permission-warnings.ts';
import type { CommandContext } from './runtime.ts';

/** Warns of the callers that a workload accepts, and of the rights that it has. */
export function warnOfExposure(config: RunConfig, context: CommandContext): void {
  const { host, host_name = host, oidc_config, allowed_origins } = config;
  const needsToken = oidc_config !== undefined && oidc_config !== null;
  const warning = createExposureWarning(host_name, host, needsToken, allowed_origins);
  if (warning !== undefined) context.warn(warning);
  for (const sentence of listPermissionWarnings(config)) context.warn(sentence);
}
