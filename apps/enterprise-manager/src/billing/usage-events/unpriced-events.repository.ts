import { statement } from '@gatehouse/database/statement';
import { readUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BudgetScope, Payer } from '../budgets/cell.ts';
import type { UsageFacts } from './pricing-of-usage.ts';
import type { UnpricedEvent } from './usage-event.ts';

/** Which events that wait for a price are meant. */
export interface UnpricedFilter {
  from?: string | undefined;
  to?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
}

/** A model that events wait for, and how many. */
export interface WaitingModel {
  provider: string;
  model: string;
  count: number;
}

/** An event that waits for a price, with who will pay and what it used. */
export interface WaitingEvent extends UnpricedEvent, UsageFacts {
  auth_subject: string;
  payer: Payer;
}

interface WaitingRow extends Omit<WaitingEvent, 'payer' | 'reserved'> {
  payer_scope: BudgetScope;
  payer_subject_id: string;
  reserved_usd: string | null;
}

const CHOSEN = `($1::timestamptz IS NULL OR u.event_time >= $1) AND ($2::timestamptz IS NULL OR u.event_time < $2)
  AND ($3::text IS NULL OR u.provider = $3) AND ($4::text IS NULL OR u.model = $4)`;

const MODELS = statement<WaitingModel>(
  `SELECT u.provider, u.model, count(*) AS count FROM unpriced_events u WHERE ${CHOSEN} GROUP BY u.provider, u.model`,
);
const TAKE = statement<WaitingRow>(`
  WITH taken AS (
    SELECT u.event_time, u.event_id, u.interaction_id FROM unpriced_events u
    WHERE ${CHOSEN} AND (u.provider, u.model) IN (SELECT * FROM unnest($5::text[], $6::text[]))
    ORDER BY u.event_time, u.event_id LIMIT $7 FOR UPDATE SKIP LOCKED
  ), ended AS (
    DELETE FROM unpriced_events u USING taken t
    WHERE u.event_time = t.event_time AND u.event_id = t.event_id AND u.interaction_id = t.interaction_id RETURNING u.*
  )
  SELECT u.event_time, u.event_id, u.interaction_id, u.provider, u.model, u.reserved_usd, e.payer_scope, e.payer_subject_id, e.auth_subject, e.outcome,
    e.raw_usage, e.estimated_usage
  FROM ended u JOIN usage_events e ON e.event_time = u.event_time AND e.id = u.event_id AND e.interaction_id = u.interaction_id`);

/** Events that wait for a price, in the database. */
@Injectable()
export class UnpricedEventsRepository {
  /** Which models they wait for. */
  models(manager: EntityManager, filter: UnpricedFilter): Promise<WaitingModel[]> {
    return MODELS.rows(manager, chosen(filter));
  }

  /**
   * Takes some of these models out, the oldest first, for whoever charges them in this transaction.
   * Those that somebody else is taking are left to them.
   */
  async take(
    manager: EntityManager,
    filter: UnpricedFilter,
    models: readonly Pick<WaitingModel, 'provider' | 'model'>[],
    limit: number,
  ): Promise<WaitingEvent[]> {
    const names = [models.map(({ provider }) => provider), models.map(({ model }) => model)];
    const rows = await TAKE.rows(manager, [...chosen(filter), ...names, limit]);
    return rows.map(({ payer_scope, payer_subject_id, reserved_usd, ...row }) => ({
      ...row,
      payer: { scope: payer_scope, subject_id: payer_subject_id },
      reserved: reserved_usd === null ? undefined : readUsd(reserved_usd),
    }));
  }
}

const chosen = ({ from, to, provider, model }: UnpricedFilter) => [
  from ?? null,
  to ?? null,
  provider ?? null,
  model ?? null,
];
