import { statement } from '@gatehouse/database/statement';
import { readUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BudgetScope, Payer } from '../budgets/cell.ts';
import type { UsageFacts } from './usage-pricing.ts';
import type { UnpricedEvent } from './usage-event.ts';

/** Selects unpriced events. `from` is inclusive, `to` exclusive. */
export interface UnpricedFilter {
  from?: string | undefined;
  to?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
}

/** A model without a price, and the number of its unpriced events. */
export interface UnpricedModel {
  provider: string;
  model: string;
  count: number;
}

/** An unpriced event with its payer and its usage. */
export interface UnpricedEventDetails extends UnpricedEvent, UsageFacts {
  auth_subject: string;
  payer: Payer;
}

interface UnpricedRow extends Omit<UnpricedEventDetails, 'payer' | 'reserved'> {
  payer_scope: BudgetScope;
  payer_subject_id: string;
  reserved_usd: string | null;
}

const MATCHES_FILTER = `($1::timestamptz IS NULL OR u.event_time >= $1) AND ($2::timestamptz IS NULL OR u.event_time < $2)
  AND ($3::text IS NULL OR u.provider = $3) AND ($4::text IS NULL OR u.model = $4)`;

const LIST_MODELS = statement<UnpricedModel>(
  `SELECT u.provider, u.model, count(*) AS count FROM unpriced_events u WHERE ${MATCHES_FILTER} GROUP BY u.provider, u.model`,
);
const DELETE_OLDEST = statement<UnpricedRow>(`
  WITH taken AS (
    SELECT u.event_time, u.event_id, u.interaction_id FROM unpriced_events u
    WHERE ${MATCHES_FILTER} AND (u.provider, u.model) IN (SELECT * FROM unnest($5::text[], $6::text[]))
    ORDER BY u.event_time, u.event_id LIMIT $7 FOR UPDATE SKIP LOCKED
  ), ended AS (
    DELETE FROM unpriced_events u USING taken t
    WHERE u.event_time = t.event_time AND u.event_id = t.event_id AND u.interaction_id = t.interaction_id RETURNING u.*
  )
  SELECT u.event_time, u.event_id, u.interaction_id, u.provider, u.model, u.reserved_usd, e.payer_scope, e.payer_subject_id, e.auth_subject, e.outcome,
    e.raw_usage, e.estimated_usage
  FROM ended u JOIN usage_events e ON e.event_time = u.event_time AND e.id = u.event_id AND e.interaction_id = u.interaction_id`);

/** The unpriced events in the database. */
@Injectable()
export class UnpricedEventsRepository {
  /** Lists the models of unpriced events. */
  listModels(manager: EntityManager, filter: UnpricedFilter): Promise<UnpricedModel[]> {
    return LIST_MODELS.rows(manager, toParams(filter));
  }

  /**
   * Deletes unpriced events of the given models, the oldest first, so that this transaction can
   * charge them. It skips events that another transaction has locked.
   */
  async deleteOldest(
    manager: EntityManager,
    filter: UnpricedFilter,
    models: readonly Pick<UnpricedModel, 'provider' | 'model'>[],
    limit: number,
  ): Promise<UnpricedEventDetails[]> {
    const names = [models.map(({ provider }) => provider), models.map(({ model }) => model)];
    const rows = await DELETE_OLDEST.rows(manager, [...toParams(filter), ...names, limit]);
    return rows.map(({ payer_scope, payer_subject_id, reserved_usd, ...row }) => ({
      ...row,
      payer: { scope: payer_scope, subject_id: payer_subject_id },
      reserved: reserved_usd === null ? undefined : readUsd(reserved_usd),
    }));
  }
}

const toParams = ({ from, to, provider, model }: UnpricedFilter) => [
  from ?? null,
  to ?? null,
  provider ?? null,
  model ?? null,
];
