import type { components } from '@gatehouse/contracts-enterprise-manager/schema';
import type { AdmissionAnswerDto, LeaseAnswerDto } from '@gatehouse/contracts-enterprise-manager/validation';
import type { PriceList } from '@gatehouse/money/price-list';
import type { Received } from '@gatehouse/service-kit/received';

type Schemas = components['schemas'];

/** A request for the admission of one attempt. The implementation adds the id of the gateway. */
export type AttemptRequest = Omit<Schemas['AdmissionRequest'], 'gateway_id'>;
/** A request for a lease. The implementation adds the id of the gateway. */
export type LeaseRequest = Omit<Schemas['LeaseRequest'], 'gateway_id'>;
export type AttemptDecision = Received<AdmissionAnswerDto>;
export type LeaseDecision = Received<LeaseAnswerDto>;
/** Why the enterprise manager denies an attempt or a lease. */
export type DenialReason = NonNullable<AttemptDecision['reason']>;

/**
 * The calls about budgets to the enterprise manager (spec/7, "Budget webhooks" and "Leases"). Each
 * call can be repeated with the same content. All throw ManagerError.
 */
export abstract class BudgetCalls {
  /** Checks that attempts can be admitted: `POST /webhooks/ping`. */
  abstract ping(signal: AbortSignal): Promise<void>;
  /** `POST /webhooks/budgets/admission`. */
  abstract admit(request: AttemptRequest, signal: AbortSignal): Promise<AttemptDecision>;
  /** `POST /gateway/v1/budget-leases`. */
  abstract grantLease(request: LeaseRequest, signal: AbortSignal): Promise<LeaseDecision>;
  /** `DELETE /gateway/v1/budget-leases/{lease_id}`. */
  abstract returnLease(leaseId: string, unusedUsd: string, signal: AbortSignal): Promise<void>;
  /**
   * `POST /gateway/v1/reservations/{reservation_id}/extend`.
   * @param seconds from now
   */
  abstract extendReservation(reservationId: string, seconds: number, signal: AbortSignal): Promise<void>;
  /** Fetches the prices of a version of the pricing catalog, which never change. */
  abstract fetchPriceList(catalogId: string, signal: AbortSignal): Promise<PriceList>;
}
