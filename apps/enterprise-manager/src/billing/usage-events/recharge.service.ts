import { inTransaction } from '@gatehouse/database/transaction';
import { UsageCountError } from '@gatehouse/money/counts';
import type { Rates } from '@gatehouse/money/rates';
import { writeUsd } from '@gatehouse/money/usd';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Actor, AuditService } from '../../audit/audit.service.ts';
import { lockBudgetsShared } from '../budgets/budgets-lock.ts';
import { type CatalogPrices, PriceLists } from '../pricing/price-lists.ts';
import { requireOrder } from '../spend/time-range.ts';
import { ChargeLedger } from './charge-ledger.ts';
import { type PricedUsage, priceUsage } from './pricing-of-usage.ts';
import type { LateCharge } from './usage-event.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';
import {
  type UnpricedFilter,
  type WaitingEvent,
  type WaitingModel,
  UnpricedEventsRepository,
} from './unpriced-events.repository.ts';
import type { RechargeRequest, RechargeResult } from './usage-events.dto.ts';

const RETRIES = 5;
/** Events that cannot be charged, of which one transaction takes no more to look for others. */
const MAX_LEFT = 1_000;

/** Charges events whose model had no price when they came. */
@Injectable()
export class RechargeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly prices: PriceLists,
    private readonly waiting: UnpricedEventsRepository,
    private readonly events: UsageEventsRepository,
    private readonly ledger: ChargeLedger,
    private readonly audit: AuditService,
  ) {}

  /**
   * Charges some events by the prices in effect now, the oldest first, in one short transaction: to
   * who had to pay when they came, in the windows of their own time. Two who do it at once share
   * the events between them.
   * @throws HttpError invalid when `from` is not before `to`
   */
  async recharge(actor: Actor, { limit, ...filter }: RechargeRequest): Promise<RechargeResult> {
    requireOrder(filter);
    const work = (manager: EntityManager) => this.chargeSome(manager, actor, filter, limit);
    return inTransaction(this.dataSource, work, { retries: RETRIES });
  }

  private async chargeSome(
    manager: EntityManager,
    actor: Actor,
    filter: UnpricedFilter,
    limit: number,
  ): Promise<RechargeResult> {
    // No alert begins or ends between the look at alerts and the commit of what they should have
    // seen.
    await lockBudgetsShared(manager);
    const now = this.clock.now();
    const catalog = await this.prices.inEffect(manager, now);
    const models = await this.waiting.models(manager, filter);
    const priceable = models.filter(({ provider, model }) => catalog?.prices.find(provider, model) !== undefined);
    const { charges, left } = await this.take(manager, filter, { catalog, priceable }, limit);
    await this.events.insertUnpriced(manager, left);
    await this.events.chargeWaiting(manager, charges, catalog?.id ?? '');
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
      priceable_count: count(priceable) - charges.length - left.length,
      unpriceable_count: count(models) - count(priceable) + left.length,
    };
  }

  /**
   * Takes events out until there are as many charges as are wanted. Those that cannot be charged
   * are left, and take nobody's place.
   */
  private async take(
    manager: EntityManager,
    filter: UnpricedFilter,
    { catalog, priceable }: { catalog: CatalogPrices | undefined; priceable: readonly WaitingModel[] },
    limit: number,
  ): Promise<{ charges: LateCharge[]; left: WaitingEvent[] }> {
    const charges: LateCharge[] = [];
    const left: WaitingEvent[] = [];
    let more = catalog !== undefined && priceable.length > 0;
    while (more && charges.length < limit && left.length < MAX_LEFT) {
      const wanted = limit - charges.length;
      const events = await this.waiting.take(manager, filter, priceable, wanted);
      for (const event of events) {
        const charge = chargeOf(event, catalog);
        if (charge === undefined) left.push(event);
        else charges.push(charge);
      }
      more = events.length === wanted;
    }
    return { charges, left };
  }
}

/**
 * @returns undefined where it comes to more than an amount can hold, by mistake of a price or a
 * count: it waits on, and holds up no other
 */
function chargeOf(event: WaitingEvent, catalog: CatalogPrices | undefined): LateCharge | undefined {
  const rates = catalog?.prices.find(event.provider, event.model);
  if (catalog === undefined || rates === undefined) throw new Error('an event without a price was taken');
  const priced = pricedOrTooMuch(event, rates);
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

function pricedOrTooMuch(event: WaitingEvent, rates: Rates): PricedUsage | undefined {
  try {
    return priceUsage(event, rates, event.reserved);
  } catch (error) {
    if (error instanceof UsageCountError) return undefined;
    throw error;
  }
}
