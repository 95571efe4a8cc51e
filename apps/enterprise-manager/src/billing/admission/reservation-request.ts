import { estimateModelRequest } from '@gatehouse/money/estimate';
import { isFree } from '@gatehouse/money/rates';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import { hash } from 'node:crypto';
import type { Candidate } from '../budgets/payer.ts';
import { getChargePeriod, getWindowAt } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import type { CatalogPrices } from '../pricing/price-lists.ts';
import type { AdmissionRequest, DenialReason } from './admission.dto.ts';
import type { AllocationRequest } from './allocation.ts';
import type { LeaseRequest } from './leases.dto.ts';
import type { GrantedReservation } from './reservation.ts';

/** A request for a reservation: a model request or a lease. `id` becomes the reservation's id. */
export type ReservationRequest =
  { kind: 'request'; id: string; body: AdmissionRequest } | { kind: 'lease'; id: string; body: LeaseRequest };

/** The part of a decision that does not depend on budget cells. */
export type Precheck =
  | { denial: DenialReason }
  /**
   * No budget applies: the request is granted and reserves nothing. `unlimited` is its maximum
   * cost.
   */
  | { unlimited: Usd; principal: Principal }
  | { allocation: AllocationRequest; principal: Principal };

/** The conditions of a decision besides principals and budget cells. */
export interface AdmissionTerms {
  /** The catalog in effect; undefined when there is none. */
  catalog: CatalogPrices | undefined;
  requireBudget: boolean;
}

/**
 * Checks the principal, the price and the existence of a budget.
 * @param principal undefined for a key that does not exist
 */
export function precheckRequest(
  request: ReservationRequest,
  principal: Principal | undefined,
  { catalog, requireBudget }: AdmissionTerms,
): Precheck {
  if (principal === undefined) return { denial: 'key_inactive' };
  if (principal.state !== 'active') return { denial: principal.state };
  const price =
    request.kind === 'lease' ? getLeasePrice(request.body, catalog) : computeEstimatePrice(request.body, catalog);
  if (price === undefined) return { denial: 'unpriceable' };
  const { candidates } = principal;
  if (candidates.length > 0) return { allocation: { candidates, ...price }, principal };
  if (requireBudget) return { denial: 'no_budget' };
  return { unlimited: price.amount, principal };
}

type Price = Pick<AllocationRequest, 'amount' | 'mode' | 'sharePercent'>;

const getLeasePrice = (
  { amount_usd, share_percent = 100 }: LeaseRequest,
  catalog: CatalogPrices | undefined,
): Price | undefined => catalog && { amount: amount_usd, mode: 'partial', sharePercent: BigInt(share_percent) };

/** Computes the maximum cost of a request. @returns undefined for a model without a price */
function computeEstimatePrice(
  { provider, model, estimate }: AdmissionRequest,
  catalog?: CatalogPrices,
): Price | undefined {
  const rates = catalog?.prices.find(provider, model);
  if (rates === undefined) return undefined;
  if (isFree(rates)) return { amount: 0n, mode: 'free' };
  const size = { promptTokens: estimate.prompt_tokens, maxOutputTokens: estimate.max_output_tokens };
  return { amount: estimateModelRequest(rates, model, size), mode: 'full' };
}

/** The terms of a granted request. */
export interface Grant {
  /** Undefined when no budget applies. */
  payer: Candidate | undefined;
  amount: Usd;
  catalogId: string;
  at: Date;
  /** Lifetime of the reservation. */
  seconds: number;
}

/** Creates the reservation of a granted request. */
export function createReservation(
  request: ReservationRequest,
  principal: Principal,
  { payer, amount, catalogId, at, seconds }: Grant,
): GrantedReservation {
  const body = request.kind === 'request' ? request.body : undefined;
  const expiry = at.getTime() + seconds * 1_000;
  return {
    id: request.id,
    subject_id: principal.subject_id,
    kind: request.kind,
    interaction_id: body?.interaction_id,
    attempt: body?.attempt,
    gateway_id: request.body.gateway_id,
    issuer: principal.issuer,
    user_id: principal.user_id,
    virtual_key_id: principal.virtual_key_id,
    key_version: principal.key_version,
    content_sha256: computeContentHash(request),
    provider: body?.provider,
    route: body?.route,
    requested_model: body?.requested_model,
    model: body?.model,
    payer: payer && { scope: payer.scope, subject_id: payer.subject_id },
    charge_period: getChargePeriod(payer?.limits.map(({ period }) => period) ?? []),
    amount,
    held: payer === undefined ? 0n : amount,
    pricing_catalog_id: catalogId,
    admitted_at: at,
    expires_at: new Date(request.kind === 'lease' ? Math.min(expiry, getFirstWindowEnd(payer, at)) : expiry),
    released_at: undefined,
    returned_at: undefined,
  };
}

/**
 * Returns the end of the first window in which a lease reserves an amount. Later usage of the lease
 * counts in the next window, where nothing is reserved for it, and would exceed the limit of that
 * window. A request needs no such end: its usage counts at the time of its admission.
 * @returns milliseconds since the epoch; Infinity without limits
 */
const getFirstWindowEnd = (payer: Candidate | undefined, at: Date): number =>
  Math.min(...(payer?.limits ?? []).map(({ period }) => getWindowAt(period, at).end.getTime()));

/**
 * Returns the SHA-256 of the content of a request without its id. Repeated requests have the same
 * hash; the reservation stores it to detect a repeated id with other content.
 * @returns hexadecimal
 */
export function computeContentHash(request: ReservationRequest): string {
  const { gateway_id, principal } = request.body;
  const reference = 'virtual_key_id' in principal ? [principal.virtual_key_id] : [principal.issuer, principal.subject];
  return hash('sha256', JSON.stringify([gateway_id, reference, ...listTerms(request)]), 'hex');
}

function listTerms({ kind, body }: ReservationRequest): unknown[] {
  if (kind === 'lease')
    // Leases of an older release have no share. Their hashes stay the same.
    return [
      writeUsd(body.amount_usd),
      body.ttl_seconds,
      ...(body.share_percent === undefined ? [] : [body.share_percent]),
    ];
  const { provider, route, requested_model, model, estimate } = body;
  return [provider, route, requested_model, model, estimate.prompt_tokens, estimate.max_output_tokens ?? null];
}
