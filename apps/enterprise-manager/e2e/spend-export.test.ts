import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readAllCharges, PAYING_GROUPS, type ShownCharge, createSpendScene, sumAmounts } from './spend-scene.ts';

const DAY_MS = 86_400_000;

/** Parses CSV with CR LF line ends (RFC 4180). */
function parseTable(text: string): string[][] {
  if (!text.endsWith('\r\n')) throw new Error(`the last line is incomplete: ${JSON.stringify(text.slice(-40))}`);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('GET /v1/budgets/spend/export', () => {
  let manager: TestManager;
  let charges: ShownCharge[];
  beforeAll(async () => {
    manager = await startManager();
    await createSpendScene(manager);
    charges = await readAllCharges(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const requestExport = (query: Record<string, string> = {}) =>
    manager.client.call<string>('GET /v1/budgets/spend/export', { token: manager.tokens.auditor, query });
  const readExport = async (query: Record<string, string> = {}) => {
    const { status, headers, body } = await requestExport(query);
    if (status !== 200) throw new Error(`no export: ${status} ${JSON.stringify(body)}`);
    const [head = [], ...rows] = parseTable(body);
    return { head, rows, headers };
  };
  const getToday = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const getDay = (time: string) => new Date(Math.floor(Date.parse(time) / DAY_MS) * DAY_MS);
  const bucketStartBy = {
    day: (at: Date) => at,
    week: (at: Date) => new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS),
    month: (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
  };
  /** Computes the expected rows of an export from the charges. */
  const computeExpected = (
    rows: readonly ShownCharge[],
    granularity: keyof typeof bucketStartBy,
    getKeys: (row: ShownCharge) => string[],
  ): string[][] => {
    const groups = Map.groupBy(rows, (row) =>
      JSON.stringify([bucketStartBy[granularity](getDay(row.event_time)).toISOString().slice(0, 10), ...getKeys(row)]),
    );
    const getAmount = (row: string[]) => BigInt(row.at(-1)?.replace('.', '') ?? 0);
    return [...groups]
      .map(([key, own]): string[] => [
        ...(JSON.parse(key) as string[]),
        String(own.length),
        sumAmounts(own.map(({ charged_usd }) => charged_usd)),
      ])
      .sort((a, b) => {
        const [[x = ''], [y = '']] = [a, b];
        if (x !== y) return x < y ? -1 : 1;
        if (getAmount(a) !== getAmount(b)) return getAmount(a) > getAmount(b) ? -1 : 1;
        return JSON.stringify(a.slice(1, -2)) < JSON.stringify(b.slice(1, -2)) ? -1 : 1;
      });
  };
  const filterSince = (time: number) => charges.filter(({ event_time: at }) => Date.parse(at) >= time);
  /** Adds an apostrophe to a name that a spreadsheet would evaluate as a formula. */
  const addGuard = (name: string) => name.replace(/^=/, "'=");

  it('returns the users of the last 30 days including today by day', async () => {
    const { head, rows, headers } = await readExport();
    expect(head).toEqual(['bucket', 'group_key', 'charge_count', 'charged_usd']);
    expect(rows).toEqual(
      computeExpected(filterSince(getToday() - 29 * DAY_MS), 'day', ({ auth_subject }) => [addGuard(auth_subject)]),
    );
    expect(rows.some(([, key]) => key === "'=1+1") && rows.some(([, key]) => key === 'o"brien, jr')).toBe(true);
    expect(headers.get('x-spend-export-from')).toBe(new Date(getToday() - 29 * DAY_MS).toISOString());
    expect(headers.get('x-spend-export-to')).toBe(new Date(getToday() + DAY_MS).toISOString());
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  });

  it.each(['day', 'week', 'month'] as const)(
    'returns buckets of a %s with the dimensions in the requested order',
    async (granularity) => {
      const { head, rows } = await readExport({ group_by: 'provider,user,model', granularity, from: '2020-01-01' });
      expect(head).toEqual(['bucket', 'provider', 'user', 'model', 'charge_count', 'charged_usd']);
      expect(rows).toEqual(
        computeExpected(charges, granularity, ({ provider, auth_subject, model }) => [
          provider,
          addGuard(auth_subject),
          model,
        ]),
      );
    },
  );

  it.each([
    ['a model', { model: 'model-01' }, (row: ShownCharge) => row.model === 'model-01'],
    ['groups', { scope: 'group' }, (row: ShownCharge) => row.scope === 'group'],
    [
      'a group',
      { scope: 'group', subject_id: PAYING_GROUPS[0] ?? '' },
      (row: ShownCharge) => row.subject_id === PAYING_GROUPS[0],
    ],
    [
      'a user',
      { scope: 'user', subject_id: 'bob' },
      (row: ShownCharge) => row.scope === 'user' && row.subject_id === 'bob',
    ],
    ['a payer of any kind', { subject_id: 'alice' }, (row: ShownCharge) => row.subject_id === 'alice'],
  ])('counts only charges of %s in every grouping', async (_, filter, counts) => {
    const own = charges.filter(counts);
    const all = { from: '2020-01-01', granularity: 'month', ...filter };
    expect(own.length).toBeGreaterThan(0);
    expect((await readExport({ ...all, group_by: 'user' })).rows).toEqual(
      computeExpected(own, 'month', ({ auth_subject }) => [addGuard(auth_subject)]),
    );
    expect((await readExport({ ...all, group_by: 'model' })).rows).toEqual(
      computeExpected(own, 'month', ({ model }) => [model]),
    );
    expect((await readExport({ ...all, group_by: 'provider,model' })).rows).toEqual(
      computeExpected(own, 'month', ({ provider, model }) => [provider, model]),
    );
  });

  it('has the same total as the daily series', async () => {
    const { rows } = await readExport({ group_by: 'model' });
    const { body } = await manager.client.call<{ buckets: { usd: string }[] }>('GET /v1/budgets/spend', {
      token: manager.tokens.admin,
    });
    expect(sumAmounts(rows.map((row) => row.at(-1) ?? ''))).toBe(sumAmounts(body.buckets.map(({ usd }) => usd)));
  });

  it('applies exact times, limits them to the retention, and returns the applied range', async () => {
    const readWindow = async (query: Record<string, string>) => {
      const { headers } = await readExport(query);
      return [headers.get('x-spend-export-from'), headers.get('x-spend-export-to')];
    };
    const getTimeOfDay = (days: number) => new Date(getToday() + days * DAY_MS).toISOString();
    expect(await readWindow({ from: '1999-01-01T12:00:00Z', to: '2999-01-01' })).toEqual([
      getTimeOfDay(-400),
      getTimeOfDay(1),
    ]);
    const [from, to] = [getTimeOfDay(-3).replace('T00', 'T05'), getTimeOfDay(-2).replace('T00', 'T05')];
    expect(await readWindow({ from, to })).toEqual([from, to]);
    expect((await readExport({ from: '2990-01-01' })).rows).toEqual([]);
  });

  it('counts each charge once in exports of adjacent ranges', async () => {
    const edges = [...charges]
      .sort((a, b) => (a.event_time < b.event_time ? -1 : 1))
      .filter((_, at) => at % 400 === 200)
      .map(({ event_time }) => event_time);
    // Two ranges also meet within a day and within an hour.
    const last = edges.at(-1) ?? '';
    edges.push(...[1, 20, 21].map((hours) => new Date(Date.parse(last) + hours * 1_800_000).toISOString()));
    const bounds = ['2020-01-01', ...edges.sort(), '2999-01-01'];
    let counted = 0;
    for (const [at, from] of bounds.slice(0, -1).entries()) {
      const to = bounds[at + 1] ?? '';
      const own = charges.filter(({ event_time: time }) => time >= from && time < to);
      const { rows } = await readExport({ from, to, group_by: 'user,provider' });
      expect(rows).toEqual(
        computeExpected(own, 'day', ({ auth_subject, provider }) => [addGuard(auth_subject), provider]),
      );
      counted += rows.reduce((sum, row) => sum + Number(row.at(-2)), 0);
    }
    expect(counted).toBe(charges.length);
  });

  describe.each(['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Kiritimati'])(
    'GET /v1/budgets/spend/export in the time zone %s',
    (time_zone) => {
      const dates = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
      const moveToZone = (rows: readonly ShownCharge[]) =>
        rows.map((row) => ({ ...row, event_time: `${dates.format(new Date(row.event_time))}T12:00:00Z` }));

      it.each(['day', 'week', 'month'] as const)('returns buckets of a %s of the time zone', async (granularity) => {
        const query = { time_zone, granularity, from: '2020-01-01' };
        expect((await readExport({ ...query, group_by: 'model' })).rows).toEqual(
          computeExpected(moveToZone(charges), granularity, ({ model }) => [model]),
        );
        const own = charges.filter(({ subject_id, scope }) => subject_id === 'bob' && scope === 'user');
        const filter = { scope: 'user', subject_id: 'bob', group_by: 'user' };
        expect((await readExport({ ...query, ...filter })).rows).toEqual(
          computeExpected(moveToZone(own), granularity, ({ auth_subject }) => [addGuard(auth_subject)]),
        );
        const ofName = charges.filter(({ subject_id }) => subject_id === 'alice' || subject_id === PAYING_GROUPS[0]);
        for (const subject_id of ['alice', PAYING_GROUPS[0] ?? ''])
          expect((await readExport({ ...query, subject_id, model: 'model-01', group_by: 'provider' })).rows).toEqual(
            computeExpected(
              moveToZone(ofName.filter((row) => row.subject_id === subject_id && row.model === 'model-01')),
              granularity,
              ({ provider }) => [provider],
            ),
          );
      });

      it('reads dates as dates of the time zone', async () => {
        const date = dates.format(new Date(getToday() - 5 * DAY_MS));
        const next = dates.format(new Date(getToday() - 4 * DAY_MS));
        const { rows } = await readExport({ time_zone, from: date, to: next, group_by: 'model' });
        const own = moveToZone(charges).filter(({ event_time }) => event_time.startsWith(date));
        expect(rows).toEqual(computeExpected(own, 'day', ({ model }) => [model]));
      });
    },
  );

  it('includes the names of known users on request', async () => {
    const { head, rows } = await readExport({
      group_by: 'user',
      names: 'true',
      from: '2020-01-01',
      granularity: 'month',
    });
    expect(head).toEqual(['bucket', 'group_key', 'charge_count', 'charged_usd', 'user_name']);
    const names = new Map(rows.map((row) => [row[1], row.at(-1)]));
    const known = await manager.sql<{ user_name: string }>(`SELECT user_name FROM users WHERE subject = 'alice'`);
    expect(names.get('alice')).toBe(known[0]?.user_name);
    expect(names.get('gone')).toBe('');
    const second = await readExport({
      group_by: 'model,user',
      names: 'true',
      from: '2020-01-01',
      granularity: 'month',
    });
    expect(second.head).toEqual(['bucket', 'model', 'user', 'charge_count', 'charged_usd', 'user_name']);
    expect(second.rows.every((row) => row.at(-1) === names.get(row[2]))).toBe(true);
    const without = await readExport({ group_by: 'model', names: 'true' });
    expect(without.head).toEqual(['bucket', 'group_key', 'charge_count', 'charged_usd']);
  });

  it.each([
    { group_by: '' },
    { group_by: 'user,user' },
    { group_by: 'user,' },
    { group_by: 'group' },
    { group_by: 'User' },
    { granularity: 'hour' },
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { from: '2026-02-01', to: '2026-01-01' },
    { scope: 'team' },
    { subject_id: '' },
    { limit: '5' },
    { time_zone: '' },
    { time_zone: '+01:00' },
    { time_zone: 'Mars/Olympus' },
    { names: 'yes' },
  ])('refuses %j', async (query) => {
    expect((await requestExport(query)).status).toBe(400);
  });

  it('returns 404 if SPEND_EXPORT_ENABLED is false', async () => {
    const off = await startManager({ environment: { SPEND_EXPORT_ENABLED: 'false' } });
    try {
      const response = await off.client.call('GET /v1/budgets/spend/export', { token: off.tokens.admin });
      expect([response.status, response.body]).toEqual([
        404,
        { error: expect.stringContaining('SPEND_EXPORT_ENABLED') },
      ]);
    } finally {
      await off.close();
    }
  });

  it('releases its database connection after the client aborts', async () => {
    const listHeld = () =>
      manager.sql(
        `SELECT 1 FROM pg_cursors UNION ALL SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`,
      );
    for (let round = 0; round < 6; round += 1) {
      const stop = new AbortController();
      const response = await fetch(`${manager.baseUrl}/v1/budgets/spend/export?from=2020-01-01&group_by=user,model`, {
        headers: { authorization: `Bearer ${manager.tokens.admin}` },
        signal: stop.signal,
      });
      expect(response.status).toBe(200);
      await response.body?.getReader().read();
      stop.abort();
      for (;;) {
        const { status } = await requestExport({ model: 'none' });
        if (status === 200) break;
        expect(status).toBe(503);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    expect(await listHeld()).toEqual([]);
  });
});
