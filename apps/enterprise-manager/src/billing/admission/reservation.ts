import type { Usd } from '@gatehouse/money/usd';
import { hash } from 'node:crypto';
import { type Payer, listCellKeys } from '../budgets/cell.ts';
import type { CellChange } from '../budgets/cells.repository.ts';
import type { Period } from '../budgets/period.ts';

/**
 * What an admission or a lease holds in its payer's cells until it is settled, returned or expired.
 */
export interface Reservation {
  id: string;
  /** The person (`personRef`). */
  subject_id: string;
  /** The gateway that it was granted to. */
  gateway_id: string;
  kind: 'request' | 'lease';
  /** None where no budget exists: then the charge goes to the person, without a limit. */
  payer: Payer | undefined;
  /** The period that its charges will name. */
  charge_period: Period;
  /** Of a request what it can cost at most, by its estimate; of a lease what was granted. */
  amount: Usd;
  /** What of it is still held in cells: nothing without a payer. */
  held: Usd;
  pricing_catalog_id: string;
  admitted_at: Date;
  /**
   * When it expired and what it held was given back; what is reported later still finds its payer
   * and its prices here.
   */
  released_at: Date | undefined;
  /** Of leases only: when its gateway gave back what it did not need. */
  returned_at: Date | undefined;
  /** It is not in the database any more for whoever settles it. */
  isDeleted?: true;
}

/** A reservation with whom and what it was granted for. */
export interface GrantedReservation extends Reservation {
  /** Of requests only. */
  interaction_id: string | undefined;
  attempt: number | undefined;
  issuer: string;
  user_id: string | undefined;
  virtual_key_id: string | undefined;
  /** The version of the key at the decision, 0 without a key. */
  key_version: number;
  /**
   * Hexadecimal SHA-256 of what was asked (`contentHashOf`); undefined for a row of a release that
   * did not keep it.
   */
  content_sha256: string | undefined;
  provider: string | undefined;
  route: string | undefined;
  requested_model: string | undefined;
  model: string | undefined;
  expires_at: Date;
}

/**
 * The id of a request's reservation: made of its interaction and attempt (a UUID of version 8, RFC
 * 9562), so that a repeat has the same and two of them cannot both be there.
 */
export function deriveReservationId(interactionId: string, attempt: number): string {
  const hex = hash('sha256', JSON.stringify([interactionId, attempt]), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * What it does to the cells of its payer when `change` is added to what it holds; nothing without a
 * payer.
 */
export const cellChangesOf = (
  { payer, admitted_at }: Pick<Reservation, 'payer' | 'admitted_at'>,
  change: Usd,
): CellChange[] =>
  payer === undefined || change === 0n
    ? []
    : listCellKeys(payer, admitted_at).map((key) => ({ ...key, used: 0n, reserved: change }));
