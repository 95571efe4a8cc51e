import type { Usd } from '@gatehouse/money/usd';
import type { JsonObject, UsageEstimate } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import type { Principal } from '../identity/principals.ts';

/** One request to a provider that needs a budget. */
export interface AdmissionQuery {
  /** UUID v7 of the client's request; the same for all of its attempts. */
  readonly interactionId: string;
  /** From 1; a fallback or a retry is another attempt. */
  readonly attempt: number;
  readonly principal: Principal;
  /** The name of the provider in prices: the kind of the provider of the AIGateway. */
  readonly provider: WireFormat;
  readonly route: string;
  readonly requestedModel: string;
  /** The name of the model at the provider. */
  readonly model: string;
  readonly estimate: UsageEstimate;
}

/** An admitted attempt. */
export interface AdmittedAttempt {
  /**
   * The reservation or the lease that pays. It is undefined only while the enterprise manager is
   * away and the AIGateway has the failure mode `Open`.
   */
  readonly reservationId: string | undefined;
  /** RFC 3339; the `event_time` of the usage. */
  readonly admittedAt: string;
  /**
   * Says what the attempt has used, exactly once, so that a lease knows the rest of its amount.
   * @param usage the usage object that is charged; undefined for an attempt without a charge
   * @returns the charge, for metrics; undefined if the price is not known here
   */
  finish(usage: JsonObject | undefined): Usd | undefined;
}

/** Admits attempts against the budgets of their principals. */
export abstract class Admission {
  /**
   * Admits an attempt. It is synchronous within a lease.
   * @throws ModelCallError `denied`, `budget_exceeded` or `unavailable`
   */
  abstract admit(query: AdmissionQuery, signal: AbortSignal): AdmittedAttempt | Promise<AdmittedAttempt>;
  /**
   * Returns the leases of a principal whose credential has changed or ended.
   * @param principalId `Principal.id`
   */
  abstract forget(principalId: string): void;
}
