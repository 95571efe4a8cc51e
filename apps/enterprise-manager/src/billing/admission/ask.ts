import { estimateOf } from '@gatehouse/money/estimate';
import { maxOutputTokens } from '@gatehouse/money/model-limits';
import { type Rates, isFree } from '@gatehouse/money/rates';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import { hash } from 'node:crypto';
import type { Candidate } from '../budgets/payer.ts';
import { getChargePeriod, getWindowAt } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import type { CatalogPrices } from '../pricing/price-lists.ts';
import type { AdmissionRequest, Denial } from './admission.dto.ts';
import type { Want } from './decide.ts';
import type { LeaseRequest } from './leases.dto.ts';
import type { GrantedReservation } from './reservation.ts';

/** Something that is to be reserved, under the id that its reservation gets. */
export type Ask =
  { kind: 'request'; id: string; request: AdmissionRequest } | { kind: 'lease'; id: string; request: LeaseRequest };

/** What can be said of an ask before anybody looks into cells. */
export type Judgement =
  | { denial: Denial }
  /**
   * No budget exists for whoever asks: it is had, and holds nothing; the amount is what it comes to
   * at most.
   */
  | { unlimited: Usd; principal: Principal }
  | { want: Want; principal: Principal };

/** What decides besides the cells. */
export interface Terms {
  catalog: CatalogPrices | undefined;
  requireBudget: boolean;
}

/** @param principal undefined for a key that does not exist */
export function judge(ask: Ask, principal: Principal | undefined, { catalog, requireBudget }: Terms): Judgement {
  if (principal === undefined) return { denial: 'key_inactive' };
  if (principal.state !== 'active') return { denial: principal.state };
  const price = ask.kind === 'lease' ? askedBy(ask.request, catalog) : estimated(ask.request, catalog);
  if (price === undefined) return { denial: 'unpriceable' };
  const { candidates } = principal;
  if (candidates.length > 0) return { want: { candidates, ...price }, principal };
  if (requireBudget) return { denial: 'no_budget' };
  return { unlimited: price.amount, principal };
}

type Price = Pick<Want, 'amount' | 'how'>;

const askedBy = ({ amount_usd }: LeaseRequest, catalog: CatalogPrices | undefined): Price | undefined =>
  catalog && { amount: amount_usd, how: 'some' };

function estimated({ provider, model, estimate }: AdmissionRequest, catalog?: CatalogPrices): Price | undefined {
  const rates = catalog?.prices.find(provider, model);
  if (rates === undefined) return undefined;
  if (isFree(rates)) return { amount: 0n, how: 'free' };
  return { amount: estimateOf(rates, sizeOf(rates, model, estimate)), how: 'all' };
}

/**
 * Limits of models are known by the vendor of their rates: a provider may be another name for it.
 */
const sizeOf = (rates: Rates, model: string, estimate: AdmissionRequest['estimate']) => ({
  promptTokens: BigInt(estimate.prompt_tokens),
  maxOutputTokens: BigInt(estimate.max_output_tokens ?? maxOutputTokens(rates.vendor, model)),
});

/** What somebody got. */
export interface Grant {
  payer: Candidate | undefined;
  amount: Usd;
  catalogId: string;
  at: Date;
  /** How long it holds. */
  seconds: number;
}

/** The reservation of what an ask got. */
export function reservationOf(ask: Ask, principal: Principal, grant: Grant): GrantedReservation {
  const { payer, amount, catalogId, at, seconds } = grant;
  const request = ask.kind === 'request' ? ask.request : undefined;
  return {
    id: ask.id,
    subject_id: principal.subject_id,
    kind: ask.kind,
    interaction_id: request?.interaction_id,
    attempt: request?.attempt,
    gateway_id: ask.request.gateway_id,
    issuer: principal.issuer,
    user_id: principal.user_id,
    virtual_key_id: principal.virtual_key_id,
    key_version: principal.key_version,
    content_sha256: contentHashOf(ask),
    provider: request?.provider,
    route: request?.route,
    requested_model: request?.requested_model,
    model: request?.model,
    payer: payer && { scope: payer.scope, subject_id: payer.subject_id },
    charge_period: getChargePeriod(payer?.limits.map(({ period }) => period) ?? []),
    amount,
    held: payer === undefined ? 0n : amount,
    pricing_catalog_id: catalogId,
    admitted_at: at,
    expires_at: new Date(Math.min(at.getTime() + seconds * 1_000, ask.kind === 'lease' ? endOf(payer, at) : Infinity)),
    released_at: undefined,
    returned_at: undefined,
  };
}

/**
 * When the first window ends in which a lease holds something. What is admitted from it later
 * counts in the next window, where nothing is reserved for it: it would come on top of that
 * window's limit. A request has one time, that of its admission.
 */
const endOf = (payer: Candidate | undefined, at: Date): number =>
  Math.min(...(payer?.limits ?? []).map(({ period }) => getWindowAt(period, at).end.getTime()));

/**
 * The SHA-256 of all that an ask says except its id. A repeat has the same one. A reservation keeps
 * it, so that an ask with other content is told apart.
 * @returns hexadecimal
 */
export function contentHashOf(ask: Ask): string {
  const { gateway_id, principal } = ask.request;
  const by = 'virtual_key_id' in principal ? [principal.virtual_key_id] : [principal.issuer, principal.subject];
  return hash('sha256', JSON.stringify([gateway_id, by, ...termsOf(ask)]), 'hex');
}

function termsOf(ask: Ask): unknown[] {
  if (ask.kind === 'lease') return [writeUsd(ask.request.amount_usd), ask.request.ttl_seconds];
  const { provider, route, requested_model, model, estimate } = ask.request;
  return [provider, route, requested_model, model, estimate.prompt_tokens, estimate.max_output_tokens ?? null];
}
