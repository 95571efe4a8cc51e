import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { fillSpend, modelName, deriveUuid } from './spend-fill.ts';
import { type SentStatement, recordStatements } from './spend-plans.ts';

/**
 * Number of charges: 200,000, and a million at a high effort. The plans of the reads are the same
 * at both sizes.
 */
const CHARGES = Math.min(1_000_000, 200_000 * effort);
const PEOPLE = Array.from({ length: 1_000 }, (_, at) => (at === 0 ? 'alice' : `person-${at}`));
const GROUPS = Array.from({ length: 200 }, (_, at) => deriveUuid(`group ${at}`));
const [LARGE = '', SMALL = ''] = GROUPS;
const MODELS = 20;
const DAY_MS = 86_400_000;
const RARE_MODEL = modelName(MODELS - 1);

/**
 * The maximum of raw rows that a page of 50 may read: 51 rows from each of 15 months and three
 * partitions, and the rows that a second filter removes, which grow with the charges.
 */
const PAGE_ROWS = 1_000 + CHARGES / 250;

describe('reads of many charges', () => {
  let manager: TestManager;
  const now = new Date();
  beforeAll(async () => {
    manager = await startManager();
    await fillSpend(manager.database.adminUrl, {
      last: CHARGES,
      people: PEOPLE,
      groups: GROUPS,
      models: MODELS,
      from: new Date(now.getTime() - 390 * DAY_MS),
      to: now,
    });
  }, 400_000);
  afterAll(() => manager.close());

  const ask = async (path: string, query: Record<string, string> = {}, token = manager.tokens.admin) => {
    const response = await fetch(`${manager.baseUrl}${path}?${new URLSearchParams(query).toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  /**
   * Returns the statements of a request that read raw rows. Fails if a statement reads a whole
   * table of raw rows.
   */
  const readStatements = async (
    path: string,
    query: Record<string, string> = {},
    token?: string,
  ): Promise<SentStatement[]> => {
    const statements = await recordStatements(manager.database.adminUrl, () => ask(path, query, token));
    expect(statements.length).toBeGreaterThan(0);
    expect(
      statements
        .flatMap(({ scanned }) => scanned)
        .filter((table) => /^(?:usage_events|charges|spend_daily)/.test(table)),
    ).toEqual([]);
    return statements.filter(({ rawRows }) => rawRows > 0);
  };

  it('have sums that agree with the charges', async () => {
    const [row] = await manager.sql<Record<'charges' | 'days' | 'models' | 'totals' | 'groups' | 'people', number>>(`
      SELECT (SELECT count(*) FROM charges)::int AS charges, (SELECT sum(charge_count) FROM spend_daily)::int AS days,
        (SELECT sum(charge_count) FROM spend_by_model)::int AS models, (SELECT sum(charge_count) FROM spend_totals)::int AS totals,
        (SELECT count(*) FROM charges WHERE scope = 'group')::int AS groups,
        (SELECT sum(charge_count) FROM group_spend_by_person WHERE period = 'year')::int AS people`);
    const whole = { charges: CHARGES, days: CHARGES, models: CHARGES, totals: CHARGES };
    expect(row).toMatchObject({ ...whole, people: row?.groups });
    const breakdown = JSON.parse(
      await ask('/v1/budgets/breakdown', { scope: 'group', subject_id: LARGE, period: 'year' }),
    ) as {
      total_used_usd: string;
    };
    const [sum] = await manager.sql<{ usd: string }>(
      `SELECT sum(charged_usd)::text AS usd FROM charges WHERE subject_id = $1 AND event_time >= date_trunc('year', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
      [LARGE],
    );
    expect(breakdown.total_used_usd).toBe(sum?.usd);
  });

  const month = {
    from: new Date(now.getTime() - 40 * DAY_MS).toISOString(),
    to: new Date(now.getTime() - 35 * DAY_MS).toISOString(),
  };
  const filters: [string, string, Record<string, string>][] = [
    ...(
      [
        ['everything', {}],
        ['a model', { model: modelName(3) }],
        ['a rare model', { model: RARE_MODEL }],
        ['an unused model', { model: 'none' }],
      ] as const
    ).flatMap(([name, query]) =>
      ['/v1/budgets/charges', '/v1/budgets/events'].map((path): [string, string, Record<string, string>] => [
        name,
        path,
        query,
      ]),
    ),
    ...(
      [
        ['users that pay', { scope: 'user' }],
        ['groups that pay', { scope: 'group' }],
        ['a payer', { subject_id: 'person-10' }],
        ['a small group', { scope: 'group', subject_id: SMALL }],
        ['a large group', { scope: 'group', subject_id: LARGE }],
        ['a large group and a rare model', { scope: 'group', subject_id: LARGE, model: RARE_MODEL }],
        ['an unknown payer', { subject_id: 'unknown' }],
        ['users that pay and a rare model', { scope: 'user', model: RARE_MODEL }],
      ] as const
    ).map(([name, query]): [string, string, Record<string, string>] => [name, '/v1/budgets/charges', query]),
    ...(
      [
        ['a user', { auth_subject: 'person-10' }],
        ['delivered events', { outcome: 'delivered' }],
        ['a rare outcome', { outcome: 'blocked_downstream' }],
        ['a rare outcome of a model', { outcome: 'blocked_downstream', model: modelName(2) }],
        ['an outcome of a user', { auth_subject: 'person-10', outcome: 'upstream_error' }],
      ] as const
    ).map(([name, query]): [string, string, Record<string, string>] => [name, '/v1/budgets/events', query]),
  ];

  it.each(filters)('use an index for %s on %s', async (_, path, query) => {
    for (const { rawRows } of await readStatements(path, query)) expect(rawRows).toBeLessThan(PAGE_ROWS);
  });

  it.each(filters)('read only the months of the requested range for %s on %s', async (_, path, query) => {
    for (const { months, rawRows } of await readStatements(path, { ...query, ...month })) {
      expect(new Set(months).size).toBeLessThanOrEqual(2);
      expect(rawRows).toBeLessThan(PAGE_ROWS);
    }
  });

  it('continue a list at a cursor without reading the rows before it', async () => {
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const query: Record<string, string> = { limit: '10000', ...(cursor !== undefined && { cursor }) };
      cursor = (JSON.parse(await ask('/v1/budgets/charges', query)) as { next_cursor?: string }).next_cursor;
    }
    const raw = await readStatements('/v1/budgets/charges', { limit: '50', cursor: cursor ?? '' });
    for (const { rawRows } of raw) expect(rawRows).toBeLessThan(PAGE_ROWS);
  });

  it.each(['/v1/me/budgets/charges', '/v1/me/budgets/events'])(
    'use an index for the own rows of the caller on %s',
    async (path) => {
      for (const { rawRows } of await readStatements(path, {}, manager.tokens.alice))
        expect(rawRows).toBeLessThan(PAGE_ROWS);
    },
  );

  it.each([
    ['/v1/budgets/breakdown', { scope: 'user', subject_id: 'alice' }],
    ['/v1/budgets/breakdown', { scope: 'user', subject_id: 'alice', period: 'year' }],
    ['/v1/budgets/breakdown', { scope: 'group', subject_id: LARGE }],
    ['/v1/budgets/breakdown', { scope: 'group', subject_id: LARGE, period: 'day' }],
    [`/v1/budgets/groups/${LARGE}`, { dimension: 'user' }],
    ['/v1/budgets/users/alice', { dimension: 'model' }],
    ['/v1/budgets/users/alice', { dimension: 'group' }],
    ['/v1/budgets/spend', {}],
    ['/v1/budgets/spend', { model: modelName(1), scope: 'user' }],
    ['/v1/budgets/spend', { subject_id: 'alice' }],
    ['/v1/budgets/spend', { scope: 'group', subject_id: LARGE }],
    ['/v1/me/budgets/spend', {}],
    ['/v1/budgets/spend/export', {}],
    ['/v1/budgets/spend/export', { group_by: 'user,model', scope: 'group', subject_id: SMALL }],
    ['/v1/budgets/spend/export', { group_by: 'model', granularity: 'month', from: '2020-01-01' }],
  ])('read no raw rows for %s %j', async (path, query: Record<string, string>) => {
    const token = path.includes('/me/') ? manager.tokens.alice : undefined;
    expect(await readStatements(path, query, token)).toEqual([]);
  });
});
