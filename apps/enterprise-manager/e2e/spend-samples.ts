import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';
import { buildSumStatements } from './spend-sums.ts';

/** Creates a user with a charge at the current time. */
async function createSpender(manager: TestManager): Promise<string> {
  const subject = `spender-${randomUUID()}`;
  await createCharge(manager, 'user', subject);
  return subject;
}

/** Creates a charge that a group without a directory entry paid at the current time. */
async function createPayingGroup(manager: TestManager): Promise<string> {
  const id = randomUUID();
  await createCharge(manager, 'group', id);
  return id;
}

async function createCharge(manager: TestManager, scope: string, subject: string): Promise<void> {
  const id = randomUUID();
  await manager.sql(
    `INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_groups, provider, route,
       requested_model, model, outcome, upstream_status, duration_ms, payer_scope, payer_subject_id, charge_period, charged_usd, basis, usage, pricing_catalog_id)
     VALUES (now(), $1::uuid, $1::uuid::text, 1, now(), 'gateway', 'https://issuer.example.com', $2::text, '{}', 'openai', 'chat', 'gpt-5', 'gpt-5', 'delivered',
       200, 1, $3, $2::text, 'month', 0.1, 'reported', '{"input": 1}', $1::uuid)`,
    [id, subject, scope],
  );
  for (const statement of buildSumStatements(`(SELECT * FROM charges WHERE id = '${id}')`))
    await manager.sql(statement);
}

/** A valid call of every operation on spend. */
export function createSpendSamples(running: () => TestManager): Record<string, Sample> {
  const list = { from: '2026-01-01T00:00:00Z', model: 'gpt-5', limit: 10 };
  const days = { granularity: 'day', from: '2026-01-01', to: '2026-02-01', model: 'gpt-5' };
  const payer = { scope: 'user', subject_id: 'alice' };
  return {
    'GET /v1/budgets/breakdown': async () => ({
      query: { scope: 'user', subject_id: await createSpender(running()), period: 'month' },
    }),
    'GET /v1/budgets/groups/{id}': async () => ({
      path: { id: await createPayingGroup(running()) },
      query: { dimension: 'user', period: 'year' },
    }),
    'GET /v1/budgets/users/{id}': async () => ({
      path: { id: await createSpender(running()) },
      query: { dimension: 'model', period: 'day' },
    }),
    'GET /v1/budgets/charges': () => ({ query: { ...list, ...payer } }),
    'GET /v1/budgets/events': () => ({ query: { ...list, auth_subject: 'alice', outcome: 'delivered' } }),
    'GET /v1/me/budgets/charges': () => ({ query: list }),
    'GET /v1/me/budgets/events': () => ({ query: { ...list, outcome: 'upstream_error' } }),
    'GET /v1/budgets/spend': () => ({ query: { ...days, ...payer } }),
    'GET /v1/me/budgets/spend': () => ({ query: days }),
    'GET /v1/budgets/spend/export': () => ({
      query: {
        group_by: 'user,model',
        granularity: 'week',
        from: '2026-01-01',
        to: '2026-02-01T00:00:00Z',
        model: 'gpt-5',
        ...payer,
      },
    }),
  };
}
