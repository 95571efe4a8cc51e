import { isReservedName } from '@gatehouse/secrets/references/secret-name';
import { createNotFoundError } from '@gatehouse/secrets/references/resolve-secrets';
import { SecretsError } from '@gatehouse/secrets/secrets-error';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import { UsageError } from '../../errors/cli-error.ts';

/** @throws SecretsError when there is no secret of this name */
export async function readSecret(provider: SecretsProvider, name: string): Promise<string> {
  const value = await provider.get(name);
  if (value === undefined) throw createNotFoundError([name], provider);
  return value;
}

/**
 * Stores a value and returns whether the name is new.
 * @param readValue called after the check of the provider
 */
export async function storeSecret(
  provider: SecretsProvider,
  name: string,
  readValue: () => Promise<string>,
): Promise<boolean> {
  const set = provider.set;
  if (set === undefined) throw createUnsupportedError(provider, 'store', name);
  const value = await readValue();
  if (value.includes('\0')) {
    throw new UsageError('The value contains a NUL character, which no environment variable can hold');
  }
  return set(name, value);
}

/** The names of the user's secrets; those of Gatehouse itself are left out. */
export async function listSecretNames(provider: SecretsProvider): Promise<string[]> {
  if (provider.list === undefined) throw createUnsupportedError(provider, 'list', '<NAME>');
  return (await provider.list()).filter((name) => !isReservedName(name));
}

/** @throws SecretsError when the provider cannot delete a secret of this name */
export function checkDeletion(provider: SecretsProvider, name: string): void {
  if (provider.delete === undefined) throw createUnsupportedError(provider, 'delete', name);
}

/** @throws SecretsError when there is no secret of this name */
export async function deleteSecret(provider: SecretsProvider, name: string): Promise<void> {
  if ((await provider.delete?.(name)) !== true) throw createNotFoundError([name], provider);
}

function createUnsupportedError(provider: SecretsProvider, operation: string, name: string): SecretsError {
  return new SecretsError('operation_not_supported', `gatehouse does not ${operation} secrets in ${provider.title}`, [
    ...(operation === 'list' ? [] : [provider.describeChange(name)]),
    'gatehouse secret setup --provider encrypted',
  ]);
}
