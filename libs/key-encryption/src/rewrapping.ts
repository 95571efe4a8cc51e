import type { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { rewrapAll } from '@gatehouse/envelope/rewrap';
import type { Log } from '@gatehouse/service-kit/log';
import type { DataSource } from 'typeorm';
import type { KeyEncryptionKeys } from './key-encryption-keys.ts';
import { SealedTableStore } from './sealed-table-store.ts';
import type { SealedTables } from './sealed-tables.ts';

const INTERVAL_MS = 60_000;

/**
 * Rewraps every sealed value with the current key-encryption key, in the background. Several
 * replicas can run it at the same time, and it can be killed at any point.
 */
export class Rewrapping {
  private timer: NodeJS.Timeout | undefined;
  private run: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly cipher: EnvelopeCipher,
    private readonly keys: KeyEncryptionKeys,
    private readonly tables: SealedTables,
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  /**
   * Starts a run now, after each change of the keys, and once a minute: a replica that does not
   * have the newest key yet can still seal values with the previous one. Nest calls it.
   */
  onApplicationBootstrap(): void {
    this.start();
    this.keys.onChange(() => this.start());
    this.timer = setInterval(() => this.start(), INTERVAL_MS).unref();
  }

  /** Ends the run. Nest calls it. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.run;
  }

  /** Whether a run is in progress on this replica. */
  get isRunning(): boolean {
    return this.run !== undefined;
  }

  /** Starts a run unless one is in progress. */
  start(): void {
    if (this.isStopped || !this.cipher.hasKey) return;
    this.run ??= this.rewrapTables()
      .catch((error: unknown) => this.log.error({ err: error }, 'sealed values could not be rewrapped'))
      .finally(() => {
        this.run = undefined;
      });
  }

  private async rewrapTables(): Promise<void> {
    for (const table of this.tables.list()) {
      const values = await rewrapAll(this.cipher, new SealedTableStore(this.dataSource, table), {
        isStopped: () => this.isStopped,
        onFailed: (error, { id }) =>
          this.log.error({ err: error, table: table.table, id }, 'a sealed value could not be rewrapped'),
      });
      if (values > 0)
        this.log.info(
          { table: table.table, values, version: this.cipher.currentVersion },
          'sealed values were rewrapped',
        );
    }
  }
}
