import { randomUUID } from 'node:crypto';
import { makePrices } from './admission-scene.ts';
import { adminRequest, readFlags, type CrashOperation } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';
import { Gateway, price, PRICES, reserve } from './usage-scene.ts';

const DAY_MS = 86_400_000;
let days = 0;

/**
 * A day of its own for each write: two that stand still on one day would wait for each other in its
 * sums.
 */
const ownDay = (): string => new Date(Date.now() - (30 + (days += 1)) * DAY_MS).toISOString();

/** A report that costs 1 USD at the prices of the admission scene. */
const RECHARGED = { model: 'plain', raw_usage: { prompt_tokens: 1_000_000 } };

/** Publishes an old catalog version with a price for this model only. */
const oldPrices = (manager: TestManager, model: string): Promise<string> =>
  price(manager, [{ ...PRICES[0], model }], '2001-01-01T00:00:00Z');

/** An SQL condition: all three budget cells of the user have the amount used and none reserved. */
const USED = (amount: string) =>
  `(SELECT count(*) = 3 FROM budget_cells WHERE subject_id = $1 AND used_usd = ${amount} AND reserved_usd = 0)`;
const SUMMED = (amount: string) =>
  `EXISTS (SELECT FROM spend_daily WHERE auth_subject = $1 AND charged_usd = ${amount}) AS summed,
   EXISTS (SELECT FROM spend_totals WHERE day = $2::date AND charged_usd = ${amount}) AS totalled`;

/** The operations that report usage and recharge it. */
export const usageOperations: CrashOperation[] = [
  {
    name: 'report usage',
    shares: ['budgets'],
    unaudited: true,
    prepare: async (manager) => {
      const [subject, event_time] = [`crash-${randomUUID()}`, ownDay()];
      const gateway = new Gateway(() => manager);
      const catalog = await oldPrices(manager, 'm');
      const events = [1, 2].map(() => gateway.report({ event_time, principal: gateway.person(subject) }));
      for (const { interaction_id } of events)
        await reserve(manager, { interaction_id, subject, catalog, admitted_at: event_time });
      const lease = await reserve(manager, { kind: 'lease', subject, catalog, usd: '0.0035', admitted_at: event_time });
      events.push(gateway.report({ event_time, principal: gateway.person(subject), reservation_id: lease }));
      events.push(gateway.report({ event_time, principal: gateway.person(subject), model: `no-${randomUUID()}` }));
      return {
        request: {
          ...{ method: 'POST', path: '/webhooks/budgets/usage', body: { events } },
          token: manager.tokens.gateway,
        },
        effects: () =>
          readFlags(
            manager,
            `(SELECT count(*) = 4 FROM usage_claims WHERE interaction_id = ANY ($3)) AS claimed,
             (SELECT count(*) = 4 FROM usage_events WHERE auth_subject = $1) AS stored,
             (SELECT count(*) = 3 FROM charges WHERE auth_subject = $1) AS charged,
             EXISTS (SELECT FROM unpriced_events JOIN usage_events ON id = event_id WHERE payer_subject_id = $1) AS waiting,
             (SELECT count(*) = 1 FROM reservations WHERE subject_id = $1) AS settled,
             EXISTS (SELECT FROM reservations WHERE id = $4 AND held_usd = 0) AS drawn,
             ${USED('0.0105')} AS used, ${SUMMED('0.0105')}`,
            [subject, event_time, events.map(({ interaction_id }) => interaction_id), lease],
          ),
      };
    },
  },
  {
    name: 'recharge usage events',
    shares: ['pricing catalog', 'budgets'],
    prepare: async (manager) => {
      await makePrices(manager);
      const [subject, event_time, interaction_id] = [`crash-${randomUUID()}`, ownDay(), randomUUID()];
      const gateway = new Gateway(() => manager);
      // When it came its model had no price: none in the version of its admission.
      const catalog = await oldPrices(manager, 'another');
      await reserve(manager, { interaction_id, subject, catalog, admitted_at: event_time });
      await gateway.results(
        gateway.report({ ...RECHARGED, interaction_id, event_time, principal: gateway.person(subject) }),
      );
      const to = new Date(Date.parse(event_time) + 1).toISOString();
      return {
        request: adminRequest(manager, 'POST', '/v1/budgets/events/recharge', { from: event_time, to }),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM charges WHERE auth_subject = $1) AS charged,
             NOT EXISTS (SELECT FROM unpriced_events JOIN usage_events ON id = event_id WHERE payer_subject_id = $1) AS ended,
             ${USED('1')} AS used, ${SUMMED('1')}`,
            [subject, event_time],
          ),
      };
    },
  },
];
