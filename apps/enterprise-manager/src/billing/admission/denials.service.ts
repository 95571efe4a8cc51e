import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TimeList } from '../spend/time-list.ts';
import { type CountedDenials, DenialCounts, type RefusedAdmission } from './denial-counts.ts';
import type { BudgetDenial, BudgetDenialsPage, DenialListQuery } from './denials.dto.ts';
import { type DenialFilter, DenialsRepository } from './denials.repository.ts';

const EVERY_MS = 2_000;
/** Combinations of user, reason and model that one replica tells apart in a minute. */
const MOST_IN_A_MINUTE = 100;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const FORGET_EVERY_MS = 60_000;
const BATCH = 1_000;

/**
 * Keeps a trace of refused admissions for administrators. A refusal is counted in memory, so it
 * takes no longer than before; counts are written every two seconds and kept for 30 days. A replica
 * that is killed loses the counts of two seconds.
 */
@Injectable()
export class DenialsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly counts = new DenialCounts(MOST_IN_A_MINUTE);
  private readonly denials: TimeList<CountedDenials, DenialFilter, BudgetDenial>;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private forgotAt = 0;

  constructor(
    private readonly repository: DenialsRepository,
    private readonly clock: Clock,
    private readonly log: Log,
    cursors: CursorCodec,
  ) {
    const read = repository.list.bind(repository);
    this.denials = new TimeList({ cursors, clock, read, shown: toDenial });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.writing ??= this.write().finally(() => (this.writing = undefined));
    }, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.store();
  }

  /** Counts a refusal. */
  note(refused: RefusedAdmission, at: Date): void {
    this.counts.note(refused, at);
  }

  /**
   * A page of refusals.
   * @throws HttpError invalid for a foreign cursor and for times that are not in order
   */
  async page(caller: Caller, { cursor, limit, ...filter }: DenialListQuery): Promise<BudgetDenialsPage> {
    const { items, ...next } = await this.denials.page(caller, 'budget-denials', filter, { cursor, limit });
    return { denials: items, ...next };
  }

  private async write(): Promise<void> {
    await this.store();
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.forgotAt) < FORGET_EVERY_MS) return;
    this.forgotAt = now;
    try {
      while ((await this.repository.forget(new Date(now - KEPT_MS), BATCH)) === BATCH);
    } catch (error) {
      this.log.warn({ err: error }, 'old refusals of admissions could not be deleted; it is tried again');
    }
  }

  private async store(): Promise<void> {
    const rows = this.counts.take();
    if (rows.length === 0) return;
    try {
      await this.repository.add(rows);
    } catch (error) {
      this.counts.giveBack(rows);
      this.log.warn({ err: error, rows: rows.length }, 'refusals of admissions could not be stored; it is tried again');
    }
  }
}

const toDenial = ({ event_time, denial_count, ...row }: CountedDenials): BudgetDenial => ({
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
