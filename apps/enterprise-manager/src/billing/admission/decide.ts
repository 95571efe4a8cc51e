import type { Usd } from '@gatehouse/money/usd';
import { type CellAmounts, getCellId, listCellKeys } from '../budgets/cell.ts';
import type { TakenFromCell } from '../budgets/cells.repository.ts';
import { type Candidate, computeRemaining } from '../budgets/payer.ts';

/** What somebody wants reserved. */
export interface Want {
  /** Who would pay, in order; at least one. */
  candidates: readonly Candidate[];
  amount: Usd;
  /**
   * `all`: the amount or nothing. `some`: as much of it as the first payer with anything left can
   * give. `free`: nothing, of whomever.
   */
  how: 'all' | 'some' | 'free';
}

/** Who pays how much; or that nobody can; or that it cannot be said yet. */
export type Verdict = { payer: Candidate; amount: Usd } | 'exhausted' | 'open';

/**
 * What cells hold while a batch is decided, with what it has taken so far: each want sees those
 * before it. Cells that are not there hold nothing.
 */
export class Ledger {
  private readonly cells: Map<string, CellAmounts>;
  private readonly taken = new Map<string, TakenFromCell>();

  constructor(
    cells: ReadonlyMap<string, CellAmounts>,
    private readonly at: Date,
  ) {
    this.cells = new Map(cells);
  }

  /** What a candidate could give to a want; undefined where that is nothing or too little. */
  offerOf(candidate: Candidate, { amount, how }: Want): Usd | undefined {
    if (how === 'free') return 0n;
    const left = computeRemaining(candidate, this.cells, this.at);
    if (how === 'all') return left >= amount ? amount : undefined;
    return left <= 0n ? undefined : left < amount ? left : amount;
  }

  /** The first in order who could pay, by what is known now. */
  firstOf(want: Want): { payer: Candidate; amount: Usd } | undefined {
    for (const payer of want.candidates) {
      const amount = this.offerOf(payer, want);
      if (amount !== undefined) return { payer, amount };
    }
    return undefined;
  }

  /** Takes an amount from all cells of a payer. */
  take(payer: Candidate, amount: Usd): void {
    if (amount === 0n) return;
    for (const key of listCellKeys(payer, this.at)) {
      const id = getCellId(key);
      const { used, reserved } = this.cells.get(id) ?? { used: 0n, reserved: 0n };
      this.cells.set(id, { used, reserved: reserved + amount });
      const taken = this.taken.get(id);
      if (taken !== undefined) taken.reserved += amount;
      else {
        const limit = payer.limits.find(({ period }) => period === key.period)?.limit;
        this.taken.set(id, { ...key, reserved: amount, limit });
      }
    }
  }

  /** What was taken, each cell once. */
  changes(): TakenFromCell[] {
    return [...this.taken.values()];
  }
}

/**
 * Decides one want and takes what it gets: the first in order who can pay does.
 * @param before what the cells held before this batch, where nobody holds them. Who could have been
 * paid for by that, and cannot now, stays open: others of the batch may yet fail. Who could not
 * even then is refused; that was true at the moment of the reading, and stands.
 */
export function decide(ledger: Ledger, want: Want, before?: Ledger): Verdict {
  const offer = ledger.firstOf(want);
  if (offer === undefined) return before?.firstOf(want) === undefined ? 'exhausted' : 'open';
  ledger.take(offer.payer, offer.amount);
  return offer;
}
