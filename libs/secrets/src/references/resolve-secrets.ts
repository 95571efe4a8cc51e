import type { SecretsProvider } from '../secrets-provider.ts';
import { SecretsError } from '../secrets-error.ts';
import type { SecretReference } from './secret-reference.ts';

/**
 * Reads the values of references, before anything starts. Of several references with the same
 * target the last one wins.
 * @returns the environment variables by target, without a prototype
 * @throws SecretsError (secret_not_found) that names all missing secrets at once
 */
export async function resolveSecrets(
  references: readonly SecretReference[],
  provider: SecretsProvider,
): Promise<Record<string, string>> {
  const values = new Map<string, string | undefined>();
  for (const { name } of references) if (!values.has(name)) values.set(name, await provider.get(name));
  const missing = [...values].flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length > 0) throw createNotFoundError(missing, provider);
  const variables = Object.create(null) as Record<string, string>;
  for (const { name, target } of references) variables[target] = values.get(name) ?? '';
  return variables;
}

/** The error for names that a provider does not have. */
export function createNotFoundError(names: readonly string[], provider: SecretsProvider): SecretsError {
  const shown = names.join(', ');
  const subject = names.length === 1 ? `The secret ${shown} is` : `The secrets ${shown} are`;
  return new SecretsError(
    'secret_not_found',
    `${subject} not in ${provider.title}`,
    names.map((name) => provider.describeChange(name)),
  );
}
