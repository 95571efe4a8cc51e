import { statement } from '@gatehouse/database/statement';
import { type Usd, readUsd, writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { GrantedReservation, Reservation } from './reservation.ts';

interface ReservationRow {
  id: string;
  subject_id: string;
  gateway_id: string;
  kind: 'request' | 'lease';
  payer_scope: BudgetScope | null;
  payer_subject_id: string | null;
  charge_period: Period;
  amount_usd: string;
  held_usd: string;
  pricing_catalog_id: string;
  admitted_at: string;
  released_at: string | null;
  returned_at: string | null;
}

interface GrantedRow extends ReservationRow {
  interaction_id: string | null;
  attempt: number | null;
  issuer: string;
  user_id: string | null;
  virtual_key_id: string | null;
  provider: string | null;
  route: string | null;
  requested_model: string | null;
  model: string | null;
  expires_at: string;
  key_version: number | null;
  content_sha256: string | null;
}

const COLUMNS =
  'id, subject_id, gateway_id, kind, payer_scope, payer_subject_id, charge_period, amount_usd, held_usd, pricing_catalog_id, admitted_at, released_at, returned_at';
const GRANTED_COLUMNS = `${COLUMNS}, interaction_id, attempt, issuer, user_id, virtual_key_id, provider, route, requested_model, model, expires_at, key_version`;

/**
 * Rows are found by their id, also by a statement that was planned when the table was empty:
 * LATERAL with OFFSET or a lock leaves Postgres no other way.
 */
const LOCK = statement<ReservationRow>(
  `SELECT ${COLUMNS} FROM (SELECT DISTINCT key FROM unnest($1::uuid[]) AS given (key) ORDER BY key) AS k
   CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM reservations WHERE id = key FOR UPDATE) AS r`,
);
const LOCK_OF = statement<ReservationRow>(
  `SELECT ${COLUMNS} FROM reservations WHERE id = $1 AND gateway_id = ANY ($2::text[]) FOR UPDATE`,
);
const THERE = statement<{ key: string }>(
  `SELECT key FROM unnest($1::uuid[]) AS k (key) CROSS JOIN LATERAL (SELECT FROM reservations WHERE id = key OFFSET 0) AS r LIMIT 1`,
);
/** Arrays cost Postgres less than JSON. What there is already is found by its key, as above. */
const INSERT = statement<{ made: number }>(
  `WITH made AS (
     INSERT INTO reservations (id, subject_id, kind, interaction_id, attempt, gateway_id, issuer, user_id, virtual_key_id, provider, route, requested_model,
       model, payer_scope, payer_subject_id, charge_period, amount_usd, held_usd, pricing_catalog_id, admitted_at, expires_at, key_version, content_sha256)
     SELECT n.* FROM (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::uuid[], $9::text[], $10::text[],
         $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::numeric[], $18::numeric[], $19::uuid[], $20::timestamptz[],
         $21::timestamptz[], $22::bigint[], $23::bytea[]) AS given (id, subject_id, kind, interaction_id, attempt) ORDER BY id) AS n
     LEFT JOIN LATERAL (SELECT TRUE AS there FROM reservations WHERE id = n.id OFFSET 0) AS r ON TRUE
     LEFT JOIN LATERAL (
       SELECT TRUE AS there FROM usage_claims WHERE interaction_id = n.interaction_id AND attempt = n.attempt OFFSET 0) AS c ON TRUE
     WHERE r.there IS NULL AND c.there IS NULL
     ON CONFLICT DO NOTHING RETURNING 1)
   SELECT count(*)::int AS made FROM made`,
);
/**
 * Says what it takes away, so that nobody has to look before. Whoever holds one of them is waited
 * for, and what they made of it is what is told.
 */
const TAKE = statement<Omit<ReservationRow, 'kind' | 'returned_at'>>(
  `SELECT id, subject_id, gateway_id, payer_scope, payer_subject_id, charge_period, amount_usd, held_usd, pricing_catalog_id, admitted_at, released_at
   FROM take_reservations($1::uuid[], $2::text[], $3::text[])`,
);
const REMOVE = statement('SELECT remove_reservations($1::uuid[], $2::text[])');
const HOLD = statement(
  `UPDATE reservations r SET held_usd = h.held FROM unnest($1::uuid[], $2::numeric[]) AS h (id, held) WHERE r.id = h.id`,
);

/** Of one moment, since it is one statement. */
const KNOWN = statement<
  { [Column in keyof GrantedRow]: GrantedRow[Column] | null } & { key: string; settled: boolean }
>(
  `SELECT a.key, c.attempt IS NOT NULL AS settled, r.*
   FROM unnest($1::uuid[], $2::text[], $3::int[]) AS a (key, of_interaction, of_attempt)
   LEFT JOIN LATERAL (SELECT ${GRANTED_COLUMNS}, encode(content_sha256, 'hex') AS content_sha256 FROM reservations WHERE id = a.key OFFSET 0) AS r ON TRUE
   LEFT JOIN LATERAL (
     SELECT attempt FROM usage_claims WHERE interaction_id = a.of_interaction AND attempt = a.of_attempt OFFSET 0) AS c ON TRUE
   WHERE r.id IS NOT NULL OR c.attempt IS NOT NULL`,
);
const EXTEND = statement<{ expires_at: string }>(
  `UPDATE reservations SET expires_at = GREATEST(expires_at, $2)
   WHERE id = $1 AND gateway_id = ANY ($4::text[]) AND kind = 'request' AND released_at IS NULL AND expires_at > $3
   RETURNING expires_at`,
);
const GIVE_BACK = statement('UPDATE reservations SET held_usd = $2, returned_at = $3 WHERE id = $1');
const ANY_EXPIRED = statement<{ id: string }>(
  'SELECT id FROM reservations WHERE released_at IS NULL AND expires_at <= $1 LIMIT 1',
);
const LOCK_EXPIRED = statement<ReservationRow>(
  `SELECT ${COLUMNS} FROM reservations WHERE released_at IS NULL AND expires_at <= $1
   ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
);
const RELEASE = statement(
  `UPDATE reservations r SET held_usd = 0, released_at = $3 FROM unnest($1::uuid[], $2::text[]) AS k (id, subject_id)
   WHERE r.id = k.id AND r.subject_id = k.subject_id AND r.released_at IS NULL`,
);
const FORGET = statement<{ id: string }>(
  `DELETE FROM reservations WHERE (id, subject_id) IN (
     SELECT id, subject_id FROM reservations WHERE released_at < $1 ORDER BY released_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** What a reservation is for: an attempt of a request, or a lease, which has neither. */
export interface ReservationSubject {
  id: string;
  interaction_id?: string;
  attempt?: number;
}

/**
 * Reservations by id. Almost always there is one; an attempt for which two people were admitted at
 * the same moment has one of each, since a table that is spread by person cannot keep their ids
 * apart.
 */
export type ReservationsById = ReadonlyMap<string, readonly Reservation[]>;

/**
 * Reservations in the database. Who changes cells as well locks the reservations first: cells are
 * always the last that is waited for.
 */
@Injectable()
export class ReservationsRepository {
  /** Those of these ids that are there, held until the transaction ends. */
  async lock(manager: EntityManager, ids: readonly string[]): Promise<ReservationsById> {
    return byId((await LOCK.rows(manager, [ids])).map(reservationOf));
  }

  /** Those with an id that were made for one of these gateways, held until the transaction ends. */
  async lockOf(manager: EntityManager, id: string, gatewayIds: readonly string[]): Promise<Reservation[]> {
    return (await LOCK_OF.rows(manager, [id, gatewayIds])).map(reservationOf);
  }

  /**
   * Takes requests' reservations of these people and gateways away, in the order of their ids;
   * their cells are the caller's to change.
   * @returns those that were there
   */
  async deleteReturning(
    manager: EntityManager,
    keys: readonly (ReservationKey & Pick<Reservation, 'gateway_id'>)[],
  ): Promise<Reservation[]> {
    const rows = await TAKE.rows(manager, [...keysOf(keys), keys.map(({ gateway_id }) => gateway_id)]);
    return rows.map((row): Reservation => ({
      ...reservationOf({ ...row, kind: 'request', returned_at: null }),
      isDeleted: true,
    }));
  }

  /** Whether any of these ids is there, without waiting for anybody. */
  async hasAny(manager: EntityManager, ids: readonly string[]): Promise<boolean> {
    return ids.length > 0 && (await THERE.row(manager, [ids])) !== undefined;
  }

  /**
   * Adds new reservations, but none of an attempt that has one, or whose usage has been taken in.
   * @returns how many it added
   */
  async insert(manager: EntityManager, reservations: readonly GrantedReservation[]): Promise<number> {
    const row = await INSERT.row(manager, columnsOf(reservations));
    return row?.made ?? 0;
  }

  /**
   * Takes settled ones away that have not been taken yet; their cells are the caller's to change.
   */
  async delete(manager: EntityManager, reservations: readonly Reservation[]): Promise<void> {
    const left = reservations.filter(({ isDeleted }) => isDeleted !== true);
    if (left.length > 0) await REMOVE.rows(manager, keysOf(left));
  }

  /** Writes what some still hold, by id; their cells are the caller's to change. */
  async updateHeld(manager: EntityManager, held: ReadonlyMap<string, Usd>): Promise<void> {
    await HOLD.rows(manager, [[...held.keys()], [...held.values()].map(writeUsd)]);
  }

  /**
   * Reads the reservations of attempts and leases, and the ids of the attempts whose usage has been
   * taken in.
   */
  async known(manager: EntityManager, asked: readonly ReservationSubject[]) {
    if (asked.length === 0)
      return { reservations: new Map<string, GrantedReservation[]>(), settled: new Set<string>() };
    const rows = await KNOWN.rows(manager, [
      asked.map(({ id }) => id),
      asked.map(({ interaction_id }) => interaction_id ?? null),
      asked.map(({ attempt }) => attempt ?? null),
    ]);
    return {
      reservations: byId(rows.filter((row): row is typeof row & GrantedRow => row.id !== null).map(grantedOf)),
      settled: new Set(rows.filter(({ settled }) => settled).map(({ key }) => key)),
    };
  }

  /**
   * Lets a request's reservation live longer, never shorter.
   * @returns until when; undefined for one that is gone, over, or another gateway's
   */
  async extend(
    manager: EntityManager,
    id: string,
    gatewayIds: readonly string[],
    until: Date,
    now: Date,
  ): Promise<Date | undefined> {
    const row = await EXTEND.row(manager, [id, until.toISOString(), now.toISOString(), gatewayIds]);
    return row && new Date(row.expires_at);
  }

  /** Writes what a lease still holds after its gateway gave the rest back. */
  async giveBack(manager: EntityManager, id: string, held: Usd, now: Date): Promise<void> {
    await GIVE_BACK.rows(manager, [id, writeUsd(held), now.toISOString()]);
  }

  /** Whether there is anything that is over and still holds. */
  async anyExpired(manager: EntityManager, now: Date): Promise<boolean> {
    return (await ANY_EXPIRED.row(manager, [now.toISOString()])) !== undefined;
  }

  /**
   * Some of those that are over, oldest first, held until the transaction ends; those that somebody
   * else holds are left to them.
   */
  async lockExpired(manager: EntityManager, now: Date, limit: number): Promise<Reservation[]> {
    return (await LOCK_EXPIRED.rows(manager, [now.toISOString(), limit])).map(reservationOf);
  }

  /** They hold nothing any more; their cells are the caller's to change. */
  async release(manager: EntityManager, reservations: readonly ReservationKey[], now: Date): Promise<void> {
    await RELEASE.rows(manager, [...keysOf(reservations), now.toISOString()]);
  }

  /** Deletes some of those that were released before a time. @returns how many */
  async forget(manager: EntityManager, releasedBefore: Date, limit: number): Promise<number> {
    return (await FORGET.rows(manager, [releasedBefore.toISOString(), limit])).length;
  }
}

type ReservationKey = Pick<Reservation, 'id' | 'subject_id'>;

const keysOf = (reservations: readonly ReservationKey[]) => [
  reservations.map(({ id }) => id),
  reservations.map(({ subject_id }) => subject_id),
];

function byId<One extends Reservation>(reservations: readonly One[]): Map<string, One[]> {
  const found = new Map<string, One[]>();
  for (const one of reservations) {
    const known = found.get(one.id);
    if (known === undefined) found.set(one.id, [one]);
    else known.push(one);
  }
  return found;
}

const reservationOf = (row: ReservationRow): Reservation => ({
  id: row.id,
  subject_id: row.subject_id,
  gateway_id: row.gateway_id,
  kind: row.kind,
  payer:
    row.payer_scope === null || row.payer_subject_id === null
      ? undefined
      : { scope: row.payer_scope, subject_id: row.payer_subject_id },
  charge_period: row.charge_period,
  amount: readUsd(row.amount_usd),
  held: readUsd(row.held_usd),
  pricing_catalog_id: row.pricing_catalog_id,
  admitted_at: new Date(row.admitted_at),
  released_at: row.released_at === null ? undefined : new Date(row.released_at),
  returned_at: row.returned_at === null ? undefined : new Date(row.returned_at),
});

const grantedOf = (row: GrantedRow): GrantedReservation => ({
  ...reservationOf(row),
  interaction_id: row.interaction_id ?? undefined,
  attempt: row.attempt ?? undefined,
  issuer: row.issuer,
  user_id: row.user_id ?? undefined,
  virtual_key_id: row.virtual_key_id ?? undefined,
  provider: row.provider ?? undefined,
  route: row.route ?? undefined,
  requested_model: row.requested_model ?? undefined,
  model: row.model ?? undefined,
  expires_at: new Date(row.expires_at),
  key_version: row.key_version ?? 0,
  content_sha256: row.content_sha256 ?? undefined,
});

/** What `INSERT` takes, column by column. */
const GIVEN: readonly ((reservation: GrantedReservation) => string | number | undefined)[] = [
  ({ id }) => id,
  ({ subject_id }) => subject_id,
  ({ kind }) => kind,
  ({ interaction_id }) => interaction_id,
  ({ attempt }) => attempt,
  ({ gateway_id }) => gateway_id,
  ({ issuer }) => issuer,
  ({ user_id }) => user_id,
  ({ virtual_key_id }) => virtual_key_id,
  ({ provider }) => provider,
  ({ route }) => route,
  ({ requested_model }) => requested_model,
  ({ model }) => model,
  ({ payer }) => payer?.scope,
  ({ payer }) => payer?.subject_id,
  ({ charge_period }) => charge_period,
  ({ amount }) => writeUsd(amount),
  ({ held }) => writeUsd(held),
  ({ pricing_catalog_id }) => pricing_catalog_id,
  ({ admitted_at }) => admitted_at.toISOString(),
  ({ expires_at }) => expires_at.toISOString(),
  ({ key_version }) => key_version,
  ({ content_sha256 }) => (content_sha256 === undefined ? undefined : `\\x${content_sha256}`),
];

const columnsOf = (reservations: readonly GrantedReservation[]) =>
  GIVEN.map((read) => reservations.map((reservation) => read(reservation) ?? null));
