import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Clock } from '@gatehouse/service-kit/clock';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { holdBudgets } from '../budgets/budgets-lock.ts';
import { type CellAmounts, type CellKey, cellId, cellsAt } from '../budgets/cell.ts';
import { CellsRepository } from '../budgets/cells.repository.ts';
import type { Candidate } from '../budgets/payer.ts';
import { type Principal, PrincipalsRepository } from '../budgets/principals.repository.ts';
import { SETTINGS, type Settings } from '../config.ts';
import { PriceLists } from '../pricing/price-lists.ts';
import type { Denial } from './admission.dto.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { type Ask, type Judgement, judge, namesOf, reservationOf, saysTheSame } from './ask.ts';
import { Batches } from './batches.ts';
import { Ledger, decide, guess } from './decide.ts';
import type { Reservation } from './reservation.ts';
import { ReservationsRepository } from './reservations.repository.ts';

/** What came of an ask. */
export type Outcome =
  { reservation: Reservation; keyVersion: number; repeated: boolean } | { denial: Denial; decidedAt: Date };

type Settled = PromiseSettledResult<Outcome>;

/** Batches at a time each have a connection of their own. */
const LIMITS = { size: 100, running: 4, patienceMs: 50, waiting: 10_000 };
/** How often a round is begun again because of what others did. */
const RETRIES = 5;

/** Somebody else has just made a reservation that is about to be made, or settled its attempt: it is looked at again. */
class MetAnother extends Error {
  override readonly name = 'MetAnother';
}

/** What a round decides by. */
interface Round {
  now: Date;
  ledger: Ledger;
  catalogId: string;
  judgements: readonly Judgement[];
  guesses: readonly (Candidate | undefined)[];
  /** Reservations that are there, and those that this round makes, by id. */
  reservations: Map<string, readonly Reservation[]>;
  /** Attempts whose usage has come in, by id. */
  settled: ReadonlySet<string>;
}

/**
 * Decides who may spend, and holds what was granted. What is asked at the same time is decided together, in one transaction for all of it, and nothing is
 * told before its commit.
 *
 * A transaction keeps the budgets still, reads the cells of all that could pay, and holds those of the payers that this makes likely. Whoever cannot be
 * paid for by these after all is decided in a second round, which holds the cells of everybody in question. Reservations are looked for only then: a repeat
 * that waited for the first one's cells sees it.
 */
@Injectable()
export class Admissions {
  private readonly batches: Batches<Ask, Outcome>;
  private readonly nameOf;

  constructor(
    private readonly principals: PrincipalsRepository,
    private readonly priceLists: PriceLists,
    private readonly cells: CellsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly metrics: AdmissionMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.batches = new Batches((asks) => this.decide(asks), LIMITS);
    this.nameOf = namesOf(settings.ISSUERS);
  }

  /** Decides one ask, with those that come at the same time. @throws Refusal conflict for an attempt that cannot be admitted again */
  ask(ask: Ask): Promise<Outcome> {
    return this.batches.add(ask);
  }

  private async decide(asks: readonly Ask[]): Promise<Settled[]> {
    const outcomes = await this.round(asks, 'likely');
    const open = asks.flatMap((ask, at) => (outcomes[at] === undefined ? [{ ask, at }] : []));
    this.metrics.batch(asks.length, open.length);
    if (open.length > 0) {
      const decided = await this.round(
        open.map(({ ask }) => ask),
        'all',
      );
      for (const [place, { at }] of open.entries()) outcomes[at] = decided[place];
    }
    return outcomes.map((outcome) => outcome ?? failed(new Error('an ask was left open')));
  }

  /**
   * One transaction.
   * @param held whose cells are held: those of likely payers, or of all
   * @returns what came of each; undefined for what such a round cannot say. What fails by itself and not by the database fails alone.
   */
  private async round(asks: readonly Ask[], held: 'likely' | 'all'): Promise<(Settled | undefined)[]> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await inTransaction(this.dataSource, (manager) => this.decideIn(manager, asks, held), {
          retries: RETRIES,
        });
      } catch (error) {
        if (error instanceof MetAnother && retry < RETRIES) continue;
        if (asks.length === 1 || isUnavailable(error)) return asks.map(() => failed(error));
        const alone: (Settled | undefined)[] = [];
        for (const ask of asks) alone.push(...(await this.round([ask], held)));
        return alone;
      }
    }
  }

  private async decideIn(manager: EntityManager, asks: readonly Ask[], held: 'likely' | 'all') {
    const round = await this.prepare(manager, asks, held);
    const made: Reservation[] = [];
    const outcomes = asks.map((ask, at): Settled | undefined => {
      const known = round.reservations.get(ask.id);
      if (known !== undefined) return this.again(ask, known, round.now);
      if (round.settled.has(ask.id)) return failed(new Refusal('conflict', SETTLED));
      const outcome = this.first(ask, at, round);
      if (outcome !== undefined && 'reservation' in outcome) {
        made.push(outcome.reservation);
        round.reservations.set(ask.id, [outcome.reservation]);
      }
      return outcome && { status: 'fulfilled', value: outcome };
    });
    if (made.length > 0) {
      const inserted = await this.reservations.insert(manager, made);
      if (inserted.size < made.length) throw new MetAnother();
    }
    const changes = round.ledger.changes();
    if (changes.length > 0) await this.cells.change(manager, changes);
    return outcomes;
  }

  private async prepare(manager: EntityManager, asks: readonly Ask[], held: 'likely' | 'all'): Promise<Round> {
    await holdBudgets(manager);
    const now = this.clock.now();
    const principals = await this.principals.find(
      manager,
      asks.map(({ request }) => request.principal),
      now,
    );
    const catalog = await this.priceLists.inEffect(manager, now);
    const terms = { catalog, requireBudget: this.settings.REQUIRE_BUDGET };
    const judgements = asks.map((ask, at) => judge(ask, principals[at], terms));
    const { guesses, amounts, heldIds } = await this.hold(manager, judgements, now, held);
    const requests = asks.flatMap((ask) => (ask.kind === 'request' ? [{ ...ask.request, id: ask.id }] : []));
    const { reservations, settled } = await this.reservations.known(manager, requests);
    return {
      now,
      ledger: new Ledger(amounts, now, heldIds),
      catalogId: catalog?.id ?? '',
      judgements,
      guesses,
      reservations,
      settled,
    };
  }

  /** Holds the cells of those who may have to pay. @returns what is known of cells, and which of them are held */
  private async hold(manager: EntityManager, judgements: readonly Judgement[], now: Date, held: 'likely' | 'all') {
    const wants = judgements.map((judgement) =>
      'want' in judgement && judgement.want.how !== 'free' ? judgement.want : undefined,
    );
    const candidates = distinct(wants.flatMap((want) => want?.candidates ?? []));
    if (held === 'all') {
      const amounts = await this.locked(manager, candidates, now);
      return { guesses: wants.map((want) => want?.candidates[0]), amounts, heldIds: undefined };
    }
    const read = await this.read(manager, candidates, now);
    const [before, guessed] = [new Ledger(read, now), new Ledger(read, now)];
    const guesses = wants.map((want) => want && guess(before, guessed, want));
    const payers = distinct(guesses.flatMap((payer) => payer ?? []));
    const locked = await this.locked(manager, payers, now, read);
    return { guesses, amounts: new Map([...read, ...locked]), heldIds: new Set(locked.keys()) };
  }

  private read(manager: EntityManager, candidates: readonly Candidate[], now: Date) {
    const keys = candidates.flatMap((candidate) => cellsAt(candidate, now));
    return keys.length === 0 ? new Map<string, CellAmounts>() : this.cells.read(manager, unique(keys));
  }

  private locked(
    manager: EntityManager,
    payers: readonly Candidate[],
    now: Date,
    read?: ReadonlyMap<string, CellAmounts>,
  ) {
    const keys = payers.flatMap((payer) => cellsAt(payer, now));
    return keys.length === 0 ? new Map<string, CellAmounts>() : this.cells.lock(manager, unique(keys), read);
  }

  /** Decides an ask that nobody has made before. @returns undefined where that takes more cells than are held */
  private first(ask: Ask, at: number, round: Round): Outcome | undefined {
    const { now, ledger, judgements, guesses } = round;
    const judgement = judgements[at];
    if (judgement === undefined) return undefined;
    if ('denial' in judgement) return { denial: judgement.denial, decidedAt: now };
    const { principal } = judgement;
    if ('unlimited' in judgement) return this.granted(ask, principal, undefined, judgement.unlimited, round);
    const verdict = decide(ledger, judgement.want, guesses[at]);
    if (verdict === 'open') return undefined;
    if (verdict === 'exhausted') return { denial: 'budget_exhausted', decidedAt: now };
    return this.granted(ask, principal, verdict.payer, verdict.amount, round);
  }

  private granted(
    ask: Ask,
    principal: Principal,
    payer: Candidate | undefined,
    amount: bigint,
    { now, catalogId }: Round,
  ): Outcome {
    const seconds = ask.kind === 'lease' ? ask.request.ttl_seconds : this.settings.RESERVATION_SECONDS;
    const reservation = reservationOf(ask, principal, { payer, amount, catalogId, at: now, seconds });
    return { reservation, keyVersion: principal.key_version, repeated: false };
  }

  /** What a repeat is told: the first decision, while its reservation lives. */
  private again(ask: Ask, known: readonly Reservation[], now: Date): Settled {
    const first = known.find((held) => ask.kind === 'request' && saysTheSame(held, ask.request, this.nameOf));
    if (first === undefined) return failed(new Refusal('conflict', OTHER));
    if (first.released_at !== undefined || first.expires_at <= now) return failed(new Refusal('conflict', OVER));
    return { status: 'fulfilled', value: { reservation: first, keyVersion: 0, repeated: true } };
  }
}

const OTHER =
  'attempt: it was admitted for another principal, model, route or gateway; what is new has an interaction_id or an attempt of its own';
const SETTLED = 'attempt: its usage has been reported already; another call of an upstream is another attempt';
const OVER = 'attempt: its reservation has expired; another call of an upstream is another attempt';

const failed = (reason: unknown): Settled => ({ status: 'rejected', reason });

/** Each candidate once, by identity: principals share theirs. */
const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** Each cell once. */
const unique = (keys: readonly CellKey[]): CellKey[] => [...new Map(keys.map((key) => [cellId(key), key])).values()];
