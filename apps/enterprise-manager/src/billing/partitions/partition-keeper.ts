import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';

const INTERVAL_MS = 6 * 60 * 60 * 1000;
const MONTHS_AHEAD = 3;
/** Number of rows that one transaction deletes, in some tens of milliseconds. */
const DELETE_BATCH_SIZE = 2_000;
/** Attempts at a table that another transaction has locked, and the pause between them. */
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 500;

/**
 * Functions of the owner of the tables that create the months between two dates; each returns the
 * number of created months.
 */
const ENSURE = {
  'tool calls': 'SELECT ensure_tool_call_partitions($1::date, $2::date) AS made',
  'audit events': 'SELECT ensure_audit_partitions($1::date, $2::date) AS made',
  'usage and charges': 'SELECT ensure_usage_partitions($1::date, $2::date) AS made',
};

/**
 * Functions of the owner that delete expired data: `drop` one month if one has expired, and
 * `forget` a number of rows of other tables.
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
 * Creates monthly partitions in advance, and drops expired ones of audit events, usage and tool
 * calls. Several replicas can do so at the same time; a failed attempt is repeated. The retention
 * is stored in the database.
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
   * Creates the current months before the first request, unless a table is locked. Expired months
   * are dropped later.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.runAndLog(() => this.createMonths(1));
    this.keeping = this.keep();
    this.timer = setInterval(() => {
      this.keeping = this.keeping.then(() => this.keep());
    }, INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.ending.abort();
    await this.keeping;
  }

  private async createMonths(attempts: number): Promise<void> {
    const now = this.clock.now();
    const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + MONTHS_AHEAD, 1));
    for (const [what, ensure] of Object.entries(ENSURE)) {
      const [row] = await this.retryOnLock(
        () => this.dataSource.query<{ made: number }[]>(ensure, [formatDate(now), formatDate(latest)]),
        attempts,
      );
      if (row !== undefined && row.made > 0) this.log.info({ made: row.made, what }, 'created monthly partitions');
    }
  }

  private async dropExpiredAudit(): Promise<void> {
    const [row] = await this.dataSource.query<{ dropped: string[] }[]>(
      'SELECT drop_expired_audit_partitions() AS dropped',
    );
    if (row !== undefined && row.dropped.length > 0)
      this.log.info({ dropped: row.dropped }, 'dropped expired months of the audit trail');
    const [rest] = await this.dataSource.query<{ forgotten: number }[]>('SELECT forget_expired_audit() AS forgotten');
    if (rest !== undefined && rest.forgotten > 0)
      this.log.info({ forgotten: rest.forgotten }, 'deleted expired audit events without a month');
  }

  /**
   * Drops one partition at a time, then deletes rows of other tables in small batches, so that
   * writes are not delayed.
   */
  private async dropExpired({ what, drop, forget }: (typeof EXPIRY)[number]): Promise<void> {
    while (!this.ending.signal.aborted) {
      const [row] = await this.retryOnLock(
        () => this.dataSource.query<{ dropped: string | null }[]>(drop),
        MAX_ATTEMPTS,
      );
      if (typeof row?.dropped !== 'string') break;
      this.log.info({ dropped: row.dropped }, `dropped an expired month of ${what}`);
    }
    while (!this.ending.signal.aborted) {
      const [row] = await this.dataSource.query<{ forgotten: number }[]>(forget, [DELETE_BATCH_SIZE]);
      if (row === undefined || row.forgotten === 0) break;
    }
  }

  /**
   * Runs all maintenance. A row without a partition is in the default partition until its month is
   * created.
   */
  private async keep(): Promise<void> {
    await this.runAndLog(() => this.createMonths(MAX_ATTEMPTS));
    await this.runAndLog(() => this.dropExpiredAudit());
    for (const each of EXPIRY) await this.runAndLog(() => this.dropExpired(each));
  }

  /** Retries when a table is locked: the functions of the owner do not wait for long reads. */
  private async retryOnLock<T>(work: () => Promise<T>, attempts: number): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isLockTimeout(error) || attempt >= attempts || this.ending.signal.aborted) throw error;
        await sleep(PAUSE_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async runAndLog(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.log.error(
        { err: error },
        'monthly partitions could not be created or dropped; the next run repeats the attempt',
      );
    }
  }
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}
