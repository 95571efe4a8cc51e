import { readSecretsEnvironment } from '@gatehouse/secrets/config';
import { systemKeyring } from '@gatehouse/secrets/keyring';
import { openSecrets } from '@gatehouse/secrets/open-secrets';
import { resolveSecrets } from '@gatehouse/secrets/references/resolve-secrets';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { SecretsError } from '@gatehouse/secrets/secrets-error';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import { type ClientSecrets, listClientReferences } from '../configuration/client-secrets.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { createSupervisorEnvironment } from '../supervision/config.ts';

/** Reads the values of the secrets of a workload by variable. */
export type SecretsReader = () => Promise<Readonly<Record<string, string>>>;

/**
 * Creates the reader of a supervisor. It reads the values anew for each container, so that none
 * stays in memory and a changed secret reaches the next container. It never asks a person.
 * @param variables variables besides those of this process
 * @throws WorkloadError (failed) from the reader
 */
export const createSecretsReader = (
  home: string,
  { name, secrets = [] }: RunConfig,
  variables: Readonly<Record<string, string>> = {},
): SecretsReader => createReader(home, name, secrets, variables);

/**
 * Reads the secrets of the clients of a proxy.
 * @throws WorkloadError (failed)
 */
export async function readClientSecrets(
  home: string,
  config: RunConfig,
  variables: Readonly<Record<string, string>> = {},
): Promise<ClientSecrets<string>> {
  const references = Object.entries(listClientReferences(config)).map(([client, { name }]) =>
    SecretReference.parse(`${name},target=${client}`),
  );
  return createReader(home, config.name, references, variables)();
}

/** Opens the store of secrets of a supervisor, which never asks a person. */
export const openSupervisorSecrets = (home: string): SecretsProvider => openSecrets(readSettings(home, {}));

function createReader(
  home: string,
  name: string,
  secrets: readonly SecretReference[],
  variables: Readonly<Record<string, string>>,
): SecretsReader {
  if (secrets.length === 0) return () => Promise.resolve({});
  let provider: SecretsProvider | undefined;
  return async () => {
    try {
      provider ??= openSecrets(readSettings(home, variables));
      return await resolveSecrets(secrets, provider);
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error;
      const hint =
        error.code === 'secrets_password_missing' ? `; gatehouse start ${name} asks for it on a terminal` : '';
      const text = `The secrets of ${name} cannot be read: ${error.message}${hint}`;
      throw new WorkloadError('failed', text, error.tryNext, error);
    }
  };
}

function readSettings(home: string, variables: Readonly<Record<string, string>>) {
  const { provider, hasEnvironmentFallback, password, passwordFile, environment } = readSecretsEnvironment({
    ...createSupervisorEnvironment(),
    ...variables,
  });
  return {
    ...{ home, provider, hasEnvironmentFallback, environment },
    passwords: { password, passwordFile, keyring: systemKeyring, ask: undefined },
  };
}
