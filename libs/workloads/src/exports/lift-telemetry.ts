import type { RunConfig } from '../configuration/run-config.ts';
import { TelemetryConfigSchema } from '../flags/telemetry-section.ts';
import { dropRepeatedMiddleware } from './lift-authentication.ts';

/**
 * Moves telemetry from the list of middleware into its section. Exported configurations have both,
 * with the headers for the collector in clear.
 */
export function liftTelemetry(config: RunConfig): RunConfig {
  const { middleware_configs: list, telemetry_config: section } = config;
  const listed = list?.find(({ type }) => type === 'telemetry');
  if (listed === undefined) return config;
  const { config: repeated } = (listed['parameters'] ?? {}) as { config?: unknown };
  return {
    ...dropRepeatedMiddleware(config, ['telemetry']),
    telemetry_config: section ?? TelemetryConfigSchema.parse(repeated ?? {}),
  };
}
