import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

const EVERY_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 3;

/** Functions of the database's owner that make the months between two dates; each answers how many it made. */
const ENSURE = {
  'tool calls': 'SELECT ensure_tool_call_partitions($1::date, $2::date) AS made',
  'audit events': 'SELECT ensure_audit_partitions($1::date, $2::date) AS made',
};

/**
 * Makes the months of tables that are divided by month before they come, and lets those of the audit trail end whose time is over. Any number of replicas
 * may do it; a failed try is repeated. How long the trail is kept is the database's to say, not ours.
 */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.keep();
    this.timer = setInterval(() => void this.keep(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async makeAhead(): Promise<void> {
    const now = this.clock.now();
    const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
    for (const [what, ensure] of Object.entries(ENSURE)) {
      const [row] = await this.dataSource.query<{ made: number }[]>(ensure, [dateOf(now), dateOf(latest)]);
      if (row !== undefined && row.made > 0) this.log.info({ made: row.made, what }, 'months were made ahead');
    }
  }

  private async dropExpired(): Promise<void> {
    const [row] = await this.dataSource.query<{ dropped: string[] }[]>(
      'SELECT drop_expired_audit_partitions() AS dropped',
    );
    if (row !== undefined && row.dropped.length > 0)
      this.log.info({ dropped: row.dropped }, 'months of the audit trail ended with their retention');
  }

  /** A row whose month is not there yet lies in the rest until it is: nothing has to wait for this. */
  private async keep(): Promise<void> {
    await this.tryOut(() => this.makeAhead());
    await this.tryOut(() => this.dropExpired());
  }

  private async tryOut(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.error({ err: error }, 'months could not be made or ended; it is tried again');
    }
  }
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
