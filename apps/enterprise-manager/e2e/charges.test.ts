import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readAllCharges, parseLines, PAYING_GROUPS, type ShownCharge, createSpendScene } from './spend-scene.ts';

interface Page {
  charges?: ShownRow[];
  events?: ShownRow[];
  next_cursor?: string;
}
interface ShownRow extends ShownCharge {
  outcome: string;
  period_start: string;
  period_end: string;
}

const NDJSON = { accept: 'application/x-ndjson' };

describe('lists of charges and usage events', () => {
  let manager: TestManager;
  let charges: ShownRow[];
  let events: ShownRow[];
  beforeAll(async () => {
    manager = await startManager();
    await createSpendScene(manager);
    charges = (await readAllCharges(manager)) as ShownRow[];
    const { body } = await manager.client.call('GET /v1/budgets/events', {
      token: manager.tokens.admin,
      headers: NDJSON,
    });
    events = parseLines(body);
  }, 60_000);
  afterAll(() => manager.close());

  const readPage = async (
    list: string,
    query: Record<string, string | number | undefined>,
    token = manager.tokens.auditor,
  ) => {
    const { status, body } = await manager.client.call<Page>(`GET ${list}`, { token, query });
    return { status, rows: body.charges ?? body.events ?? [], next: body.next_cursor };
  };
  const readAll = async (list: string, query: Record<string, string | number>, token?: string) => {
    const rows: ShownRow[] = [];
    let cursor: string | undefined;
    do {
      const response = await readPage(list, { ...query, cursor }, token);
      rows.push(...response.rows);
      cursor = response.next;
    } while (cursor !== undefined);
    return rows;
  };
  const getMiddleTime = () => charges[Math.floor(charges.length / 2)]?.event_time ?? '';
  const sortNewestFirst = (rows: readonly ShownRow[]) =>
    rows.toSorted((a, b) =>
      a.event_time === b.event_time ? (a.id < b.id ? 1 : -1) : a.event_time < b.event_time ? 1 : -1,
    );

  it('contain every row once, newest first', () => {
    expect(charges).toHaveLength(2_500);
    expect(charges).toEqual(sortNewestFirst(charges));
    expect(new Set(charges.map(({ id }) => id)).size).toBe(2_500);
    expect(events.map(({ id }) => id)).toEqual(charges.map(({ id }) => id));
  });

  it('show a charge with its window and an event with its report', () => {
    expect(charges[0]).toEqual({
      id: expect.any(String),
      event_id: charges[0]?.id,
      interaction_id: `i-${charges[0]?.id}`,
      attempt: 1,
      event_time: expect.any(String),
      auth_subject: expect.any(String),
      provider: expect.any(String),
      model: expect.any(String),
      scope: expect.stringMatching(/^(user|group)$/),
      subject_id: expect.any(String),
      charged_usd: expect.stringMatching(/^\d+\.\d{9}$/),
      basis: 'reported',
      usage: { input: expect.any(Number), output: 20 },
      period_start: `${charges[0]?.event_time.slice(0, 7)}-01T00:00:00.000Z`,
      period_end: expect.stringMatching(/-01T00:00:00.000Z$/),
      pricing_catalog_id: expect.any(String),
    });
    expect(events[0]).toMatchObject({ raw_usage: { completion_tokens: 20 }, platform_groups: expect.any(Array) });
    expect(events[0]).not.toHaveProperty('virtual_key_id');
  });

  it.each([
    ['a model', { model: 'model-02' }, (row: ShownRow) => row.model === 'model-02'],
    ['people who pay', { scope: 'user' }, (row: ShownRow) => row.scope === 'user'],
    ['a payer', { subject_id: 'bob' }, (row: ShownRow) => row.subject_id === 'bob'],
    [
      'a group',
      { scope: 'group', subject_id: PAYING_GROUPS[0] ?? '' },
      (row: ShownRow) => row.subject_id === PAYING_GROUPS[0],
    ],
    ['an unknown group', { scope: 'group', subject_id: 'bob' }, () => false],
    [
      'a payer and a model',
      { subject_id: 'alice', model: 'model-00' },
      (row: ShownRow) => row.subject_id === 'alice' && row.model === 'model-00',
    ],
  ])('return for charges only the rows of %s, in pages and as a stream', async (_, filter, counts) => {
    const wanted = charges.filter(counts);
    expect(await readAll('/v1/budgets/charges', { ...filter, limit: 97 })).toEqual(wanted);
    expect(await readAllCharges(manager, filter)).toEqual(wanted);
  });

  it.each([
    ['a model', { model: 'model-02' }, (row: ShownRow) => row.model === 'model-02'],
    ['a person', { auth_subject: 'partners/carol' }, (row: ShownRow) => row.auth_subject === 'partners/carol'],
    ...['delivered', 'client_disconnect', 'upstream_error'].map(
      (outcome) => [outcome, { outcome }, (row: ShownRow) => row.outcome === outcome] as const,
    ),
    [
      'a person and an outcome',
      { auth_subject: 'alice', outcome: 'delivered' },
      (row: ShownRow) => row.auth_subject === 'alice' && row.outcome === 'delivered',
    ],
  ])('return for events only the rows of %s', async (_, filter, counts) => {
    const wanted = events.filter(counts);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await readAll('/v1/budgets/events', { ...filter, limit: 97 })).toEqual(wanted);
    const { body } = await manager.client.call('GET /v1/budgets/events', {
      token: manager.tokens.admin,
      query: filter,
      headers: NDJSON,
    });
    expect(parseLines(body)).toEqual(wanted);
  });

  it.each(['charges', 'events'])('include %s from `from` until before `to`, to the millisecond', async (name) => {
    const time = getMiddleTime();
    const all = name === 'charges' ? charges : events;
    const list = `/v1/budgets/${name}`;
    expect(await readAll(list, { from: time, limit: 500 })).toEqual(all.filter(({ event_time: at }) => at >= time));
    expect(await readAll(list, { to: time, limit: 500 })).toEqual(all.filter(({ event_time: at }) => at < time));
    const next = new Date(Date.parse(time) + 1).toISOString();
    expect((await readPage(list, { from: time, to: next })).rows.map(({ event_time: at }) => at)).toEqual([time]);
    expect((await readPage(list, { from: time.replace('Z', '+00:00'), to: next })).rows).toHaveLength(1);
  });

  it.each([
    ['/v1/budgets/charges', 10_000],
    ['/v1/budgets/events', 10_000],
    ['/v1/me/budgets/charges', 200],
    ['/v1/me/budgets/events', 200],
  ])('%s has 50 rows on a page and at most %i, and refuses unknown parameters', async (list, maximum) => {
    const token = list.includes('/me/') ? manager.tokens.alice : manager.tokens.admin;
    expect((await readPage(list, {}, token)).rows).toHaveLength(50);
    const own = list.includes('/me/') ? charges.filter(({ auth_subject }) => auth_subject === 'alice') : charges;
    expect((await readPage(list, { limit: 99_999 }, token)).rows).toHaveLength(Math.min(maximum, own.length));
    for (const query of [
      { limit: 0 },
      { limit: 'many' },
      { from: '2026-02-30' },
      { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { cursor: 'made-up' },
      { outcome: 'lost' },
      { before: 'x' },
    ])
      expect((await readPage(list, query as Record<string, string>, token)).status).toBe(400);
  });

  it('include all requests of the caller, with every payer, in the lists of the caller', async () => {
    const { alice, stranger } = manager.tokens;
    const filterOwn = (rows: ShownRow[]) => rows.filter(({ auth_subject }) => auth_subject === 'alice');
    expect(await readAll('/v1/me/budgets/charges', { limit: 200 }, alice)).toEqual(filterOwn(charges));
    expect(await readAll('/v1/me/budgets/events', { limit: 200 }, alice)).toEqual(filterOwn(events));
    expect((await readPage('/v1/me/budgets/charges', {}, stranger)).rows).toEqual([]);
    for (const [list, rows] of [
      ['charges', charges],
      ['events', events],
    ] as const) {
      const { body } = await manager.client.call(`GET /v1/me/budgets/${list}`, { token: alice, headers: NDJSON });
      expect(parseLines(body)).toEqual(filterOwn(rows));
    }
    expect((await readPage('/v1/me/budgets/charges', { subject_id: 'bob' }, alice)).status).toBe(400);
    expect((await readPage('/v1/me/budgets/events', { auth_subject: 'bob' }, alice)).status).toBe(400);
  });

  it('accept a cursor only with the same list, filters and caller, and refuse it in a stream', async () => {
    const { next } = await readPage('/v1/budgets/charges', { model: 'model-00', limit: 5 });
    expect((await readPage('/v1/budgets/charges', { model: 'model-00', cursor: next })).status).toBe(200);
    expect((await readPage('/v1/budgets/charges', { model: 'model-01', cursor: next })).status).toBe(400);
    expect((await readPage('/v1/budgets/events', { model: 'model-00', cursor: next })).status).toBe(400);
    expect(
      (await readPage('/v1/budgets/charges', { model: 'model-00', cursor: next }, manager.tokens.admin)).status,
    ).toBe(400);
    const stream = { token: manager.tokens.auditor, headers: NDJSON };
    const refused = await manager.client.call('GET /v1/budgets/charges', {
      ...stream,
      query: { model: 'model-00', cursor: next },
    });
    expect([refused.status, refused.body]).toEqual([400, { error: expect.stringContaining('cursor') }]);
    const backwards = await manager.client.call('GET /v1/budgets/events', {
      ...stream,
      query: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    });
    expect(backwards.status).toBe(400);
  });

  it('neither repeat nor skip rows during inserts', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let round = 0; round < 8; round += 1) {
      const response = await readPage('/v1/budgets/charges', { limit: 40, cursor });
      seen.push(...response.rows.map(({ id }) => id));
      cursor = response.next;
      await manager.sql(
        `INSERT INTO usage_events SELECT (jsonb_populate_record(e, jsonb_build_object('event_time', event_time + interval '1 ms' * $1, 'id', gen_random_uuid()))).*
         FROM usage_events e WHERE id = ANY ($2::uuid[])`,
        [round, seen.slice(-3)],
      );
    }
    const staying = new Set(charges.map(({ id }) => id));
    expect(seen.filter((id) => staying.has(id))).toEqual(
      charges.slice(0, seen.filter((id) => staying.has(id)).length).map(({ id }) => id),
    );
    expect(new Set(seen).size).toBe(seen.length);
    await manager.sql('DELETE FROM usage_events WHERE NOT id = ANY ($1::uuid[])', [[...staying]]);
  });
});
