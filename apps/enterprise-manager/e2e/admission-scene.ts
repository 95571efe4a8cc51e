import { Clock } from '@gatehouse/service-kit/clock';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestManager } from './enterprise-manager.ts';

/** A clock that a test can advance by milliseconds. */
export class OffsetClock extends Clock {
  ahead = 0;
  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

/** Prices in USD for a million tokens, by model of the provider `openai`. */
const PRICES = {
  // A prompt token and an output token cost a millionth of a dollar each.
  plain: { inputUsdPerMillion: '1', outputUsdPerMillion: '1' },
  'dear/answer': { inputUsdPerMillion: '0', outputUsdPerMillion: '1000000' },
  free: { inputUsdPerMillion: '0', outputUsdPerMillion: '0' },
};

/** Puts prices into effect. @returns the id of their version */
export async function makePrices({ sql }: Pick<TestManager, 'sql'>): Promise<string> {
  const id = randomUUID();
  const entries = Object.entries(PRICES).map(([model, openai]) => ({ provider: 'openai', model, openai }));
  await sql(
    `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
     SELECT $1, greatest(now() - interval '1 hour', max(effective_from)), 'operator', '{"azure": "openai"}', $2, now()
     FROM pricing_catalogs WHERE effective_from <= now()`,
    [id, JSON.stringify({ entries })],
  );
  return id;
}

/**
 * Sets the budget of a subject and period under the exclusive lock of budgets, as the service does.
 * @param limit USD; undefined deletes the budget
 */
export async function setBudget(
  { sql }: Pick<TestManager, 'sql'>,
  scope: 'user' | 'group',
  subject: string,
  limit: string | undefined,
  period = 'month',
): Promise<void> {
  await sql(
    `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(7046040)),
       deleted AS (DELETE FROM budgets USING locked WHERE subject_id = $1 AND scope = $2 AND period = $3 AND $4::numeric IS NULL)
     INSERT INTO budgets (subject_id, scope, period, limit_usd) SELECT $1, $2, $3, $4 FROM locked WHERE $4::numeric IS NOT NULL
     ON CONFLICT (subject_id, scope, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd`,
    [subject, scope, period, limit ?? null],
  );
}

/** Adds active users to the directory. @returns their subjects */
export async function makeUsers({ sql, issuer }: TestManager, count: number): Promise<string[]> {
  const name = `user-${randomUUID()}`;
  const rows = await sql<{ subject: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, name, name, name, name, 'config', TRUE, name, now(), now()
     FROM (SELECT $2 || '-' || n AS name FROM generate_series(1, $3) AS n) AS names RETURNING subject`,
    [issuer.issuer, name, count],
  );
  return rows.map(({ subject }) => subject);
}

/** Adds a provisioned user without a sign-in and so without a subject. @returns the directory id */
export async function makeUnboundUser({ sql, issuer }: TestManager): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, NULL, name, name, name, 'scim', TRUE, name, now(), now()
     FROM (SELECT 'unbound-' || gen_random_uuid() AS name) AS names RETURNING id::text AS id`,
    [issuer.issuer],
  );
  if (row === undefined) throw new Error('no user was created');
  return row.id;
}

/** The principal of a request. */
export type PrincipalBody = { issuer: string; subject: string } | { virtual_key_id: string };

/** Creates a request with a maximum cost of 1 USD. Its prompt tokens are free. */
export const admission = (principal: PrincipalBody, overrides: Record<string, unknown> = {}) => ({
  interaction_id: randomUUID(),
  attempt: 1,
  gateway_id: 'local-ai',
  principal,
  provider: 'openai',
  requested_model: 'dear',
  model: 'dear/answer',
  route: '/v1/chat/completions',
  estimate: { prompt_tokens: 10, max_output_tokens: 1 },
  ...overrides,
});

/** Creates a request for a lease of 5 USD. */
export const lease = (principal: PrincipalBody, overrides: Record<string, unknown> = {}) => ({
  lease_id: uuidv7(),
  gateway_id: 'local-ai',
  principal,
  amount_usd: '5',
  ttl_seconds: 60,
  ...overrides,
});

/** The response of an admission. */
export interface AdmissionResponse {
  decision: 'admitted' | 'denied';
  reason?: string;
  message?: string;
  reservation_id: string;
  admitted_at: string;
  expires_at: string;
  payer?: { scope: string; subject_id: string };
  reserved_usd?: string;
  pricing_catalog_id: string;
}

/** The response of a lease. */
export interface LeaseResponse {
  lease_id: string;
  granted_usd: string;
  reason?: string;
  payer?: { scope: string; subject_id: string };
  expires_at: string;
  pricing_catalog_id: string;
  key_version: number;
}

/** Reads the cells of a payer as `used+reserved` by period. */
export async function readCells({ sql }: Pick<TestManager, 'sql'>, subject: string): Promise<Record<string, string>> {
  const rows = await sql<{ period: string; text: string }>(
    `SELECT period, trim_scale(used_usd) || '+' || trim_scale(reserved_usd) AS text FROM budget_cells WHERE subject_id = $1`,
    [subject],
  );
  return Object.fromEntries(rows.map(({ period, text }) => [period, text]));
}

/**
 * Checks an invariant of every commit: the reserved amount of a cell is the sum of its
 * reservations.
 * @returns the cells that violate it
 */
export const findWrongCells = ({ sql }: Pick<TestManager, 'sql'>): Promise<object[]> =>
  sql(`
    WITH held AS (
      SELECT payer_subject_id AS subject_id, payer_scope AS scope, period,
        (date_trunc(period, admitted_at AT TIME ZONE 'UTC'))::date AS period_start, sum(held_usd) AS held
      FROM reservations CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS p (period)
      WHERE payer_scope IS NOT NULL AND released_at IS NULL GROUP BY 1, 2, 3, 4)
    SELECT subject_id, scope, period, period_start, c.reserved_usd, h.held
    FROM budget_cells c FULL JOIN held h USING (subject_id, scope, period, period_start)
    WHERE coalesce(c.reserved_usd, 0) <> coalesce(h.held, 0)`);
