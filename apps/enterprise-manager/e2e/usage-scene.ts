import { randomUUID } from 'node:crypto';
import { deriveReservationId } from '../src/billing/admission/reservation.ts';
import type { TestManager } from './enterprise-manager.ts';

/** The result of a report. */
export interface Receipt {
  status: 'charged' | 'duplicate' | 'conflict' | 'unpriceable' | 'rejected';
  event_id?: string;
  charged_usd?: string;
  basis?: 'reported' | 'estimated' | 'none';
  error?: string;
}

export const USAGE = 'POST /webhooks/budgets/usage';
const RECHARGE = 'POST /v1/budgets/events/recharge';

/** 2.50 and 10 USD for a million tokens: 1,000 input and 100 output tokens cost 0.0035 USD. */
export const PRICES = [
  { provider: 'openai', model: 'm', openai: { inputUsdPerMillion: '2.5', outputUsdPerMillion: '10' } },
];

/** Stores a catalog version of an operator, in effect from a time on. @returns its id */
export async function price(
  { sql }: TestManager,
  entries: readonly object[] = PRICES,
  effectiveFrom = '2020-01-01T00:00:00Z',
  tools?: object,
): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at) VALUES ($1, $2, 'operator', '{"azure":"openai"}', $3, now())`,
    [id, effectiveFrom, JSON.stringify({ entries, tools })],
  );
  return id;
}

/** Sets the budget of a user or a group. */
export async function limit(
  { sql }: TestManager,
  scope: 'user' | 'group',
  subjectId: string,
  usd: string,
  period = 'month',
): Promise<void> {
  await sql(
    `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, $2, $3, $4)
     ON CONFLICT (subject_id, scope, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd`,
    [subjectId, scope, period, usd],
  );
}

/** The fields of a reservation that differ from the default. */
interface ReservationOptions {
  interaction_id?: string;
  attempt?: number;
  kind?: 'request' | 'lease';
  subject?: string;
  payer?: { scope: 'user' | 'group'; subject_id: string } | undefined;
  usd?: string;
  catalog: string;
  admitted_at?: string;
  /** Whether it has expired and its amount is released. */
  released?: boolean;
}

/**
 * Stores a reservation as an admission or a lease does, with its amount in the cells of its payer.
 * It does not expire during a test.
 * @returns its id
 */
export async function reserve({ sql, issuer }: TestManager, held: ReservationOptions): Promise<string> {
  const { kind = 'request', subject = 'alice', usd = '1', attempt = 1, released = false } = held;
  const payer = 'payer' in held ? held.payer : { scope: 'user' as const, subject_id: subject };
  const at = held.admitted_at ?? new Date().toISOString();
  const id = kind === 'lease' ? randomUUID() : deriveReservationId(held.interaction_id ?? '', attempt);
  await sql(
    `WITH made AS (
       INSERT INTO reservations (id, subject_id, kind, interaction_id, attempt, gateway_id, issuer, payer_scope, payer_subject_id, charge_period, amount_usd,
         held_usd, pricing_catalog_id, admitted_at, expires_at, released_at)
       VALUES ($1, $2, $3, $4, $5, 'local-ai', $6, $7, $8, 'month', $9, CASE WHEN $10 OR $7::text IS NULL THEN 0 ELSE $9::numeric END, $11, $12,
         CASE WHEN $10 THEN now() ELSE timestamptz '2100-01-01Z' END, CASE WHEN $10 THEN now() END) RETURNING *)
     INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, reserved_usd)
     SELECT payer_subject_id, payer_scope, period, date_trunc(period, admitted_at AT TIME ZONE 'UTC')::date, held_usd
     FROM made, (VALUES ('day'), ('month'), ('year')) AS p (period) WHERE payer_scope IS NOT NULL
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET reserved_usd = c.reserved_usd + EXCLUDED.reserved_usd`,
    [
      id,
      subject,
      kind,
      kind === 'lease' ? null : held.interaction_id,
      kind === 'lease' ? null : attempt,
      issuer.issuer,
      payer?.scope ?? null,
      payer?.subject_id ?? null,
      usd,
      released,
      held.catalog,
      at,
    ],
  );
  return id;
}

/** A gateway that reports usage. */
export class Gateway {
  constructor(private readonly running: () => TestManager) {}

  /** Creates a report that costs 0.0035 USD by `PRICES`. */
  report(overrides: Record<string, unknown> = {}): Record<string, unknown> & { interaction_id: string } {
    return {
      interaction_id: randomUUID(),
      attempt: 1,
      event_time: new Date().toISOString(),
      gateway_id: 'local-ai',
      principal: this.person('alice'),
      provider: 'openai',
      route: '/v1/chat/completions',
      requested_model: 'm',
      model: 'm',
      outcome: 'delivered',
      upstream_status: 200,
      duration_ms: 12,
      raw_usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      ...overrides,
    };
  }

  person(subject: string) {
    return { issuer: this.running().issuer.issuer, subject };
  }

  send(events: unknown) {
    const { client, tokens } = this.running();
    return client.call<{ results: Receipt[]; error: string }>(USAGE, { token: tokens.gateway, body: { events } });
  }

  /** Reports a batch and requires that it is accepted. */
  async results(...events: unknown[]): Promise<Receipt[]> {
    const { status, body } = await this.send(events);
    if (status !== 200) throw new Error(`usage was answered with ${status}: ${JSON.stringify(body)}`);
    return body.results;
  }

  /** Reports one attempt. */
  async result(overrides: Record<string, unknown> = {}): Promise<Receipt> {
    const [receipt] = await this.results(this.report(overrides));
    if (receipt === undefined) throw new Error('there is no receipt');
    return receipt;
  }

  recharge(body: object = {}, token = this.running().tokens.admin) {
    return this.running().client.call<{
      charged_count: number;
      charged_usd: string;
      priceable_count: number;
      unpriceable_count: number;
      pricing_catalog_id: string;
      error: string;
    }>(RECHARGE, { token, body });
  }
}

/** Reads the amounts of a cell; zeros for a missing cell. */
export async function cell(
  { sql }: TestManager,
  subjectId: string,
  period: 'day' | 'month' | 'year',
  start: string,
  scope = 'user',
): Promise<{ used: string; reserved: string }> {
  const [row] = await sql<{ used: string; reserved: string }>(
    `SELECT used_usd::text AS used, reserved_usd::text AS reserved FROM budget_cells WHERE subject_id = $1 AND period = $2 AND period_start = $3 AND scope = $4`,
    [subjectId, period, start, scope],
  );
  return row ?? { used: '0.000000000', reserved: '0.000000000' };
}
