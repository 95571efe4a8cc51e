import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { KeyEncryption } from './key-encryption.ts';
import { KeyKeeper } from './key-keeper.ts';
import { SealedTables } from './sealed-tables.ts';

/**
 * Tells whether everything that is sealed can be opened: at start into the log, and to readiness
 * whenever it asks.
 */
@Injectable()
export class KeyReadiness implements OnApplicationBootstrap {
  constructor(
    private readonly encryption: KeyEncryption,
    private readonly keeper: KeyKeeper,
    private readonly tables: SealedTables,
    private readonly readiness: Readiness,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.readiness.register('key-encryption', () => this.check());
    await this.check().catch((error: unknown) => this.log.error({ err: error }, 'sealed values cannot all be opened'));
  }

  /** @throws Error that names the versions whose values cannot be opened */
  private async check(): Promise<void> {
    const refused = this.keeper.refusedVersions;
    const missing = (await this.tables.counts())
      .map(({ version }) => version)
      .filter((version) => !this.encryption.versions.includes(version) && !refused.includes(version));
    const problems = [
      refused.length > 0 && `version ${refused.join(', ')} of the key-encryption key is another key than before`,
      missing.length > 0 &&
        `values are sealed with version ${missing.join(', ')} of the key-encryption key, which is not configured`,
    ].filter((problem) => problem !== false);
    if (problems.length > 0) throw new Error(problems.join('; '));
  }
}
