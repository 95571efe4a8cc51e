import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';

const EVERY_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 3;
/** Rows that end in one transaction: few enough that it is over in some tens of milliseconds. */
const ROWS_AT_ONCE = 2_000;
/** How often a table that somebody reads is tried again, and how long between, in milliseconds. */
const TRIES = 20;
const BETWEEN_TRIES_MS = 500;

/**
 * Functions of the database's owner that make the months between two dates; each answers how many
 * it made.
 */
const ENSURE = {
  'tool calls': 'SELECT ensure_tool_call_partitions($1::date, $2::date) AS made',
  'audit events': 'SELECT ensure_audit_partitions($1::date, $2::date) AS made',
  'usage and charges': 'SELECT ensure_usage_partitions($1::date, $2::date) AS made',
};

/**
 * Functions of the owner that end what is too old: a month, or nothing when none is due, and a
 * number of rows.
 */
const EXPIRY = [
  {
    what: 'usage',
    drop: 'SELECT drop_expired_usage_partition() AS dropped',
    forget: 'SELECT forget_expired_usage($1) AS forgotten',
  },
  {
    what: 'tool calls',
    drop: 'SELECT drop_expired_tool_call_partition() AS dropped',
    forget: 'SELECT forget_expired_tool_calls($1) AS forgotten',
  },
] as const;

/**
 * Makes the months of tables that are divided by month before they come, and lets those of the
 * audit trail, of usage and of tool calls end whose time is over. Any number of replicas may do it;
 * a failed try is repeated. How long they are kept is the database's to say, not ours.
 */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private keeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * The months of now are made before the first request comes, unless somebody else is in the way;
   * what has expired can wait until after it.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.tryOut(() => this.makeAhead(1));
    this.keeping = this.keep();
    this.timer = setInterval(() => {
      this.keeping = this.keeping.then(() => this.keep());
    }, EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.ending.abort();
    await this.keeping;
  }

  private async makeAhead(tries: number): Promise<void> {
    const now = this.clock.now();
    const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
    for (const [what, ensure] of Object.entries(ENSURE)) {
      const [row] = await this.patiently(
        () => this.dataSource.query<{ made: number }[]>(ensure, [dateOf(now), dateOf(latest)]),
        tries,
      );
      if (row !== undefined && row.made > 0) this.log.info({ made: row.made, what }, 'months were made ahead');
    }
  }

  private async dropExpiredAudit(): Promise<void> {
    const [row] = await this.dataSource.query<{ dropped: string[] }[]>(
      'SELECT drop_expired_audit_partitions() AS dropped',
    );
    if (row !== undefined && row.dropped.length > 0)
      this.log.info({ dropped: row.dropped }, 'months of the audit trail ended with their retention');
    const [rest] = await this.dataSource.query<{ forgotten: number }[]>('SELECT forget_expired_audit() AS forgotten');
    if (rest !== undefined && rest.forgotten > 0)
      this.log.info({ forgotten: rest.forgotten }, 'audit events without a month ended with their retention');
  }

  /**
   * One table at a time, and then what is left of its rows elsewhere, a few at a time: none of it
   * holds up what comes in meanwhile.
   */
  private async dropExpired({ what, drop, forget }: (typeof EXPIRY)[number]): Promise<void> {
    while (!this.ending.signal.aborted) {
      const [row] = await this.patiently(() => this.dataSource.query<{ dropped: string | null }[]>(drop), TRIES);
      if (typeof row?.dropped !== 'string') break;
      this.log.info({ dropped: row.dropped }, `a month of ${what} ended with its retention`);
    }
    while (!this.ending.signal.aborted) {
      const [row] = await this.dataSource.query<{ forgotten: number }[]>(forget, [ROWS_AT_ONCE]);
      if (row === undefined || row.forgotten === 0) break;
    }
  }

  /**
   * A row whose month is not there yet lies in the rest until it is: nothing has to wait for this.
   */
  private async keep(): Promise<void> {
    await this.tryOut(() => this.makeAhead(TRIES));
    await this.tryOut(() => this.dropExpiredAudit());
    for (const each of EXPIRY) await this.tryOut(() => this.dropExpired(each));
  }

  /**
   * Somebody may be reading a table for a long time: the owner's functions do not wait for that, so
   * they are asked again.
   */
  private async patiently<T>(work: () => Promise<T>, tries: number): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isLockTimeout(error) || attempt >= tries || this.ending.signal.aborted) throw error;
        await sleep(BETWEEN_TRIES_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async tryOut(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.log.error({ err: error }, 'months could not be made or ended; it is tried again');
    }
  }
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
