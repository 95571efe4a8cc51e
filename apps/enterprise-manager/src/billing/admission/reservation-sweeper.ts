import { inTransaction } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CellChange, CellsRepository } from '../budgets/cells.repository.ts';
import { getCellId } from '../budgets/cell.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { type Reservation, cellChangesOf } from './reservation.ts';
import { ReservationsRepository } from './reservations.repository.ts';

const EVERY_MS = 1_000;
/** How often what was released long ago is looked for. */
const FORGET_EVERY_MS = 60_000;
/** Reservations of one transaction. */
const BATCH = 500;
const RETRIES = 5;
/** How long a released reservation is kept for usage that comes late, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Ends reservations and leases whose time is over: what they hold goes back to their cells. They
 * stay for usage that comes late, 30 days, since it is charged to their payer by their prices. Any
 * number of replicas sweep; each takes what no other holds, nor is being settled, extended or
 * returned.
 */
@Injectable()
export class ReservationSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private forgotAt = 0;
  private stopped = false;

  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly cells: CellsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly metrics: AdmissionMetrics,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
    }, EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    try {
      const { manager } = this.dataSource;
      while (!this.stopped && (await this.reservations.anyExpired(manager, this.clock.now()))) {
        if ((await this.release()) < BATCH) break;
      }
      await this.forget();
    } catch (error) {
      this.log.warn({ err: error }, 'expired reservations could not be released; it is tried again');
    }
  }

  private async forget(): Promise<void> {
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.forgotAt) < FORGET_EVERY_MS) return;
    const releasedBefore = new Date(now - KEPT_MS);
    let gone: number;
    do {
      gone = await this.reservations.forget(this.dataSource.manager, releasedBefore, BATCH);
    } while (gone === BATCH && !this.stopped);
    this.forgotAt = now;
  }

  /** @returns how many reservations it ended */
  private async release(): Promise<number> {
    const now = this.clock.now();
    const ended = await inTransaction(
      this.dataSource,
      async (manager) => {
        const over = await this.reservations.lockExpired(manager, now, BATCH);
        if (over.length === 0) return [];
        await this.reservations.release(manager, over, now);
        const changes = releasing(over);
        if (changes.length > 0) await this.cells.applyChanges(manager, changes);
        return over;
      },
      { retries: RETRIES },
    );
    for (const reservation of ended) this.metrics.ended(reservation);
    return ended.length;
  }
}

/** What goes back to cells, each once. */
function releasing(reservations: readonly Reservation[]): CellChange[] {
  const changes = new Map<string, CellChange>();
  for (const reservation of reservations)
    for (const change of cellChangesOf(reservation, -reservation.held)) {
      const reserved = (changes.get(getCellId(change))?.reserved ?? 0n) + change.reserved;
      changes.set(getCellId(change), { ...change, reserved });
    }
  return [...changes.values()];
}
