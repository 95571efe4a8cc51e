import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import type { AuthenticationSections } from '@gatehouse/workloads/flags/authentication-sections';
import {
  type Client,
  findClientSecrets,
  isReference,
  replaceClientSecrets,
} from '@gatehouse/workloads/configuration/client-secrets';
import { UsageError } from '../../errors/cli-error.ts';

/** The flags of the secrets, for messages. */
const FLAGS: Readonly<Record<Client, string>> = {
  oidc: '--oidc-client-secret',
  token_exchange: '--token-exchange-client-secret',
};

/**
 * Stores the secrets of the clients of a proxy, so that its configuration has references only. Each
 * has the name of its workload; a name that is taken by another value gets a number.
 */
export class StoredClientSecrets {
  readonly #created: string[] = [];
  #provider: SecretsProvider | undefined;

  constructor(private readonly settings: () => Promise<SecretsSettings>) {}

  /**
   * Replaces the secrets of the sections by references. References stay.
   * @throws SecretsError, UsageError where no secret can be stored
   */
  async store<T extends AuthenticationSections>(sections: T, workload: string): Promise<T> {
    const references: Partial<Record<Client, SecretReference>> = {};
    for (const [client, secret] of Object.entries(findClientSecrets(sections)) as [Client, string][]) {
      if (!isReference(secret)) references[client] = await this.#storeOne(client, secret, workload);
    }
    return replaceClientSecrets(sections, references);
  }

  /** Removes the secrets that this command has stored. */
  async undo(): Promise<void> {
    for (const name of this.#created.splice(0)) await this.#provider?.delete?.(name);
  }

  async #storeOne(client: Client, secret: string, workload: string): Promise<SecretReference> {
    const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
    this.#provider ??= openSecrets(await this.settings());
    const provider = this.#provider;
    const base = `${client.toUpperCase()}_CLIENT_SECRET_${workload}`;
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : `${base}_${count}`;
      const stored = await provider.get(name);
      if (stored !== undefined && stored !== secret) continue;
      if (stored === undefined) {
        if (provider.set === undefined)
          throw new UsageError(`${FLAGS[client]} cannot be stored in ${provider.title}, which gatehouse only reads`, [
            `${FLAGS[client]} NAME,target=${client}   takes a secret that is there`,
          ]);
        await provider.set(name, secret);
        this.#created.push(name);
      }
      return SecretReference.parse(`${name},target=${client}`);
    }
  }
}
