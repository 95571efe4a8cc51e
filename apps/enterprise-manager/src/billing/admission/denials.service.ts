import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TimeList } from '../spend/time-list.ts';
import { type DenialCount, DenialCounts, type DeniedAdmission } from './denial-counts.ts';
import type { BudgetDenial, BudgetDenialsPage, DenialListQuery } from './denials.dto.ts';
import { type DenialFilter, DenialsRepository } from './denials.repository.ts';

const WRITE_INTERVAL_MS = 2_000;
/** Combinations of user, reason and model that one replica counts separately in a minute. */
const MAX_COMBINATIONS = 100;
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;
const DELETE_INTERVAL_MS = 60_000;
const DELETE_BATCH_SIZE = 1_000;

/**
 * Records denials for administrators. Denials are counted in memory, so that a decision does not
 * wait for them; the counts are written every two seconds and kept for 30 days. A killed replica
 * loses the counts of at most two seconds.
 */
@Injectable()
export class DenialsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly counts = new DenialCounts(MAX_COMBINATIONS);
  private readonly denials: TimeList<DenialCount, DenialFilter, BudgetDenial>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private lastDeletion = 0;

  constructor(
    private readonly repository: DenialsRepository,
    private readonly clock: Clock,
    private readonly log: Log,
    cursors: CursorCodec,
  ) {
    const read = repository.list.bind(repository);
    this.denials = new TimeList({ cursors, clock, read, toResponse: toBudgetDenial });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = undefined));
    }, WRITE_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.store();
  }

  /** Counts a denial. */
  record(denied: DeniedAdmission, at: Date): void {
    this.counts.add(denied, at);
  }

  /**
   * Returns a page of denials.
   * @throws HttpError invalid for a cursor of another list and for `from` after `to`
   */
  async list(caller: Caller, { cursor, limit, ...filter }: DenialListQuery): Promise<BudgetDenialsPage> {
    const { items, ...next } = await this.denials.getPage(caller, 'budget-denials', filter, { cursor, limit });
    return { denials: items, ...next };
  }

  private async run(): Promise<void> {
    await this.store();
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.lastDeletion) < DELETE_INTERVAL_MS) return;
    this.lastDeletion = now;
    try {
      const before = new Date(now - RETENTION_MS);
      while ((await this.repository.deleteBefore(before, DELETE_BATCH_SIZE)) === DELETE_BATCH_SIZE);
    } catch (error) {
      this.log.warn({ err: error }, 'deleting old denials failed; the next run tries again');
    }
  }

  private async store(): Promise<void> {
    const rows = this.counts.drain();
    if (rows.length === 0) return;
    try {
      await this.repository.add(rows);
    } catch (error) {
      this.counts.restore(rows);
      this.log.warn({ err: error, rows: rows.length }, 'storing denials failed; the next run tries again');
    }
  }
}

const toBudgetDenial = ({ event_time, denial_count, ...row }: DenialCount): BudgetDenial => ({
  id: row.id,
  minute: event_time,
  last_denied_at: row.last_denied_at,
  denial_count,
  kind: row.kind,
  reason: row.reason,
  gateway_id: row.gateway_id,
  ...(row.auth_subject !== '' && { auth_subject: row.auth_subject }),
  ...(row.virtual_key_id !== '' && { virtual_key_id: row.virtual_key_id }),
  ...(row.provider !== '' && { provider: row.provider }),
  ...(row.model !== '' && { model: row.model }),
});
