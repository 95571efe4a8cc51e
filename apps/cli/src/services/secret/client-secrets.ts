import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import type { AuthenticationSections } from '@gatehouse/workloads/flags/authentication-sections';
import {
  type Credential,
  findClientSecrets,
  isReference,
  nameStoredCredential,
  replaceClientSecrets,
} from '@gatehouse/workloads/configuration/client-secrets';
import {
  listPlainHeaders,
  nameStoredHeader,
  replacePlainHeaders,
} from '@gatehouse/workloads/configuration/configured-headers';
import {
  listPlainTelemetryHeaders,
  nameStoredTelemetryHeader,
  replaceTelemetryHeaders,
} from '@gatehouse/workloads/configuration/telemetry-headers';
import type { TelemetrySections } from '@gatehouse/workloads/flags/telemetry-section';
import { UsageError } from '../../errors/cli-error.ts';

/** The flags of the secrets, for messages. */
const FLAGS: Readonly<Record<Credential, string>> = {
  oidc: '--oidc-client-secret',
  token_exchange: '--token-exchange-client-secret',
  remote_auth: '--remote-auth-client-secret',
  remote_bearer: '--remote-auth-bearer-token',
};

/**
 * Stores the secrets of the sections of a workload and the values of its headers, so that its
 * configuration has references only. Each has the name of its workload; a name that is taken by
 * another value gets a number.
 */
export class StoredClientSecrets {
  readonly #created: string[] = [];
  #provider: SecretsProvider | undefined;

  constructor(private readonly settings: () => Promise<SecretsSettings>) {}

  /**
   * Replaces the secrets of the sections and the values of headers by references. References stay.
   * @throws SecretsError, UsageError where no secret can be stored
   */
  async store<T extends AuthenticationSections & TelemetrySections>(sections: T, workload: string): Promise<T> {
    const references: Partial<Record<Credential, SecretReference>> = {};
    for (const [credential, secret] of Object.entries(findClientSecrets(sections)) as [Credential, string][]) {
      if (isReference(secret)) continue;
      const flag = FLAGS[credential];
      const advice = `${flag} NAME,target=${credential}   takes a secret that is there`;
      const name = await this.#storeOne(nameStoredCredential(credential, workload), secret, { flag, advice });
      references[credential] = SecretReference.parse(`${name},target=${credential}`);
    }
    const headers: Record<string, string> = {};
    for (const [header, value] of listPlainHeaders(sections)) {
      const advice = `--remote-forward-headers-secret ${header}=NAME   takes a secret that is there`;
      const base = nameStoredHeader(header, workload);
      headers[header] = await this.#storeOne(base, value, { flag: '--remote-forward-headers', advice });
    }
    const stored = replacePlainHeaders(replaceClientSecrets(sections, references), headers);
    return replaceTelemetryHeaders(stored, await this.#storeTelemetryHeaders(sections, workload));
  }

  /** @returns the names of the stored secrets by header */
  async #storeTelemetryHeaders(sections: TelemetrySections, workload: string): Promise<Record<string, string>> {
    const names: Record<string, string> = {};
    for (const [header, value] of listPlainTelemetryHeaders(sections)) {
      const advice = `--otel-headers ${header}=NAME,target=${header}   takes a secret that is there`;
      names[header] = await this.#storeOne(nameStoredTelemetryHeader(header, workload), value, {
        flag: '--otel-headers',
        advice,
      });
    }
    return names;
  }

  /** Removes the secrets that this command has stored. */
  async undo(): Promise<void> {
    for (const name of this.#created.splice(0)) await this.#provider?.delete?.(name);
  }

  /** @returns the name of the stored secret */
  async #storeOne(base: string, secret: string, { flag, advice }: { flag: string; advice: string }): Promise<string> {
    const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
    this.#provider ??= openSecrets(await this.settings());
    const provider = this.#provider;
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : `${base}_${count}`;
      const stored = await provider.get(name);
      if (stored !== undefined && stored !== secret) continue;
      if (stored === undefined) {
        if (provider.set === undefined)
          throw new UsageError(`${flag} cannot be stored in ${provider.title}, which gatehouse only reads`, [advice]);
        await provider.set(name, secret);
        this.#created.push(name);
      }
      return name;
    }
  }
}
