import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestManager } from './enterprise-manager.ts';

/** Prices in USD for a million tokens, by model of the provider `openai`; `tools` besides. */
const PRICES = {
  // A token of the prompt or of the answer is a millionth of a dollar.
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
 * Puts a budget in place of the one of that subject and period, as the service does: while nobody
 * decides.
 * @param limit USD; undefined takes it away
 */
export async function setBudget(
  { sql }: Pick<TestManager, 'sql'>,
  scope: 'user' | 'group',
  subject: string,
  limit: string | undefined,
  period = 'month',
): Promise<void> {
  await sql(
    `WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(7046040)),
       gone AS (DELETE FROM budgets USING alone WHERE subject_id = $1 AND scope = $2 AND period = $3 AND $4::numeric IS NULL)
     INSERT INTO budgets (subject_id, scope, period, limit_usd) SELECT $1, $2, $3, $4 FROM alone WHERE $4::numeric IS NOT NULL
     ON CONFLICT (subject_id, scope, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd`,
    [subject, scope, period, limit ?? null],
  );
}

/** Adds people to the directory who can be charged. @returns their subjects */
export async function makePeople({ sql, issuer }: TestManager, count: number): Promise<string[]> {
  const name = `person-${randomUUID()}`;
  const rows = await sql<{ subject: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, name, name, name, name, 'config', TRUE, name, now(), now()
     FROM (SELECT $2 || '-' || n AS name FROM generate_series(1, $3) AS n) AS names RETURNING subject`,
    [issuer.issuer, name, count],
  );
  return rows.map(({ subject }) => subject);
}

/**
 * Adds a provisioned user who has never signed in: the entry has no subject.
 * @returns the directory id
 */
export async function makeUnboundUser({ sql, issuer }: TestManager): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     SELECT gen_random_uuid(), $1, NULL, name, name, name, 'scim', TRUE, name, now(), now()
     FROM (SELECT 'unbound-' || gen_random_uuid() AS name) AS names RETURNING id::text AS id`,
    [issuer.issuer],
  );
  if (row === undefined) throw new Error('no user was made');
  return row.id;
}

/** Whom a request is for. */
export type PrincipalBody = { issuer: string; subject: string } | { virtual_key_id: string };

/**
 * A request that can cost 1 USD at most: ten tokens of a prompt that cost next to nothing beside
 * the answer.
 */
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

/** A request for a lease of 5 USD. */
export const lease = (principal: PrincipalBody, overrides: Record<string, unknown> = {}) => ({
  lease_id: uuidv7(),
  gateway_id: 'local-ai',
  principal,
  amount_usd: '5',
  ttl_seconds: 60,
  ...overrides,
});

/** An answer to an admission. */
export interface Admitted {
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

/** An answer to a request for a lease. */
export interface Leased {
  lease_id: string;
  granted_usd: string;
  reason?: string;
  payer?: { scope: string; subject_id: string };
  expires_at: string;
  pricing_catalog_id: string;
  key_version: number;
}

/** What a payer's cells of the present windows hold, as `used+reserved` by period. */
export async function cellsOf({ sql }: Pick<TestManager, 'sql'>, subject: string): Promise<Record<string, string>> {
  const rows = await sql<{ period: string; text: string }>(
    `SELECT period, trim_scale(used_usd) || '+' || trim_scale(reserved_usd) AS text FROM budget_cells WHERE subject_id = $1`,
    [subject],
  );
  return Object.fromEntries(rows.map(({ period, text }) => [period, text]));
}

/**
 * What must be true of all cells at every commit: what they have reserved is what their
 * reservations hold.
 * @returns cells for which it is not
 */
export const wrongCells = ({ sql }: Pick<TestManager, 'sql'>): Promise<object[]> =>
  sql(`
    WITH held AS (
      SELECT payer_subject_id AS subject_id, payer_scope AS scope, period,
        (date_trunc(period, admitted_at AT TIME ZONE 'UTC'))::date AS period_start, sum(held_usd) AS held
      FROM reservations CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS p (period)
      WHERE payer_scope IS NOT NULL AND released_at IS NULL GROUP BY 1, 2, 3, 4)
    SELECT subject_id, scope, period, period_start, c.reserved_usd, h.held
    FROM budget_cells c FULL JOIN held h USING (subject_id, scope, period, period_start)
    WHERE coalesce(c.reserved_usd, 0) <> coalesce(h.held, 0)`);
