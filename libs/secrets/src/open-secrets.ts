import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { makePrivateFolder } from '@gatehouse/local-files/private-folder';
import { EncryptedSecrets } from './encrypted/encrypted-secrets.ts';
import type { PasswordSources } from './encrypted/find-password.ts';
import { addEnvironmentFallback, EnvironmentSecrets, type Environment } from './providers/environment-secrets.ts';
import { OnePasswordSecrets } from './providers/one-password-secrets.ts';
import { SecretsError } from './secrets-error.ts';
import type { SecretsProvider } from './secrets-provider.ts';

/** The storages that a user can choose. */
export const PROVIDER_NAMES = ['encrypted', '1password', 'environment'] as const;

/** See {@link PROVIDER_NAMES}. */
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The settings about secrets from the environment of a command. */
export interface SecretsSettings {
  /** Folder of the state of this user. */
  readonly home: string;
  /** GATEHOUSE_SECRETS_PROVIDER: the provider instead of the one that `secret setup` stored. */
  readonly provider: string | undefined;
  /** False with GATEHOUSE_DISABLE_ENV_FALLBACK=true. */
  readonly hasEnvironmentFallback: boolean;
  readonly passwords: PasswordSources;
  /** All variables, for `GATEHOUSE_SECRET_<NAME>` and for op. */
  readonly environment: Environment;
}

const getFolder = (home: string): string => join(home, 'secret-store');
const getProviderFile = (home: string): string => join(getFolder(home), 'provider.json');

/** The encrypted file of a home, whether or not it is the chosen provider. */
export const openEncryptedSecrets = ({ home, passwords }: SecretsSettings): EncryptedSecrets =>
  new EncryptedSecrets(getFolder(home), passwords);

/**
 * The provider that GATEHOUSE_SECRETS_PROVIDER names, else the one of `gatehouse secret setup`. The
 * environment is a fallback for names that it does not have.
 * @throws SecretsError (secrets_not_set_up, secrets_setting_invalid)
 */
export function openSecrets(settings: SecretsSettings): SecretsProvider {
  const environment = new EnvironmentSecrets(settings.environment);
  const name = readProviderName(settings);
  if (name === 'environment') return environment;
  const provider = name === '1password' ? new OnePasswordSecrets(settings.environment) : openEncryptedSecrets(settings);
  return settings.hasEnvironmentFallback ? addEnvironmentFallback(provider, environment) : provider;
}

/** Stores the choice of a provider for this home. */
export function storeProviderName(home: string, provider: ProviderName): void {
  makePrivateFolder(getFolder(home));
  replaceFile(getProviderFile(home), `${JSON.stringify({ provider })}\n`);
}

function readProviderName({ home, provider }: SecretsSettings): ProviderName {
  if (provider !== undefined) return parseProviderName(provider, 'GATEHOUSE_SECRETS_PROVIDER');
  let text: string;
  try {
    text = readFileSync(getProviderFile(home), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new SecretsError('secrets_not_set_up', 'No storage of secrets is set up', [
      'gatehouse secret setup',
      'GATEHOUSE_SECRETS_PROVIDER=environment   reads secrets from variables GATEHOUSE_SECRET_<NAME>',
    ]);
  }
  return parseProviderName(parseProviderFile(text), getProviderFile(home));
}

function parseProviderFile(text: string): unknown {
  try {
    return (JSON.parse(text) as { provider?: unknown } | null)?.provider;
  } catch {
    return undefined;
  }
}

function parseProviderName(value: unknown, origin: string): ProviderName {
  const name = PROVIDER_NAMES.find((candidate) => candidate === value);
  if (name !== undefined) return name;
  const given = typeof value === 'string' ? `, not ${JSON.stringify(value.slice(0, 100))}` : '';
  throw new SecretsError(
    'secrets_setting_invalid',
    `${origin} must name a provider: ${PROVIDER_NAMES.join(', ')}${given}`,
    ['gatehouse secret setup'],
  );
}
