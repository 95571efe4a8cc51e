import type { Usd } from '@gatehouse/money/usd';
import { hash } from 'node:crypto';
import { type Payer, listCellKeys } from '../budgets/cell.ts';
import type { CellChange } from '../budgets/cells.repository.ts';
import type { Period } from '../budgets/period.ts';

/** An amount that an admitted request or a lease holds in the budget cells of its payer. */
export interface Reservation {
  id: string;
  /** The user, as an owner reference (`getOwnerRef`). */
  subject_id: string;
  /** The gateway that requested it. */
  gateway_id: string;
  kind: 'request' | 'lease';
  /** Undefined when no budget applies; the user is then charged without a limit. */
  payer: Payer | undefined;
  /** The period that its charges name. */
  charge_period: Period;
  /** The maximum cost of the request, by its estimate, or the granted amount of the lease. */
  amount: Usd;
  /** The amount that is still reserved in budget cells; 0 without a payer. */
  held: Usd;
  pricing_catalog_id: string;
  admitted_at: Date;
  /**
   * The time at which it expired and its amount returned to the cells. The row stays, because late
   * usage is charged to its payer by its prices.
   */
  released_at: Date | undefined;
  /** Only of leases: the time at which the gateway returned the unused amount. */
  returned_at: Date | undefined;
  /** The current transaction has already deleted the row. */
  isDeleted?: true;
}

/** A reservation with the request for which it was granted. */
export interface GrantedReservation extends Reservation {
  /** Undefined for leases, as are attempt, provider, route and models. */
  interaction_id: string | undefined;
  attempt: number | undefined;
  issuer: string;
  user_id: string | undefined;
  virtual_key_id: string | undefined;
  /** The version of the key at the decision; 0 without a key. */
  key_version: number;
  /**
   * SHA-256 of the content (`computeContentHash`), hexadecimal; undefined in rows of older releases
   * without hashes.
   */
  content_sha256: string | undefined;
  provider: string | undefined;
  route: string | undefined;
  requested_model: string | undefined;
  model: string | undefined;
  expires_at: Date;
}

/**
 * Derives the id of a request's reservation from its interaction and attempt: a UUID of version 8
 * (RFC 9562 §5.8). A repeated request has the same id, so that it cannot reserve twice.
 */
export function deriveReservationId(interactionId: string, attempt: number): string {
  const hex = hash('sha256', JSON.stringify([interactionId, attempt]), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Computes the changes of the payer's cells when the held amount of a reservation changes.
 * @returns an empty list without a payer
 */
export const computeCellChanges = (
  { payer, admitted_at }: Pick<Reservation, 'payer' | 'admitted_at'>,
  change: Usd,
): CellChange[] =>
  payer === undefined || change === 0n
    ? []
    : listCellKeys(payer, admitted_at).map((key) => ({ ...key, used: 0n, reserved: change }));
