import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import type { Person, ServiceClient } from './directory.ts';

/** The stored state of the identity provider; created once for a home, mode 0600. */
export interface IdentityProviderState {
  people: Person[];
  clients: ServiceClient[];
  /** Private ES256 keys; the first one signs. */
  keys: JWK[];
  /** Keys that sign the provider's cookies; the first one signs. */
  cookie_keys: string[];
  /** Bearer token of `POST /local/tokens`, which `gatehouse token` calls. */
  local_secret: string;
}

/** Settings of the identity provider process. */
export interface IdentityProviderConfig {
  host: '127.0.0.1';
  port: number;
  issuer: string;
  audience: string;
  consoleUrl: string;
  /** URLs of the services of this platform. A token for any of them has `audience`. */
  resources: string[];
  storeFile: string;
  state: IdentityProviderState;
  passwords: ReadonlyMap<string, string>;
  /** The supervisor; the identity provider ends with it. */
  supervisorPid?: number;
}

/** An invalid setting. */
export class IdentityProviderConfigError extends GatehouseError {
  override readonly code = 'invalid_configuration';
}

/**
 * Reads the settings. The provider reads passwords from a file. Therefore it listens only on the
 * loopback address and refuses NODE_ENV=production.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): IdentityProviderConfig {
  if (env['NODE_ENV'] === 'production') {
    throw new IdentityProviderConfigError(
      'The local identity provider does not run with NODE_ENV=production: configure a real OpenID provider in ISSUERS instead.',
    );
  }
  const host = env['HOST'] ?? '127.0.0.1';
  if (host !== '127.0.0.1') {
    throw new IdentityProviderConfigError(
      `The local identity provider listens on 127.0.0.1 only, but HOST is ${JSON.stringify(host)}. Unset HOST.`,
    );
  }
  const home = required(env, 'GATEHOUSE_HOME');
  const port = Number(env['PORT'] ?? '8090');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new IdentityProviderConfigError('PORT must be a whole number from 1 to 65535.');
  }
  const supervisor = env['GATEHOUSE_PLATFORM_PID'];
  return {
    host,
    port,
    issuer: `http://${host}:${port}`,
    audience: required(env, 'AUDIENCE'),
    consoleUrl: required(env, 'CONSOLE_URL'),
    resources: (env['RESOURCES'] ?? '').split(' ').filter(Boolean),
    storeFile: join(home, 'identity-provider', 'store.sqlite'),
    state: JSON.parse(readFileSync(join(home, 'identity-provider', 'state.json'), 'utf8')) as IdentityProviderState,
    passwords: readPasswords(join(home, 'credentials.json')),
    ...(env['EXIT_WITH_PARENT'] === 'true' && supervisor ? { supervisorPid: Number(supervisor) } : {}),
  };
}

function readPasswords(file: string): Map<string, string> {
  const { users } = JSON.parse(readFileSync(file, 'utf8')) as { users: { name: string; password: string }[] };
  return new Map(users.map(({ name, password }) => [name, password]));
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new IdentityProviderConfigError(`${name} is not set.`);
  return value;
}
