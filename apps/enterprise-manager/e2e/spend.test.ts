import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { makeGroup } from './connector-scene.ts';
import {
  readAllCharges,
  PAYING_GROUPS,
  type ShownCharge,
  createSpendScene,
  SPENDERS,
  sumAmounts,
} from './spend-scene.ts';

interface Entry {
  value: string;
  used_usd: string;
}
interface Breakdown extends Record<'by_model' | 'by_provider' | 'by_user', Entry[]> {
  total_used_usd: string;
  period: string;
  period_start: string;
  period_end: string;
}
interface Slice {
  dimension: string;
  entries: (Entry & { period?: string })[];
  total_used_usd: string;
  period?: string;
}
interface Series {
  granularity: string;
  from: string;
  to: string;
  time_zone: string;
  buckets: { date: string; usd: string }[];
}

const PERIODS = ['day', 'month', 'year'] as const;
const PAYERS = [
  ...SPENDERS.map((subject_id) => ({ scope: 'user', subject_id })),
  ...PAYING_GROUPS.map((subject_id) => ({ scope: 'group', subject_id })),
];

describe('spend', () => {
  let manager: TestManager;
  let charges: ShownCharge[];
  beforeAll(async () => {
    manager = await startManager();
    await createSpendScene(manager);
    charges = await readAllCharges(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const get = async <Body>(operation: string, call: object, token = manager.tokens.auditor): Promise<Body> => {
    const { status, body } = await manager.client.call<Body>(operation, { token, ...call });
    if (status !== 200) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const groupCharges = (rows: readonly ShownCharge[], getKey: (row: ShownCharge) => string): Entry[] => {
    const groups = Map.groupBy(rows, getKey);
    return [...groups]
      .map(([value, own]) => ({ value, used_usd: sumAmounts(own.map(({ charged_usd }) => charged_usd)) }))
      .sort(
        (a, b) =>
          Number(b.used_usd.replace('.', '')) - Number(a.used_usd.replace('.', '')) || (a.value < b.value ? -1 : 1),
      );
  };
  const filterRange = (from: string, to: string) => charges.filter(({ event_time: at }) => at >= from && at < to);

  it('has consistent budget cells, sums and charges', async () => {
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    expect(charges).toHaveLength(2_500);
  });

  describe.each(PERIODS)('spend in the current %s', (period) => {
    it.each(PAYERS)(
      'is for $scope $subject_id the sum of charges by model, provider and user, and equals the budget cell',
      async (payer) => {
        const { period_start, period_end, total_used_usd, by_model, by_provider, by_user } = await get<Breakdown>(
          'GET /v1/budgets/breakdown',
          { query: { ...payer, period } },
        );
        const own = filterRange(period_start, period_end).filter(
          ({ scope, subject_id }) => scope === payer.scope && subject_id === payer.subject_id,
        );
        expect(by_model).toEqual(groupCharges(own, ({ model }) => model));
        expect(by_provider).toEqual(groupCharges(own, ({ provider }) => provider));
        expect(by_user).toEqual(groupCharges(own, ({ auth_subject }) => auth_subject));
        expect(total_used_usd).toBe(sumAmounts(own.map(({ charged_usd }) => charged_usd)));
        const [cell] = await manager.sql<{ used: string }>(
          `SELECT used_usd::text AS used FROM budget_cells WHERE scope = $1 AND subject_id = $2 AND period = $3 AND period_start = $4`,
          [payer.scope, payer.subject_id, period, period_start.slice(0, 10)],
        );
        expect(total_used_usd).toBe(cell?.used ?? '0.000000000');

        const [slice, list] =
          payer.scope === 'user'
            ? [
                get<Slice>('GET /v1/budgets/users/{id}', {
                  path: { id: payer.subject_id },
                  query: { dimension: 'model', period },
                }),
                by_model,
              ]
            : [
                get<Slice>('GET /v1/budgets/groups/{id}', {
                  path: { id: payer.subject_id },
                  query: { dimension: 'user', period },
                }),
                by_user,
              ];
        expect(await slice).toMatchObject({ ...payer, period, entries: list, total_used_usd });
      },
    );
  });

  it('is for a user by group the share of the user in each group, and the sum of all shares in total', async () => {
    for (const id of SPENDERS) {
      const slice = await get<Slice>('GET /v1/budgets/users/{id}', { path: { id }, query: { dimension: 'group' } });
      const own = charges.filter(({ scope, auth_subject }) => scope === 'group' && auth_subject === id);
      const month = `${new Date().toISOString().slice(0, 7)}-01`;
      expect(slice.period).toBeUndefined();
      expect(slice.entries.map(({ value }) => value).sort()).toEqual(
        [...new Set(own.map(({ subject_id }) => subject_id))].sort(),
      );
      for (const { value, used_usd } of slice.entries)
        expect([value, used_usd]).toEqual([
          value,
          sumAmounts(
            own
              .filter((row) => row.subject_id === value && row.event_time >= month)
              .map(({ charged_usd }) => charged_usd),
          ),
        ]);
      expect(slice.total_used_usd).toBe(sumAmounts(slice.entries.map(({ used_usd }) => used_usd)));
    }
  });

  it('includes for a user by group every group of the user with a budget, in the period of that budget', async () => {
    const [daily, monthly, without] = [
      await makeGroup(manager, 'bob'),
      await makeGroup(manager, 'bob'),
      await makeGroup(manager, 'bob'),
    ];
    await manager.sql(
      `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, 'group', 'day', 1), ($2, 'group', 'month', 1), ($2, 'group', 'day', 1)`,
      [daily, monthly],
    );
    const { entries } = await get<Slice>('GET /v1/budgets/users/{id}', {
      path: { id: 'bob' },
      query: { dimension: 'group' },
    });
    const findPeriod = (id: string) => entries.find(({ value }) => value === id)?.period;
    expect([findPeriod(daily), findPeriod(monthly), findPeriod(without)]).toEqual(['day', 'month', undefined]);
    const chosen = await get<Slice>('GET /v1/budgets/users/{id}', {
      path: { id: 'bob' },
      query: { dimension: 'group', period: 'year' },
    });
    expect(chosen.period).toBe('year');
    expect(new Set(chosen.entries.map(({ period }) => period))).toEqual(new Set(['year']));
    await manager.sql(`DELETE FROM budgets WHERE scope = 'group'`);
  });

  it('covers the month, or the period of the only budget including the default budget', async () => {
    const readPeriod = async (subject_id: string) =>
      (await get<Breakdown>('GET /v1/budgets/breakdown', { query: { scope: 'user', subject_id } })).period;
    expect(await readPeriod('alice')).toBe('month');
    await manager.sql(`INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('alice', 'user', 'year', 1)`);
    expect(await readPeriod('alice')).toBe('year');
    await manager.sql(`INSERT INTO default_user_budget (period, limit_usd) VALUES ('day', 1)`);
    expect([await readPeriod('alice'), await readPeriod('bob'), await readPeriod('gone')]).toEqual([
      'month',
      'day',
      'day',
    ]);
    await manager.sql(`DELETE FROM budgets; `);
    await manager.sql(`DELETE FROM default_user_budget`);
  });

  it('returns 404 for a subject without charges and budget, and zero for a subject with only a budget', async () => {
    const callForStatus = async (operation: string, call: object) =>
      (await manager.client.call(operation, { token: manager.tokens.admin, ...call })).status;
    const unknownGroup = '00000000-0000-4000-8000-00000000abcd';
    expect(await callForStatus('GET /v1/budgets/breakdown', { query: { scope: 'user', subject_id: 'unknown' } })).toBe(
      404,
    );
    expect(await callForStatus('GET /v1/budgets/breakdown', { query: { scope: 'group', subject_id: 'alice' } })).toBe(
      404,
    );
    expect(
      await callForStatus('GET /v1/budgets/users/{id}', { path: { id: 'unknown' }, query: { dimension: 'model' } }),
    ).toBe(404);
    expect(
      await callForStatus('GET /v1/budgets/users/{id}', { path: { id: 'unknown' }, query: { dimension: 'group' } }),
    ).toBe(404);
    expect(
      await callForStatus('GET /v1/budgets/groups/{id}', { path: { id: unknownGroup }, query: { dimension: 'user' } }),
    ).toBe(404);
    await manager.sql(
      `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('unknown', 'user', 'month', 1)`,
    );
    const empty = await get<Breakdown>('GET /v1/budgets/breakdown', {
      query: { scope: 'user', subject_id: 'unknown' },
    });
    expect(empty).toMatchObject({ total_used_usd: '0.000000000', by_model: [], by_provider: [], by_user: [] });
    await manager.sql(`DELETE FROM budgets`);
  });

  it('accepts a user of the first issuer with the issuer as a prefix', async () => {
    const [long, short] = await Promise.all(
      ['local/alice', 'alice'].map((subject_id) =>
        get<Breakdown>('GET /v1/budgets/breakdown', { query: { scope: 'user', subject_id } }),
      ),
    );
    expect(long).toEqual(short);
  });

  it('refuses unknown and invalid parameters', async () => {
    const callForStatus = async (operation: string, call: object) =>
      (await manager.client.call(operation, { token: manager.tokens.admin, ...call })).status;
    for (const query of [
      {},
      { scope: 'user' },
      { scope: 'team', subject_id: 'a' },
      { scope: 'user', subject_id: 'alice', period: 'week' },
    ])
      expect(await callForStatus('GET /v1/budgets/breakdown', { query })).toBe(400);
    expect(
      await callForStatus('GET /v1/budgets/users/{id}', { path: { id: 'alice' }, query: { dimension: 'user' } }),
    ).toBe(400);
    expect(
      await callForStatus('GET /v1/budgets/groups/{id}', { path: { id: 'no uuid' }, query: { dimension: 'user' } }),
    ).toBe(400);
    expect(
      await callForStatus('GET /v1/budgets/groups/{id}', {
        path: { id: PAYING_GROUPS[0] },
        query: { dimension: 'group' },
      }),
    ).toBe(400);
    for (const query of [
      { granularity: 'hour' },
      { from: '2026-02-30' },
      { from: '2026-01-01T00:00:00' },
      { time_zone: 'Mars/Olympus' },
      { from: '2026-02-01', to: '2026-02-01' },
      { from: '2026-02-02', to: '2026-02-01' },
    ]) {
      expect(await callForStatus('GET /v1/budgets/spend', { query })).toBe(400);
      expect(await callForStatus('GET /v1/me/budgets/spend', { query })).toBe(400);
    }
  });

  describe('spend by day', () => {
    const getToday = () => new Date().toISOString().slice(0, 10);
    const computeDays = (rows: readonly ShownCharge[], { from, to }: Series) => {
      const buckets = [];
      for (let day = Date.parse(from); day < Date.parse(to); day += 86_400_000) {
        const date = new Date(day).toISOString().slice(0, 10);
        const own = rows.filter(({ event_time: at }) => at.startsWith(date));
        buckets.push({ date, usd: sumAmounts(own.map(({ charged_usd }) => charged_usd)) });
      }
      return buckets;
    };

    it('covers the last 30 days including today and days without spend', async () => {
      const series = await get<Series>('GET /v1/budgets/spend', {});
      expect(series.buckets).toHaveLength(30);
      expect(series.buckets.at(-1)?.date).toBe(getToday());
      expect(series.buckets).toEqual(computeDays(charges, series));
    });

    it.each([
      ['everything', {}, () => true],
      ['a model', { model: 'model-01' }, (row: ShownCharge) => row.model === 'model-01'],
      ['a kind of payer', { scope: 'group' }, (row: ShownCharge) => row.scope === 'group'],
      [
        'a kind of payer and a model',
        { scope: 'user', model: 'model-00' },
        (row: ShownCharge) => row.scope === 'user' && row.model === 'model-00',
      ],
      ['a payer of any kind', { subject_id: 'bob' }, (row: ShownCharge) => row.subject_id === 'bob'],
      [
        'a group of any kind',
        { subject_id: PAYING_GROUPS[0] ?? '', model: 'model-02' },
        (row: ShownCharge) => row.subject_id === PAYING_GROUPS[0] && row.model === 'model-02',
      ],
      [
        'a user',
        { scope: 'user', subject_id: 'alice' },
        (row: ShownCharge) => row.scope === 'user' && row.subject_id === 'alice',
      ],
      [
        'a group',
        { scope: 'group', subject_id: PAYING_GROUPS[1] ?? '' },
        (row: ShownCharge) => row.subject_id === PAYING_GROUPS[1],
      ],
      ['an unknown group', { scope: 'group', subject_id: 'alice' }, () => false],
    ])('is the sum of the charges of %s', async (_, filter, counts) => {
      const series = await get<Series>('GET /v1/budgets/spend', { query: { ...filter, from: '2020-01-01' } });
      expect(series.buckets).toEqual(computeDays(charges.filter(counts), series));
    });

    it('is limited to the retention and the end of today, and returns the applied range', async () => {
      const wide = await get<Series>('GET /v1/budgets/spend', { query: { from: '1999-01-01', to: '2999-01-01' } });
      const getDate = (days: number) => new Date(Date.parse(getToday()) + days * 86_400_000).toISOString().slice(0, 10);
      expect([wide.from, wide.to, wide.buckets.length]).toEqual([getDate(-400), getDate(1), 401]);
      const ahead = await get<Series>('GET /v1/budgets/spend', { query: { from: '2990-01-01', to: '2999-01-01' } });
      expect(ahead).toMatchObject({ from: getDate(1), to: getDate(1), buckets: [] });
      const one = await get<Series>('GET /v1/budgets/spend', { query: { from: getDate(-1), to: getDate(0) } });
      expect(one.buckets.map(({ date }) => date)).toEqual([getDate(-1)]);
    });

    it.each(['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata'])(
      'has the days of the time zone %s',
      async (time_zone) => {
        const dates = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
        const check = (series: Series, rows: readonly ShownCharge[]) => {
          const own = Map.groupBy(rows, ({ event_time: at }) => dates.format(new Date(at)));
          expect(series.buckets.at(-1)?.date).toBe(dates.format(new Date()));
          for (const { date, usd } of series.buckets)
            expect([date, usd]).toEqual([
              date,
              sumAmounts((own.get(date) ?? []).map(({ charged_usd }) => charged_usd)),
            ]);
        };
        const query = { from: '2020-01-01', time_zone };
        check(await get<Series>('GET /v1/budgets/spend', { query }), charges);
        check(
          await get<Series>('GET /v1/me/budgets/spend', { query }, manager.tokens.alice),
          charges.filter(({ auth_subject }) => auth_subject === 'alice'),
        );
        const month = await get<Series>('GET /v1/budgets/spend', { query: { time_zone } });
        expect([month.buckets.length, month.time_zone]).toEqual([30, time_zone]);
        expect([month.from, month.to]).toEqual([month.buckets[0]?.date, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
      },
    );

    it('accepts times and dates, and counts no charge outside the range', async () => {
      const [from, to] = ['05:30:00.000Z', '04:15:00.000Z'].map((time, at) => {
        const date = new Date(Date.now() - (9 - at * 3) * 86_400_000).toISOString().slice(0, 10);
        return `${date}T${time}`;
      }) as [string, string];
      const series = await get<Series>('GET /v1/budgets/spend', { query: { from, to } });
      expect([series.from, series.to, series.buckets.length]).toEqual([from, to, 4]);
      const own = charges.filter(({ event_time: at }) => at >= from && at < to);
      expect(series.buckets).toEqual(computeDays(own, { ...series, from: from.slice(0, 10), to }));
    });

    it('includes for the caller all own requests, with every payer', async () => {
      const series = await get<Series>(
        'GET /v1/me/budgets/spend',
        { query: { from: '2020-01-01' } },
        manager.tokens.alice,
      );
      const own = charges.filter(({ auth_subject }) => auth_subject === 'alice');
      expect(own.some(({ scope }) => scope === 'group')).toBe(true);
      expect(series.buckets).toEqual(computeDays(own, series));
      const one = await get<Series>('GET /v1/me/budgets/spend', { query: { model: 'model-00' } }, manager.tokens.alice);
      expect(one.buckets).toEqual(
        computeDays(
          own.filter(({ model }) => model === 'model-00'),
          one,
        ),
      );
      const none = await get<Series>('GET /v1/me/budgets/spend', {}, manager.tokens.stranger);
      expect(new Set(none.buckets.map(({ usd }) => usd))).toEqual(new Set(['0.000000000']));
    });
  });
});
