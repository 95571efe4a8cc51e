import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import { draft, grant, makeConnector, makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createConnectorId, fillToolCalls, createUserId } from './metering-fill.ts';
import { recordStatements } from './spend-plans.ts';

/**
 * Number of records: 100,000, and 300,000 at a high effort. The plans of the reads are the same at
 * both sizes.
 */
const RECORDS = Math.min(300_000, 100_000 * effort);
const DAYS = 390;
const DAY_MS = 86_400_000;
const CONNECTORS = 30;

/** Raw rows that a page of 50 may touch: one more, of each of 14 months. */
const PAGE_ROWS = 800;

/** Records that a page of an export with a filter looks at. */
const EXPORT_ROWS = 10_000;

/** Maximum of raw rows at the two edges of a range: those of two hours or days, and some more. */
const EDGE_ROWS = { hours: (RECORDS / DAYS / 24) * 3.1, days: (RECORDS / DAYS) * 2.2 };

describe('reads of many records of tool calls', () => {
  let manager: TestManager;
  const now = new Date();
  beforeAll(async () => {
    manager = await startManager();
    await fillToolCalls(manager.database.adminUrl, {
      gateway_id: 'local',
      last: RECORDS,
      users: 500,
      connectors: CONNECTORS,
      tools: 20,
      groups: 50,
      from: new Date(now.getTime() - DAYS * DAY_MS),
      to: now,
    });
    await makeConnector(manager, draft());
    await manager.sql(
      `INSERT INTO connectors SELECT (jsonb_populate_record(k, jsonb_build_object('id', given, 'name', given, 'name_key', given, 'slug', right(given, 12)))).*
       FROM connectors k, unnest($1::text[]) AS given`,
      [Array.from({ length: CONNECTORS }, (_, at) => createConnectorId(at))],
    );
    await manager.sql(`UPDATE users SET id = $1 WHERE user_name = 'alice'`, [createUserId(0)]);
    await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [createConnectorId(0)]);
    await manager.sql(
      `INSERT INTO connector_policies (connector_id, mode, version, updated_at) VALUES ($1, 'structured', 1, now())`,
      [createConnectorId(0)],
    );
    await grant(manager, createConnectorId(0), await makeGroup(manager, 'alice'));
  }, 300_000);
  afterAll(() => manager.close());

  const ask = async (path: string, query: Record<string, string>, token = manager.tokens.admin) => {
    const params = new URLSearchParams({ gateway_id: 'local', ...query });
    const response = await fetch(`${manager.baseUrl}/v1/metering/${path}?${params.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  /** The statements of a request that read records. None may read a whole month. */
  const readStatements = async (path: string, query: Record<string, string> = {}, token?: string) => {
    const statements = await recordStatements(manager.database.adminUrl, () => ask(path, query, token));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.flatMap(({ scanned }) => scanned).filter((table) => table.startsWith('tool_calls'))).toEqual([]);
    return statements.filter(({ rawRows }) => rawRows > 0);
  };
  const sumRows = (plans: Awaited<ReturnType<typeof readStatements>>) =>
    plans.reduce((sum, { rawRows }) => sum + rawRows, 0);
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();

  it.each<[string, Record<string, string>]>([
    ['everything', {}],
    ['one decision', { decision: 'allowed' }],
    ['a person', { user_id: createUserId(0) }],
    ['a person who called nothing', { user_id: createUserId(1_000_000) }],
    ['a time', { start: daysAgo(200), end: daysAgo(190) }],
    ['a time when nothing was called', { start: daysAgo(2_000), end: daysAgo(1_900) }],
  ])('lists a page of %s with few records read', async (_, query) => {
    const plans = await readStatements(`usage/connectors/${createConnectorId(0)}/calls`, query);
    expect(sumRows(plans)).toBeLessThan(PAGE_ROWS);
  });

  it('continues from a cursor with few records read, in both directions', async () => {
    const path = `usage/connectors/${createConnectorId(0)}/calls`;
    let page = JSON.parse(await ask(path, { limit: '500' })) as { next_cursor: string; prev_cursor: string };
    for (let at = 0; at < 5; at += 1)
      page = JSON.parse(await ask(path, { limit: '500', cursor: page.next_cursor })) as typeof page;
    expect(sumRows(await readStatements(path, { cursor: page.next_cursor }))).toBeLessThan(PAGE_ROWS);
    expect(sumRows(await readStatements(path, { before: page.prev_cursor }))).toBeLessThan(PAGE_ROWS);
  });

  const ranges: [string, Record<string, string>][] = [
    ['all time', {}],
    ['whole months', { start: '2026-02-01T00:00:00Z', end: '2026-05-01T00:00:00Z' }],
    [
      'a range with edges',
      { start: daysAgo(123).replace(/T.*/, 'T00:00:00.001Z'), end: daysAgo(32).replace(/T.*/, 'T23:59:59.999Z') },
    ],
  ];
  const getEdgeRows = (path: string) => {
    // People are told apart by day, calls and groups by hour.
    return path === 'usage/summary' ? EDGE_ROWS.days : EDGE_ROWS.hours;
  };
  it.each(
    [
      'usage/summary',
      'usage/top-connectors',
      'usage/top-tools',
      'usage/timeseries',
      `usage/connectors/${createConnectorId(0)}`,
    ].flatMap((path) => ranges.map(([name, query]) => [path, name, query] as const)),
  )('reads %s of %s from sums, and from records only at the edges', async (path, name, query) => {
    const dimension = path === 'usage/timeseries' ? { dimension: 'tool' } : {};
    const plans = await readStatements(path, { ...query, ...dimension });
    if (name === 'a range with edges') expect(sumRows(plans)).toBeLessThan(getEdgeRows(path));
    else expect(plans).toEqual([]);
  });

  it('reads the usage of a user from sums, and from the user’s records at the edges', async () => {
    const id = createUserId(0);
    const whole = { start: daysAgo(300).replace(/T.*/, 'T00:00:00Z'), end: daysAgo(10).replace(/T.*/, 'T00:00:00Z') };
    expect(await readStatements(`usage/users/${id}`, whole)).toEqual([]);
    const edges = await readStatements(`usage/users/${id}`, { start: daysAgo(300.5), end: daysAgo(10.25) });
    expect(sumRows(edges)).toBeLessThan(PAGE_ROWS);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['usage/summary', 'all time', {}, 0],
    ['usage/top-tools', 'all time', {}, 0],
    ['usage/timeseries', 'all time', { dimension: 'tool' }, 0],
    ['usage/top-tools', 'a range with edges', { start: daysAgo(300.5), end: daysAgo(10.25) }, PAGE_ROWS],
    [`usage/connectors/${createConnectorId(0)}/calls`, 'the newest page', {}, PAGE_ROWS],
    ['../me/metering/usage/calls', 'the newest page', { connector_id: createConnectorId(0) }, PAGE_ROWS],
    ['usage/export', 'the first page', { limit: '50' }, 2 * EXPORT_ROWS + 1_000],
  ])('reads few records for %s of %s of a user that may see one connector', async (path, _, query, most) => {
    const rows = sumRows(await readStatements(path, query, manager.tokens.alice));
    expect(rows).toBeLessThanOrEqual(most);
    if (most > 0) expect(rows).toBeGreaterThan(0);
  });

  it('exports from a cursor without reading earlier months', async () => {
    interface Page {
      records: { usage: { occurred_at: string } }[];
      next_cursor?: string;
    }
    let page = JSON.parse(await ask('usage/export', { limit: '500' })) as Page;
    // The pages of 40 days, so that the first month is behind.
    for (let at = 0; at < (RECORDS / DAYS / 500) * 40; at += 1)
      page = JSON.parse(await ask('usage/export', { limit: '500', cursor: page.next_cursor ?? '' })) as Page;
    const plans = await readStatements('usage/export', { limit: '500', cursor: page.next_cursor ?? '' });
    const reached = page.records.at(-1)?.usage.occurred_at ?? '';
    expect(reached > daysAgo(358)).toBe(true);
    const current = `tool_calls_${reached.slice(0, 7).replace('-', '_')}`;
    const months = plans.flatMap((plan) => plan.months);
    expect(months).toContain(current);
    expect(months.filter((month) => month < current)).toEqual([]);
    expect(sumRows(plans)).toBeLessThan(1_100);
    const filtered = { limit: '50', end: daysAgo(1_000) };
    // A page with a filter looks at its records twice.
    expect(sumRows(await readStatements('usage/export', filtered))).toBeLessThan(2 * EXPORT_ROWS + 1_000);
  });
});
