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
 * LATERAL with OFFSET or a lock forces an index lookup by id, even in a plan that was made when the
 * table was empty. Locks are taken in the order of ids.
 */
const LOCK = statement<ReservationRow>(
  `SELECT ${COLUMNS} FROM (SELECT DISTINCT key FROM unnest($1::uuid[]) AS given (key) ORDER BY key) AS k
   CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM reservations WHERE id = key FOR UPDATE) AS r`,
);
const LOCK_FOR_GATEWAYS = statement<ReservationRow>(
  `SELECT ${COLUMNS} FROM reservations WHERE id = $1 AND gateway_id = ANY ($2::text[]) FOR UPDATE`,
);
const FIND_ANY = statement<{ key: string }>(
  `SELECT key FROM unnest($1::uuid[]) AS k (key) CROSS JOIN LATERAL (SELECT FROM reservations WHERE id = key OFFSET 0) AS r LIMIT 1`,
);
/**
 * Inserts only attempts without a reservation and without a usage claim; both are found by key as
 * above. Arrays cost Postgres less than JSON.
 */
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
/** Waits for transactions that lock one of the rows, and returns the deleted rows. */
const DELETE_RETURNING = statement<Omit<ReservationRow, 'kind' | 'returned_at'>>(
  `SELECT id, subject_id, gateway_id, payer_scope, payer_subject_id, charge_period, amount_usd, held_usd, pricing_catalog_id, admitted_at, released_at
   FROM take_reservations($1::uuid[], $2::text[], $3::text[])`,
);
const DELETE = statement('SELECT remove_reservations($1::uuid[], $2::text[])');
const UPDATE_HELD = statement(
  `UPDATE reservations r SET held_usd = h.held FROM unnest($1::uuid[], $2::numeric[]) AS h (id, held) WHERE r.id = h.id`,
);

/** One statement, so that reservations and claims are of the same snapshot. */
const READ_EXISTING = statement<
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
const RECORD_RETURN = statement('UPDATE reservations SET held_usd = $2, returned_at = $3 WHERE id = $1');
const FIND_EXPIRED = statement<{ id: string }>(
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
const DELETE_RELEASED = statement<{ id: string }>(
  `DELETE FROM reservations WHERE (id, subject_id) IN (
     SELECT id, subject_id FROM reservations WHERE released_at < $1 ORDER BY released_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** The subject of a reservation: an attempt of a request, or a lease, which has only an id. */
export interface ReservationSubject {
  id: string;
  interaction_id?: string;
  attempt?: number;
}

/**
 * Reservations by id. An id nearly always has one. Two users admitted for the same attempt at the
 * same moment have one each: the table is partitioned by user, and its key includes the user.
 */
export type ReservationsById = ReadonlyMap<string, readonly Reservation[]>;

/**
 * The stored reservations. A transaction that also changes budget cells locks the reservations
 * first (docs/decisions/0071-lock-order-of-billing.md). Methods leave the cells to their callers.
 */
@Injectable()
export class ReservationsRepository {
  /** Reads the existing reservations of some ids and locks them until the transaction ends. */
  async lock(manager: EntityManager, ids: readonly string[]): Promise<ReservationsById> {
    return groupById((await LOCK.rows(manager, [ids])).map(toReservation));
  }

  /** Reads and locks the reservations of an id that belong to one of some gateways. */
  async lockForGateways(manager: EntityManager, id: string, gatewayIds: readonly string[]): Promise<Reservation[]> {
    return (await LOCK_FOR_GATEWAYS.rows(manager, [id, gatewayIds])).map(toReservation);
  }

  /**
   * Deletes reservations of requests, by id, user and gateway, in the order of their ids.
   * @returns the deleted reservations
   */
  async deleteReturning(
    manager: EntityManager,
    keys: readonly (ReservationKey & Pick<Reservation, 'gateway_id'>)[],
  ): Promise<Reservation[]> {
    const rows = await DELETE_RETURNING.rows(manager, [
      ...toKeyColumns(keys),
      keys.map(({ gateway_id }) => gateway_id),
    ]);
    return rows.map((row): Reservation => ({
      ...toReservation({ ...row, kind: 'request', returned_at: null }),
      isDeleted: true,
    }));
  }

  /** Returns whether any of the ids has a reservation, without waiting for locks. */
  async hasAny(manager: EntityManager, ids: readonly string[]): Promise<boolean> {
    return ids.length > 0 && (await FIND_ANY.row(manager, [ids])) !== undefined;
  }

  /**
   * Inserts reservations, except for attempts that have a reservation or reported usage.
   * @returns the number of inserted reservations
   */
  async insert(manager: EntityManager, reservations: readonly GrantedReservation[]): Promise<number> {
    const row = await INSERT.row(manager, toInsertColumns(reservations));
    return row?.made ?? 0;
  }

  /** Deletes settled reservations, except those that are already deleted. */
  async delete(manager: EntityManager, reservations: readonly Reservation[]): Promise<void> {
    const left = reservations.filter(({ isDeleted }) => isDeleted !== true);
    if (left.length > 0) await DELETE.rows(manager, toKeyColumns(left));
  }

  /** Updates held amounts, by id. */
  async updateHeld(manager: EntityManager, held: ReadonlyMap<string, Usd>): Promise<void> {
    await UPDATE_HELD.rows(manager, [[...held.keys()], [...held.values()].map(writeUsd)]);
  }

  /** Reads the reservations of attempts and leases, and the ids of attempts with reported usage. */
  async readExisting(manager: EntityManager, subjects: readonly ReservationSubject[]) {
    if (subjects.length === 0)
      return { reservations: new Map<string, GrantedReservation[]>(), settled: new Set<string>() };
    const rows = await READ_EXISTING.rows(manager, [
      subjects.map(({ id }) => id),
      subjects.map(({ interaction_id }) => interaction_id ?? null),
      subjects.map(({ attempt }) => attempt ?? null),
    ]);
    return {
      reservations: groupById(rows.filter((row): row is typeof row & GrantedRow => row.id !== null).map(toGranted)),
      settled: new Set(rows.filter(({ settled }) => settled).map(({ key }) => key)),
    };
  }

  /**
   * Extends the reservation of a request; its end never becomes earlier.
   * @returns the new end; undefined for a reservation that was settled, has expired or belongs to
   * another gateway
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

  /** Updates the held amount of a lease and records the time of its return. */
  async recordReturn(manager: EntityManager, id: string, held: Usd, now: Date): Promise<void> {
    await RECORD_RETURN.rows(manager, [id, writeUsd(held), now.toISOString()]);
  }

  /** Returns whether any expired reservation is not released yet. */
  async hasExpired(manager: EntityManager, now: Date): Promise<boolean> {
    return (await FIND_EXPIRED.row(manager, [now.toISOString()])) !== undefined;
  }

  /**
   * Reads and locks up to `limit` expired reservations, oldest first. Skips rows that another
   * transaction has locked.
   */
  async lockExpired(manager: EntityManager, now: Date, limit: number): Promise<Reservation[]> {
    return (await LOCK_EXPIRED.rows(manager, [now.toISOString(), limit])).map(toReservation);
  }

  /** Sets the held amounts to 0 and records the time of the release. */
  async release(manager: EntityManager, reservations: readonly ReservationKey[], now: Date): Promise<void> {
    await RELEASE.rows(manager, [...toKeyColumns(reservations), now.toISOString()]);
  }

  /** Deletes up to `limit` reservations released before a time. @returns the number deleted */
  async deleteReleased(manager: EntityManager, releasedBefore: Date, limit: number): Promise<number> {
    return (await DELETE_RELEASED.rows(manager, [releasedBefore.toISOString(), limit])).length;
  }
}

type ReservationKey = Pick<Reservation, 'id' | 'subject_id'>;

const toKeyColumns = (reservations: readonly ReservationKey[]) => [
  reservations.map(({ id }) => id),
  reservations.map(({ subject_id }) => subject_id),
];

const groupById = <T extends Reservation>(reservations: readonly T[]): Map<string, T[]> =>
  Map.groupBy(reservations, ({ id }) => id);

const toReservation = (row: ReservationRow): Reservation => ({
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

const toGranted = (row: GrantedRow): GrantedReservation => ({
  ...toReservation(row),
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

/** Reads the columns of `INSERT` in order. */
const INSERT_COLUMNS: readonly ((reservation: GrantedReservation) => string | number | undefined)[] = [
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

const toInsertColumns = (reservations: readonly GrantedReservation[]) =>
  INSERT_COLUMNS.map((read) => reservations.map((reservation) => read(reservation) ?? null));
