import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockBudgetsShared } from '../budgets/budgets-lock.ts';
import { type CellAmounts, type CellKey, getCellId, listCellKeys } from '../budgets/cell.ts';
import { CellsRepository } from '../budgets/cells.repository.ts';
import { type Candidate, listLimitedCellKeys } from '../budgets/payer.ts';
import { type Principal, PrincipalsRepository } from '../budgets/principals.repository.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { KeyLastUseRecorder } from '../../keys/key-last-use-recorder.ts';
import { PriceLists } from '../pricing/price-lists.ts';
import type { Denial } from './admission.dto.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { type Ask, type Judgement, contentHashOf, judge, reservationOf } from './ask.ts';
import { Batches } from '@gatehouse/service-kit/batches';
import type { RefusedAdmission } from './denial-counts.ts';
import { DenialsService } from './denials.service.ts';
import { Ledger, decide } from './decide.ts';
import type { GrantedReservation } from './reservation.ts';
import { type ReservationSubject, ReservationsRepository } from './reservations.repository.ts';

/** What came of an ask. */
export type Outcome =
  | { reservation: GrantedReservation; keyVersion: number; repeated: boolean }
  | { denial: Denial; decidedAt: Date; subjectId?: string | undefined };

type Settled = PromiseSettledResult<Outcome>;

/**
 * Batches at a time each have a connection of their own. Small enough that callers on 64
 * connections make two of them: one is in the database while answers of the other go out. One that
 * took them all would leave the service and Postgres waiting for each other in turns.
 */
const LIMITS = { size: 32, running: 3, patienceMs: 50, waiting: 10_000 };
/** How often a round is begun again because of what others did. */
const RETRIES = 5;
/** So many of these with cells that nobody holds. */
const UNHELD_RETRIES = 2;

/**
 * Somebody else has just made a reservation that is about to be made, settled its attempt, or taken
 * what was left of a cell: it is looked at again.
 */
class MetAnother extends GatehouseError {
  override readonly code = 'concurrent_update';
}

/** How a transaction looks at things. */
interface Look {
  /** Whether the cells of all who could pay are held from the reading on. */
  held: boolean;
  /**
   * Whether it looks for earlier reservations of all asks first; else only for those of asks that
   * are not admitted.
   */
  repeats: boolean;
}

/** What a round decides by. */
interface Round {
  now: Date;
  /** What the cells hold, with what this round takes. */
  ledger: Ledger;
  /** What they held before; where they are held there is no need to know. */
  before: Ledger | undefined;
  catalogId: string;
  /** How budgets name the user of each ask; undefined for a key that does not exist. */
  subjectIds: readonly (string | undefined)[];
  judgements: readonly Judgement[];
}

/**
 * Decides who may spend, and holds what was granted. What is asked at the same time is decided
 * together, in one transaction for all of it, and nothing is told before its commit.
 *
 * A transaction keeps the budgets still, reads the cells that limit all that could pay, decides,
 * and takes the sums from the cells, each only if its limit still has room for it then; where one
 * has not, all of it is undone and looked at again. So cells are held for two statements, however
 * many ask at once. Whoever could have been paid for without the others of the batch is decided in
 * a second round, which holds the cells of everybody in question from the beginning.
 */
@Injectable()
export class Admissions {
  private readonly batches: Batches<Ask, Outcome>;

  constructor(
    private readonly principals: PrincipalsRepository,
    private readonly priceLists: PriceLists,
    private readonly cells: CellsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly metrics: AdmissionMetrics,
    private readonly keyLastUses: KeyLastUseRecorder,
    private readonly denials: DenialsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.batches = new Batches((asks) => this.decide(asks), LIMITS);
  }

  /**
   * Decides one ask, with those that come at the same time.
   * @throws HttpError conflict for an attempt that cannot be admitted again
   */
  async ask(ask: Ask): Promise<Outcome> {
    const outcome = await this.batches.add(ask);
    if ('reservation' in outcome && outcome.reservation.virtual_key_id !== undefined)
      this.keyLastUses.record(outcome.reservation.virtual_key_id, outcome.reservation.admitted_at.getTime());
    if ('denial' in outcome) this.denials.note(refusedOf(ask, outcome.denial, outcome.subjectId), outcome.decidedAt);
    return outcome;
  }

  private async decide(asks: readonly Ask[]): Promise<Settled[]> {
    const outcomes = await this.round(asks, false);
    const open = asks.flatMap((ask, at) => (outcomes[at] === undefined ? [{ ask, at }] : []));
    this.metrics.batch(asks.length, open.length);
    if (open.length > 0) {
      const decided = await this.round(
        open.map(({ ask }) => ask),
        true,
      );
      for (const [place, { at }] of open.entries()) outcomes[at] = decided[place];
    }
    return outcomes.map((outcome) => outcome ?? failed(new Error('an ask was left open')));
  }

  /**
   * One transaction.
   * @returns what came of each; undefined for what a round cannot say that holds nothing. What
   * fails by itself and not by the database fails alone.
   */
  private async round(asks: readonly Ask[], held: boolean): Promise<(Settled | undefined)[]> {
    for (let retry = 0; ; retry += 1) {
      const look = { held: held || retry > UNHELD_RETRIES, repeats: held || retry > 0 };
      try {
        return await inTransaction(this.dataSource, (manager) => this.decideIn(manager, asks, look), {
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

  private async decideIn(manager: EntityManager, asks: readonly Ask[], look: Look) {
    const round = await this.prepare(manager, asks, look);
    const earlier = await this.earlier(manager, look.repeats ? asks : []);
    const outcomes: (Settled | undefined)[] = [];
    const made = new Map<string, GrantedReservation>();
    const denied: { ask: Ask; at: number }[] = [];
    for (const [at, ask] of asks.entries()) {
      const twin = made.get(ask.id);
      outcomes[at] = twin === undefined ? earlier(ask, round.now) : this.again(ask, [twin], round.now);
      if (outcomes[at] !== undefined) continue;
      const outcome = this.first(ask, round.judgements[at], round);
      if (outcome === undefined) continue;
      if ('denial' in outcome) {
        outcome.subjectId = round.subjectIds[at];
        denied.push({ ask, at });
      } else made.set(ask.id, outcome.reservation);
      outcomes[at] = { status: 'fulfilled', value: outcome };
    }
    if (!look.repeats && denied.length > 0) {
      const before = await this.earlier(
        manager,
        denied.map(({ ask }) => ask),
      );
      for (const { ask, at } of denied) outcomes[at] = before(ask, round.now) ?? outcomes[at];
    }
    await this.write(manager, round.ledger, [...made.values()]);
    return outcomes;
  }

  /** Takes from the cells and adds the reservations. @throws MetAnother where others came first */
  private async write(manager: EntityManager, ledger: Ledger, made: readonly GrantedReservation[]): Promise<void> {
    const taken = ledger.changes();
    if (taken.length > 0 && !(await this.cells.reserve(manager, taken))) throw new MetAnother();
    if (made.length > 0 && (await this.reservations.insert(manager, made)) < made.length) throw new MetAnother();
  }

  private async prepare(manager: EntityManager, asks: readonly Ask[], { held }: Look): Promise<Round> {
    await lockBudgetsShared(manager);
    const now = this.clock.now();
    const principals = await this.principals.find(
      manager,
      asks.map(({ request }) => request.principal),
      now,
    );
    const catalog = await this.priceLists.inEffect(manager, now);
    const terms = { catalog, requireBudget: this.settings.REQUIRE_BUDGET };
    const judgements = asks.map((ask, at) => judge(ask, principals[at], terms));
    const amounts = await this.amounts(manager, judgements, now, held);
    return {
      now,
      ledger: new Ledger(amounts, now),
      before: held ? undefined : new Ledger(amounts, now),
      catalogId: catalog?.id ?? '',
      subjectIds: principals.map((principal) => principal?.subject_id),
      judgements,
    };
  }

  /** What the cells of those who may have to pay hold. */
  private amounts(manager: EntityManager, judgements: readonly Judgement[], now: Date, held: boolean) {
    const wants = judgements.flatMap((judgement) =>
      'want' in judgement && judgement.want.how !== 'free' ? judgement.want : [],
    );
    const candidates = distinct(wants.flatMap((want) => want.candidates));
    const keys = unique(
      candidates.flatMap((candidate) => (held ? listCellKeys(candidate, now) : listLimitedCellKeys(candidate, now))),
    );
    if (keys.length === 0) return new Map<string, CellAmounts>();
    return held ? this.cells.lock(manager, keys) : this.cells.read(manager, keys);
  }

  /**
   * @returns what an ask is told because of what happened before; undefined for one that is the
   * first of its kind, or that was not among `asks`
   */
  private async earlier(manager: EntityManager, asks: readonly Ask[]) {
    const { reservations, settled } = await this.reservations.known(manager, asks.map(subjectOf));
    return (ask: Ask, now: Date): Settled | undefined => {
      const known = reservations.get(ask.id);
      if (known !== undefined) return this.again(ask, known, now);
      return settled.has(ask.id) ? failed(new HttpError('conflict', SETTLED)) : undefined;
    };
  }

  /**
   * Decides an ask that nobody has made before.
   * @returns undefined where that takes cells that are held
   */
  private first(ask: Ask, judgement: Judgement | undefined, round: Round): Outcome | undefined {
    const { now, ledger, before } = round;
    if (judgement === undefined) return undefined;
    if ('denial' in judgement) return { denial: judgement.denial, decidedAt: now };
    const { principal } = judgement;
    if ('unlimited' in judgement) return this.granted(ask, principal, undefined, judgement.unlimited, round);
    const verdict = decide(ledger, judgement.want, before);
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

  /** Answers a repeat: the first decision, while its reservation lives. */
  private again(ask: Ask, known: readonly GrantedReservation[], now: Date): Settled {
    const content = contentHashOf(ask);
    // A reservation of the previous release has no hash: it counts as one of the same content.
    const first = known.find(({ content_sha256 }) => content_sha256 === undefined || content_sha256 === content);
    const sentences = CONFLICTS[ask.kind];
    if (first === undefined) return failed(new HttpError('conflict', sentences.other));
    if (first.returned_at !== undefined || first.released_at !== undefined || first.expires_at <= now)
      return failed(new HttpError('conflict', sentences.over));
    return { status: 'fulfilled', value: { reservation: first, keyVersion: first.key_version, repeated: true } };
  }
}

const refusedOf = ({ kind, request }: Ask, reason: Denial, auth_subject: string | undefined): RefusedAdmission => ({
  kind,
  reason,
  gateway_id: request.gateway_id,
  auth_subject,
  virtual_key_id: 'virtual_key_id' in request.principal ? request.principal.virtual_key_id : undefined,
  provider: 'provider' in request ? request.provider : undefined,
  model: 'model' in request ? request.model : undefined,
});

/** A lease has no attempt. */
const subjectOf = ({ kind, id, request }: Ask): ReservationSubject =>
  kind === 'lease' ? { id } : { id, interaction_id: request.interaction_id, attempt: request.attempt };

const CONFLICTS = {
  request: {
    other:
      'attempt: it was admitted with other content (principal, gateway, provider, model, route or estimate); a new request has an interaction_id or an attempt of its own',
    over: 'attempt: its reservation has expired; another call of an upstream is another attempt',
  },
  lease: {
    other:
      'lease_id: it was granted with other content (principal, gateway, amount or duration); a new lease has a lease_id of its own',
    over: 'lease_id: this lease was returned or is over; a new lease has a lease_id of its own',
  },
};
const SETTLED = 'attempt: its usage has been reported already; another call of an upstream is another attempt';

const failed = (reason: unknown): Settled => ({ status: 'rejected', reason });

/** Each candidate once, by identity: principals share theirs. */
const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** Each cell once. */
const unique = (keys: readonly CellKey[]): CellKey[] => [...new Map(keys.map((key) => [getCellId(key), key])).values()];
