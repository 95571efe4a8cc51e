import { RemoteAuthConfigSchema } from '../flags/remote-sections.ts';
import type { RunConfig } from '../configuration/run-config.ts';

/** The names of an early version of other tools. */
const EARLY_NAMES: Readonly<Record<string, string>> = {
  ClientID: 'client_id',
  ClientSecret: 'client_secret',
  ClientSecretFile: 'client_secret_file',
  Scopes: 'scopes',
  SkipBrowser: 'skip_browser',
  Timeout: 'timeout',
  CallbackPort: 'callback_port',
  UsePKCE: 'use_pkce',
  Resource: 'resource',
  Issuer: 'issuer',
  AuthorizeURL: 'authorize_url',
  TokenURL: 'token_url',
  OAuthParams: 'oauth_params',
  BearerToken: 'bearer_token',
  BearerTokenFile: 'bearer_token_file',
};
/** Members that other tools copy from registries and never use. */
const UNUSED: ReadonlySet<string> = new Set(['headers', 'env_vars', 'Headers', 'EnvVars']);

/**
 * Reads the section of the sign-in in the form of each version. The tokens and the registered
 * client of another machine (`cached_…`) stay there: a refresh token belongs to one program.
 */
export function liftRemoteAuth(config: RunConfig): RunConfig {
  const { remote_auth_config: section, ...rest } = config;
  if (section == null) return config;
  const members = Object.entries(section).flatMap(([name, value]) =>
    name.startsWith('cached_') || UNUSED.has(name) || value === null ? [] : [[EARLY_NAMES[name] ?? name, value]],
  );
  return { ...rest, remote_auth_config: RemoteAuthConfigSchema.parse(Object.fromEntries(members)) };
}
