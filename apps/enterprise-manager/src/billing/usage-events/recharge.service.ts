import { inTransaction } from '@gatehouse/database/transaction';
import { UsageCountError } from '@gatehouse/money/counts';
import type { Rates } from '@gatehouse/money/rates';
import { writeUsd } from '@gatehouse/money/usd';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Actor, AuditService } from '@gatehouse/audit/audit.service';
import { lockBudgetsShared } from '../budgets/budgets-lock.ts';
import { type CatalogPrices, PriceLists } from '../pricing/price-lists.ts';
import { requireOrder } from '../spend/time-range.ts';
import { ChargeLedger } from './charge-ledger.ts';
import { type PricedUsage, priceUsage } from './usage-pricing.ts';
import type { RechargedEvent } from './usage-event.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';
import {
  type UnpricedFilter,
  type UnpricedEventDetails,
  type UnpricedModel,
  UnpricedEventsRepository,
} from './unpriced-events.repository.ts';
import type { RechargeRequest, RechargeResult } from './usage-events.dto.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
/** Maximum number of events without a valid charge that one transaction skips. */
const MAX_SKIPPED = 1_000;

/** Charges events whose model had no price when they were reported. */
@Injectable()
export class RechargeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly prices: PriceLists,
    private readonly unpriced: UnpricedEventsRepository,
    private readonly events: UsageEventsRepository,
    private readonly ledger: ChargeLedger,
    private readonly audit: AuditService,
  ) {}

  /**
   * Charges unpriced events by the prices in effect now, the oldest first, in one short
   * transaction. Each charge goes to the payer that was fixed at the report, in the budget windows
   * of the event's time. Concurrent calls charge different events.
   * @throws HttpError invalid if `from` is not before `to`
   */
  async recharge(actor: Actor, { limit, ...filter }: RechargeRequest): Promise<RechargeResult> {
    requireOrder(filter);
    const runRecharge = (manager: EntityManager) => this.chargeOldest(manager, actor, filter, limit);
    return inTransaction(this.dataSource, runRecharge, { retries: MAX_RETRIES });
  }

  private async chargeOldest(
    manager: EntityManager,
    actor: Actor,
    filter: UnpricedFilter,
    limit: number,
  ): Promise<RechargeResult> {
    // The lock keeps alerts unchanged from their lookup to the commit.
    await lockBudgetsShared(manager);
    const now = this.clock.now();
    const catalog = await this.prices.findInEffect(manager, now);
    const models = await this.unpriced.listModels(manager, filter);
    const priceable = models.filter(({ provider, model }) => catalog?.prices.find(provider, model) !== undefined);
    const { charges, skipped } = await this.collectCharges(manager, filter, { catalog, priceable }, limit);
    await this.events.insertUnpriced(manager, skipped);
    await this.events.chargeUnpriced(manager, charges, catalog?.id ?? '');
    await this.ledger.post(manager, charges, [], now);
    await this.audit.record(manager, actor, {
      operation: 'Recharge usage events',
      object_kind: 'usage-events',
      object_id: filter.model ?? '*',
      changed_fields: charges.length === 0 ? [] : ['charges'],
    });
    const count = (among: readonly { count: number }[]) => among.reduce((sum, model) => sum + model.count, 0);
    return {
      charged_count: charges.length,
      charged_usd: writeUsd(charges.reduce((sum, { charged }) => sum + charged, 0n)),
      ...(catalog !== undefined && { pricing_catalog_id: catalog.id }),
      priceable_count: count(priceable) - charges.length - skipped.length,
      unpriceable_count: count(models) - count(priceable) + skipped.length,
    };
  }

  /**
   * Deletes unpriced events until it has `limit` charges. Events without a valid charge are skipped
   * and do not count.
   */
  private async collectCharges(
    manager: EntityManager,
    filter: UnpricedFilter,
    { catalog, priceable }: { catalog: CatalogPrices | undefined; priceable: readonly UnpricedModel[] },
    limit: number,
  ): Promise<{ charges: RechargedEvent[]; skipped: UnpricedEventDetails[] }> {
    const charges: RechargedEvent[] = [];
    const skipped: UnpricedEventDetails[] = [];
    let hasMore = catalog !== undefined && priceable.length > 0;
    while (hasMore && charges.length < limit && skipped.length < MAX_SKIPPED) {
      const wanted = limit - charges.length;
      const events = await this.unpriced.deleteOldest(manager, filter, priceable, wanted);
      for (const event of events) {
        const charge = toRechargedEvent(event, catalog);
        if (charge === undefined) skipped.push(event);
        else charges.push(charge);
      }
      hasMore = events.length === wanted;
    }
    return { charges, skipped };
  }
}

/**
 * Prices an unpriced event.
 * @returns undefined if the charge exceeds the maximum amount, because of a wrong price or count;
 * the event stays unpriced
 */
function toRechargedEvent(event: UnpricedEventDetails, catalog: CatalogPrices | undefined): RechargedEvent | undefined {
  const rates = catalog?.prices.find(event.provider, event.model);
  if (catalog === undefined || rates === undefined) throw new Error('an event whose model has no price was deleted');
  const priced = tryPrice(event, rates);
  return (
    priced && {
      ...priced,
      event_id: event.event_id,
      event_time: event.event_time,
      interaction_id: event.interaction_id,
      auth_subject: event.auth_subject,
      provider: event.provider,
      model: event.model,
      payer: event.payer,
    }
  );
}

function tryPrice(event: UnpricedEventDetails, rates: Rates): PricedUsage | undefined {
  try {
    return priceUsage(event, rates, event.reserved);
  } catch (error) {
    if (error instanceof UsageCountError) return undefined;
    throw error;
  }
}
