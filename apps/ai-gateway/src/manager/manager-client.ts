import type { PriceList } from '@gatehouse/money/price-list';
import { createPollSignal, type ManagerConnection } from '@gatehouse/service-kit/manager-connection';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import {
  type AttemptDecision,
  type AttemptRequest,
  BudgetCalls,
  type LeaseDecision,
  type LeaseRequest,
} from '../admission/budget-calls.ts';
import {
  type KeyChanges,
  receivedDocuments,
  type ResolvedKey,
  type RevealedSecret,
  type UsageReceipt,
} from './received-documents.ts';

/** Timeout of a reveal. */
const REVEAL_TIMEOUT_MS = 2_000;

/**
 * The calls of this gateway to the enterprise manager (spec/7). Each call can be repeated with the
 * same content. None is repeated here, except with a new token.
 *
 * Every call throws a ManagerError. Its `isOutage` says that the enterprise manager gave no
 * definite response, so that leases may be used; otherwise it refused the call with `status`.
 */
export class ManagerClient extends BudgetCalls {
  constructor(
    private readonly manager: Pick<ManagerConnection, 'call' | 'write'>,
    private readonly gatewayId: string,
  ) {
    super();
  }

  /** Checks that attempts can be admitted: `POST /webhooks/ping`. */
  ping(signal: AbortSignal): Promise<void> {
    return this.manager.write('POST', '/webhooks/ping', { body: {}, signal });
  }

  /** Admits one attempt: `POST /webhooks/budgets/admission`. */
  admit(request: AttemptRequest, signal: AbortSignal): Promise<AttemptDecision> {
    const body = { ...request, gateway_id: this.gatewayId };
    return this.manager.call('POST', '/webhooks/budgets/admission', receivedDocuments.admission, { body, signal });
  }

  /** Requests a lease: `POST /gateway/v1/budget-leases`. */
  grantLease(request: LeaseRequest, signal: AbortSignal): Promise<LeaseDecision> {
    const body = { ...request, gateway_id: this.gatewayId };
    return this.manager.call('POST', '/gateway/v1/budget-leases', receivedDocuments.lease, { body, signal });
  }

  /**
   * Returns the unused amount of a lease: `DELETE /gateway/v1/budget-leases/{lease_id}`.
   * @param unusedUsd a decimal text
   */
  returnLease(leaseId: string, unusedUsd: string, signal: AbortSignal): Promise<void> {
    const body = { unused_usd: unusedUsd };
    return this.manager.write('DELETE', `/gateway/v1/budget-leases/${encodeURIComponent(leaseId)}`, { body, signal });
  }

  /**
   * Keeps the reservation of a running attempt:
   * `POST /gateway/v1/reservations/{reservation_id}/extend`.
   * @param seconds from now
   */
  async extendReservation(reservationId: string, seconds: number, signal: AbortSignal): Promise<void> {
    const path = `/gateway/v1/reservations/${encodeURIComponent(reservationId)}/extend`;
    await this.manager.call('POST', path, receivedDocuments.extension, { body: { seconds }, signal });
  }

  /**
   * Reports usage: `POST /webhooks/budgets/usage`.
   * @param reports JSON array of at most 1,000 reports, which is sent as it is
   * @returns one receipt for each report, in their order
   */
  async deliverUsage(reports: string, signal: AbortSignal): Promise<readonly UsageReceipt[]> {
    const body = `{"events":${reports}}`;
    const request = { body, signal };
    return (await this.manager.call('POST', '/webhooks/budgets/usage', receivedDocuments.usageReceipts, request))
      .results;
  }

  /**
   * Resolves a virtual key: `POST /gateway/v1/keys/resolve`.
   * @param sha256 SHA-256 of the key, 64 lower-case hexadecimal digits
   * @returns undefined if no usable key has this secret
   */
  async resolveKey(sha256: string, signal: AbortSignal): Promise<ResolvedKey | undefined> {
    const request = { body: { secret_sha256: sha256 }, signal };
    return this.manager.call('POST', '/gateway/v1/keys/resolve', receivedDocuments.key, request).catch(handleMissing);
  }

  /**
   * Fetches the keys that have changed after a version: `GET /gateway/v1/keys/changes`. The
   * enterprise manager waits up to `waitSeconds` for a change.
   * @param after undefined fetches the current version at once
   */
  fetchKeyChanges(after: number | undefined, waitSeconds: number, signal: AbortSignal): Promise<KeyChanges> {
    const query = `wait=${waitSeconds}${after === undefined ? '' : `&after=${after}`}`;
    return this.manager.call('GET', `/gateway/v1/keys/changes?${query}`, receivedDocuments.keyChanges, {
      signal: createPollSignal(waitSeconds, signal),
    });
  }

  /**
   * Fetches the prices of a version of the pricing catalog, which never change:
   * `GET /gateway/v1/pricing-catalogs/{pricing_catalog_id}`.
   */
  fetchPriceList(catalogId: string, signal: AbortSignal): Promise<PriceList> {
    const path = `/gateway/v1/pricing-catalogs/${encodeURIComponent(catalogId)}`;
    return this.manager.call('GET', path, receivedDocuments.priceList, { signal });
  }

  /** Reveals a secret that `GATEWAYS` lists for this gateway. */
  revealSecret(id: string): Promise<RevealedSecret> {
    const path = `/gateway/v1/gateways/${encodeURIComponent(this.gatewayId)}/secrets/${encodeURIComponent(id)}/reveal`;
    return this.manager.call('POST', path, receivedDocuments.secret, {
      signal: AbortSignal.timeout(REVEAL_TIMEOUT_MS),
    });
  }
}

function handleMissing(error: unknown): undefined {
  if (error instanceof ManagerError && error.status === 404) return undefined;
  throw error;
}
