import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const INTERVAL_MS = 3_600_000;

/**
 * Deletes expired events of the audit trail, at the start and every hour. Nest calls the functions
 * for start and shutdown by their names.
 */
@Injectable()
export class AuditRetention {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const run = () => (this.running = this.deleteExpired());
    this.timer = setInterval(() => void run(), INTERVAL_MS).unref();
    void run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Several replicas can do this at the same time. */
  private async deleteExpired(): Promise<void> {
    try {
      await this.dataSource.query('SELECT delete_expired_audit_events()');
    } catch (error) {
      this.log.warn(
        { err: error },
        'expired events of the audit trail could not be deleted; the next attempt is in an hour',
      );
    }
  }
}
