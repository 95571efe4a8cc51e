import { inTransaction } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CellChange, CellsRepository } from '../budgets/cells.repository.ts';
import { getCellId } from '../budgets/cell.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { type Reservation, computeCellChanges } from './reservation.ts';
import { ReservationsRepository } from './reservations.repository.ts';

const SWEEP_INTERVAL_MS = 1_000;
/** Interval of the deletion of reservations that were released long ago. */
const DELETE_INTERVAL_MS = 60_000;
/** Maximum number of reservations in one transaction. */
const BATCH_SIZE = 500;
/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
/** Retention of released reservations, for usage that is reported late. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Releases expired reservations and leases: their held amounts return to the budget cells. Rows
 * stay for 30 days, because late usage is charged to their payer by their prices. All replicas
 * sweep; each skips rows that another transaction has locked.
 */
@Injectable()
export class ReservationSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private lastDeletion = 0;
  private isStopped = false;

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
    }, SWEEP_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    try {
      const { manager } = this.dataSource;
      while (!this.isStopped && (await this.reservations.hasExpired(manager, this.clock.now()))) {
        if ((await this.releaseBatch()) < BATCH_SIZE) break;
      }
      await this.deleteOld();
    } catch (error) {
      this.log.warn({ err: error }, 'releasing expired reservations failed; the next sweep tries again');
    }
  }

  private async deleteOld(): Promise<void> {
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.lastDeletion) < DELETE_INTERVAL_MS) return;
    const releasedBefore = new Date(now - RETENTION_MS);
    let deleted: number;
    do {
      deleted = await this.reservations.deleteReleased(this.dataSource.manager, releasedBefore, BATCH_SIZE);
    } while (deleted === BATCH_SIZE && !this.isStopped);
    this.lastDeletion = now;
  }

  /** @returns the number of released reservations */
  private async releaseBatch(): Promise<number> {
    const now = this.clock.now();
    const released = await inTransaction(
      this.dataSource,
      async (manager) => {
        const expired = await this.reservations.lockExpired(manager, now, BATCH_SIZE);
        if (expired.length === 0) return [];
        await this.reservations.release(manager, expired, now);
        const changes = sumReleasedAmounts(expired);
        if (changes.length > 0) await this.cells.applyChanges(manager, changes);
        return expired;
      },
      { retries: MAX_RETRIES },
    );
    for (const reservation of released) this.metrics.recordExpiry(reservation);
    return released.length;
  }
}

/** Sums the held amounts by cell, as negative changes. */
function sumReleasedAmounts(reservations: readonly Reservation[]): CellChange[] {
  const changes = new Map<string, CellChange>();
  for (const reservation of reservations)
    for (const change of computeCellChanges(reservation, -reservation.held)) {
      const reserved = (changes.get(getCellId(change))?.reserved ?? 0n) + change.reserved;
      changes.set(getCellId(change), { ...change, reserved });
    }
  return [...changes.values()];
}
