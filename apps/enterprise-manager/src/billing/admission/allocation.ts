import type { Usd } from '@gatehouse/money/usd';
import { type CellAmounts, getCellId, listCellKeys } from '../budgets/cell.ts';
import type { CellReservation } from '../budgets/cells.repository.ts';
import { type Candidate, computeRemaining } from '../budgets/payer.ts';

/** An amount to reserve, and the payers that may pay it. */
export interface AllocationRequest {
  /** The payers in order; at least one. */
  candidates: readonly Candidate[];
  amount: Usd;
  /**
   * `full`: the first payer that can pay the whole amount pays it. `partial`: the first payer with
   * a remaining amount pays as much as it can. `free`: the first payer is named and pays nothing.
   */
  mode: 'full' | 'partial' | 'free';
  /** The part of the remaining amount that `partial` may take; absent: the whole. */
  sharePercent?: bigint;
}

/** A payer and the amount that it pays. */
export interface Allocation {
  payer: Candidate;
  amount: Usd;
}

/** `undecided`: only locked cells can decide the request. */
export type AllocationResult = Allocation | 'exhausted' | 'undecided';

/**
 * The amounts of budget cells during the decision of a batch. They include the reservations of the
 * batch, so that each request sees the requests before it. A missing cell is empty.
 */
export class CellBalances {
  private readonly cells: Map<string, CellAmounts>;
  private readonly reservations = new Map<string, CellReservation>();

  /** @param cells by `getCellId` */
  constructor(
    cells: ReadonlyMap<string, CellAmounts>,
    private readonly at: Date,
  ) {
    this.cells = new Map(cells);
  }

  /** Returns the first allocation that is possible now, without a reservation. */
  findAllocation(request: AllocationRequest): Allocation | undefined {
    for (const payer of request.candidates) {
      const amount = this.computeOffer(payer, request);
      if (amount !== undefined) return { payer, amount };
    }
    return undefined;
  }

  /** Reserves an amount in all cells of a payer. */
  reserve({ payer, amount }: Allocation): void {
    if (amount === 0n) return;
    for (const key of listCellKeys(payer, this.at)) {
      const id = getCellId(key);
      const { used, reserved } = this.cells.get(id) ?? { used: 0n, reserved: 0n };
      this.cells.set(id, { used, reserved: reserved + amount });
      const reservation = this.reservations.get(id);
      if (reservation !== undefined) reservation.reserved += amount;
      else {
        const limit = payer.limits.find(({ period }) => period === key.period)?.limit;
        this.reservations.set(id, { ...key, reserved: amount, limit });
      }
    }
  }

  /** Lists the reserved sums, one for each changed cell. */
  listReservations(): CellReservation[] {
    return [...this.reservations.values()];
  }

  private computeOffer(
    candidate: Candidate,
    { amount, mode, sharePercent = 100n }: AllocationRequest,
  ): Usd | undefined {
    if (mode === 'free') return 0n;
    const remaining = computeRemaining(candidate, this.cells, this.at);
    if (mode === 'full') return remaining >= amount ? amount : undefined;
    const share = (remaining * sharePercent) / 100n;
    return share <= 0n ? undefined : share < amount ? share : amount;
  }
}

/**
 * Decides one request and reserves its amount: the first payer that can pay does.
 * @param initial the balances before this batch, when the cells are not locked. A request that the
 * initial balances could pay is `undecided`, because other requests of the batch may still fail.
 * A request that they could not pay is `exhausted`: it was at the moment of the read.
 */
export function allocate(balances: CellBalances, request: AllocationRequest, initial?: CellBalances): AllocationResult {
  const allocation = balances.findAllocation(request);
  if (allocation === undefined) return initial?.findAllocation(request) === undefined ? 'exhausted' : 'undecided';
  balances.reserve(allocation);
  return allocation;
}
