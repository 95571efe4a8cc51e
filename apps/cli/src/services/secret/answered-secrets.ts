import { openSecrets, type SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { SecretsError } from '@gatehouse/secrets/secrets-error';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import { UsageError } from '../../errors/cli-error.ts';

/**
 * The secrets that a person types for a server of the registry. Each is stored under the full name
 * of the entry and the variable, so that a later run of the same entry does not ask again, and no
 * entry reads a secret that was typed for another one.
 */
export class AnsweredSecrets {
  readonly #server: string;
  readonly #settings: () => Promise<SecretsSettings>;
  readonly #stored: string[] = [];
  #provider: SecretsProvider | undefined;

  /** @param server full name of the entry */
  constructor(server: string, settings: () => Promise<SecretsSettings>) {
    this.#server = server;
    this.#settings = settings;
  }

  /**
   * Finds the answer of an earlier run.
   * @param canAsk without a terminal, secrets that cannot be read are as if they were missing
   * @throws UsageError, SecretsError on a terminal, when no answer could be stored
   */
  async find(variable: string, canAsk: boolean): Promise<SecretReference | undefined> {
    try {
      const provider = await this.#open(variable);
      const name = this.#getName(variable);
      return (await provider.get(name)) === undefined ? undefined : createReference(name, variable);
    } catch (error) {
      if (!(error instanceof SecretsError || error instanceof UsageError)) throw error;
      if (!canAsk) return undefined;
      throw error instanceof SecretsError && error.code === 'secrets_not_set_up'
        ? this.#explain(error, variable)
        : error;
    }
  }

  /** Stores an answer. */
  async store(variable: string, value: string): Promise<SecretReference> {
    const name = this.#getName(variable);
    await (await this.#open(variable)).set?.(name, value);
    this.#stored.push(name);
    return createReference(name, variable);
  }

  /** Removes the answers of this command, which failed: one of them may be wrong. */
  async undo(): Promise<void> {
    for (const name of this.#stored.splice(0)) await this.#provider?.delete?.(name);
  }

  /** Names in other stores than the encrypted file have a form of their own. */
  async #open(variable: string): Promise<SecretsProvider> {
    this.#provider ??= openSecrets(await this.#settings());
    if (this.#provider.set !== undefined) return this.#provider;
    throw new UsageError(
      `${this.#server} needs the secret ${variable}, and gatehouse does not store secrets in ${this.#provider.title}`,
      [`--secret NAME,target=${variable}   takes one that is there`],
    );
  }

  #explain({ code, message, tryNext }: SecretsError, variable: string): SecretsError {
    const problem = `${this.#server} needs the secret ${variable}, and there is no place to store it: ${message}`;
    return new SecretsError(code, problem, [...tryNext, `--env-file FILE   with the line ${variable}=…`]);
  }

  #getName(variable: string): string {
    return `${this.#server}/${variable}`;
  }
}

const createReference = (name: string, target: string): SecretReference =>
  SecretReference.parse(`${name},target=${target}`);
