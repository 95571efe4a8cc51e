import { OidcConfigSchema, TokenExchangeConfigSchema } from '../flags/authentication-sections.ts';
import type { RunConfig } from '../configuration/run-config.ts';

/**
 * Moves authentication and token exchange from the list of middleware into their sections. Exported
 * configurations have both, with secrets in clear, and the list is what they run with. Without the
 * list, other tools make it from the sections, so that authentication stays on there too.
 */
export function liftAuthentication(config: RunConfig): RunConfig {
  const find = (type: string, parameter: string): unknown =>
    config.middleware_configs
      ?.filter((entry) => entry['type'] === type)
      .map(({ parameters }) => (parameters as Record<string, unknown> | null | undefined)?.[parameter])
      .find((value) => value !== undefined && value !== null);
  const oidc = find('auth', 'oidc_config');
  const exchange = find('tokenexchange', 'token_exchange_config');
  if (oidc === undefined && exchange === undefined) return config;
  return {
    ...dropRepeatedMiddleware(config, ['auth', 'tokenexchange']),
    ...(oidc !== undefined && { oidc_config: OidcConfigSchema.parse(oidc) }),
    ...(exchange !== undefined && { token_exchange_config: TokenExchangeConfigSchema.parse(exchange) }),
  };
}

/** Leaves out middleware that has a section, and a list that repeats sections only. */
export function dropRepeatedMiddleware(config: RunConfig, types: readonly unknown[]): RunConfig {
  const { middleware_configs: list, ...rest } = config;
  const others = list?.filter(({ type }) => !types.includes(type)) ?? [];
  return { ...rest, ...(others.some(({ type }) => !REPEATED.has(type)) && { middleware_configs: others }) };
}

/** Middleware that repeats a section, or that every proxy has. */
const REPEATED: ReadonlySet<unknown> = new Set([
  ...['bodylimit', 'origin', 'mcp-parser', 'recovery', 'usagemetrics', 'audit'],
  ...['tool-filter', 'tool-call-filter'],
]);
