import type { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { Log } from '@gatehouse/service-kit/log';
import type { Readiness } from '@gatehouse/service-kit/readiness';
import type { KeyEncryptionKeys } from './key-encryption-keys.ts';
import type { SealedTables } from './sealed-tables.ts';

/**
 * Checks that the configured keys can open every sealed value: once at start, for the log, and at
 * each readiness probe.
 */
export class KeyReadiness {
  constructor(
    private readonly cipher: EnvelopeCipher,
    private readonly keys: KeyEncryptionKeys,
    private readonly tables: SealedTables,
    private readonly readiness: Readiness,
    private readonly log: Log,
  ) {}

  /** Registers the check. Nest calls it after the start of the service. */
  async onApplicationBootstrap(): Promise<void> {
    this.readiness.register('key-encryption', () => this.check());
    await this.check().catch((error: unknown) => this.log.error({ err: error }, 'some sealed values cannot be opened'));
  }

  /** @throws Error that names the versions whose values cannot be opened */
  private async check(): Promise<void> {
    const rejected = this.keys.rejectedVersions;
    const missing = (await this.tables.countByVersion())
      .map(({ version }) => version)
      .filter((version) => !this.cipher.versions.includes(version) && !rejected.includes(version));
    const problems = [
      rejected.length > 0 &&
        `version ${rejected.join(', ')} of the key-encryption key is not the key that the database knows`,
      missing.length > 0 &&
        `values are sealed with version ${missing.join(', ')} of the key-encryption key, which is not configured`,
    ].filter((problem) => problem !== false);
    if (problems.length > 0) throw new Error(problems.join('; '));
  }
}
