import { HttpError } from '@gatehouse/service-kit/http-error';
import type { DenialReason } from './admission.dto.ts';
import type { GrantedReservation } from './reservation.ts';
import { type ReservationRequest, computeContentHash } from './reservation-request.ts';

/** The decision on a request. */
export type AdmissionOutcome =
  | { reservation: GrantedReservation; keyVersion: number; repeated: boolean }
  | {
      denial: DenialReason;
      decidedAt: Date;
      /** The user as budgets name it; undefined for a key that does not exist. */
      subjectId?: string | undefined;
    };

/** The decision on a request, or the error with which it failed. */
export type SettledOutcome = PromiseSettledResult<AdmissionOutcome>;

const CONFLICTS = {
  request: {
    content:
      'attempt: it was admitted with other content (principal, gateway, provider, model, route or estimate); use another interaction_id or attempt for a new request',
    ended: 'attempt: its reservation has expired; use another attempt for another call to an upstream',
  },
  lease: {
    content:
      'lease_id: it was granted with other content (principal, gateway, amount or duration); use another lease_id for a new lease',
    ended: 'lease_id: this lease was returned or has expired; use another lease_id for a new lease',
  },
};
const SETTLED = 'attempt: its usage was already reported; use another attempt for another call to an upstream';

/**
 * Repeats the decision on a request whose id already has reservations. Other content, a returned
 * lease and an expired reservation are a conflict.
 * @param reservations the reservations with the id of the request, at least one
 */
export function replayDecision(
  request: ReservationRequest,
  reservations: readonly GrantedReservation[],
  now: Date,
): SettledOutcome {
  const content = computeContentHash(request);
  // Rows of an older release have no hash. They count as reservations with the same content.
  const first = reservations.find(({ content_sha256 }) => content_sha256 === undefined || content_sha256 === content);
  const messages = CONFLICTS[request.kind];
  if (first === undefined) return toRejection(new HttpError('conflict', messages.content));
  if (first.returned_at !== undefined || first.released_at !== undefined || first.expires_at <= now)
    return toRejection(new HttpError('conflict', messages.ended));
  return { status: 'fulfilled', value: { reservation: first, keyVersion: first.key_version, repeated: true } };
}

/** Rejects a request of an attempt whose usage was already reported. */
export const rejectSettledAttempt = (): SettledOutcome => toRejection(new HttpError('conflict', SETTLED));

/** Wraps an error as the outcome of one request. */
export const toRejection = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });
