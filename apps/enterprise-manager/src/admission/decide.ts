import type { Usd } from '@gatehouse/money/usd';
import { type CellAmounts, type CellKey, type Payer, cellId, cellsAt } from '../budgets/cell.ts';
import { type Candidate, leftOf } from '../budgets/payer.ts';

/** What somebody wants reserved. */
export interface Want {
  /** Who would pay, in order; at least one. */
  candidates: readonly Candidate[];
  amount: Usd;
  /** `all`: the amount or nothing. `some`: as much of it as the first payer with anything left can give. `free`: nothing, of whomever. */
  how: 'all' | 'some' | 'free';
}

/** Who pays how much; or that nobody can; or that it cannot be said yet, since cells that would tell are not held. */
export type Verdict = { payer: Candidate; amount: Usd } | 'exhausted' | 'open';

/**
 * What cells hold while a batch is decided, with what it has taken so far: each want sees those before it. Cells that are not there hold nothing.
 *
 * Only cells that the transaction holds can be relied on until it commits; the others were read, once, and may have changed since.
 */
export class Ledger {
  private readonly cells: Map<string, CellAmounts>;
  private readonly taken = new Map<string, CellKey & { reserved: Usd }>();

  /** @param held which of the cells nobody else can change meanwhile; all, where it is left out */
  constructor(
    cells: ReadonlyMap<string, CellAmounts>,
    private readonly at: Date,
    private readonly held?: ReadonlySet<string>,
  ) {
    this.cells = new Map(cells);
  }

  /** What a candidate could give to a want; undefined where that is nothing or too little. */
  offerOf(candidate: Candidate, { amount, how }: Want): Usd | undefined {
    if (how === 'free') return 0n;
    const left = leftOf(candidate, this.cells, this.at);
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

  /** Whether the cells of a payer are held. */
  holds(payer: Payer): boolean {
    return cellsAt(payer, this.at).every((key) => this.held?.has(cellId(key)) ?? true);
  }

  /** Takes an amount from all cells of a payer. */
  take(payer: Payer, amount: Usd): void {
    if (amount === 0n) return;
    for (const key of cellsAt(payer, this.at)) {
      const id = cellId(key);
      const { used, reserved } = this.cells.get(id) ?? { used: 0n, reserved: 0n };
      this.cells.set(id, { used, reserved: reserved + amount });
      this.taken.set(id, { ...key, reserved: (this.taken.get(id)?.reserved ?? 0n) + amount });
    }
  }

  /** What was taken, each cell once. */
  changes(): (CellKey & { used: Usd; reserved: Usd })[] {
    return [...this.taken.values()].map((change) => ({ ...change, used: 0n }));
  }
}

/**
 * Who should be asked first, by cells that were only read: a guess, to hold the cells of few. Each guess takes what it would take, so that a batch does not
 * all guess at the same last dollar.
 * @returns undefined where nobody could pay even if all wants before it were gone: that was true at the moment of the reading, and stands as the decision
 */
export function guess(read: Ledger, guessed: Ledger, want: Want): Candidate | undefined {
  const offer = guessed.firstOf(want);
  if (offer === undefined) return read.firstOf(want)?.payer;
  guessed.take(offer.payer, offer.amount);
  return offer.payer;
}

/**
 * Decides one want and takes what it gets. Whoever was guessed pays if that is still possible; with the cells of all candidates held it is the first in
 * order who can.
 * @param guessed undefined where nobody could pay
 */
export function decide(ledger: Ledger, want: Want, guessed: Candidate | undefined): Verdict {
  if (want.how !== 'free' && guessed === undefined) return 'exhausted';
  const allHeld = want.how === 'free' || want.candidates.every((candidate) => ledger.holds(candidate));
  const payers = allHeld ? want.candidates : guessed === undefined ? [] : [guessed];
  const offer = ledger.firstOf({ ...want, candidates: payers });
  if (offer === undefined) return allHeld ? 'exhausted' : 'open';
  ledger.take(offer.payer, offer.amount);
  return offer;
}
