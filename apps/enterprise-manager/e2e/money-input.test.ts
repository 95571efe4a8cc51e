import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LeaseResponse, lease, makePrices } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

/** Invalid amounts. */
const NO_AMOUNTS: [string, unknown][] = [
  ['a number', 12.5],
  ['a whole number', 1],
  ['null', null],
  ['a list', ['1']],
  ['with an exponent', '1e3'],
  ['with a capital exponent', '1E3'],
  ['negative', '-1'],
  ['negative by another sign', '−1'],
  ['with a plus', '+1'],
  ['of 40 digits', '1'.repeat(40)],
  ['of 40 digits behind the point', `0.${'1'.repeat(40)}`],
  ['NaN', 'NaN'],
  ['infinite', 'Infinity'],
  ['of Arabic digits', '١٢'],
  ['of full-width digits', '１２'],
  ['hexadecimal', '0x10'],
  ['with a comma', '1,5'],
  ['with zeros in front', '01'],
  ['without digits before the point', '.5'],
  ['without digits behind the point', '1.'],
  ['with a blank', ' 1'],
  ['with a line break', '1\n'],
  ['empty', ''],
];

const NO_PERIODS: [string, string | number | null | undefined][] = [
  ['unknown', 'week'],
  ['in capitals', 'MONTH'],
  ['empty', ''],
  ['null', null],
  ['a number', 30],
  ['missing', undefined],
];

const DAYS = ['2026-02-02', '2026-02-01'] as const;
const TIMES = ['2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z'] as const;

describe('invalid money input', () => {
  let manager: TestManager;
  let group: string;
  let leased: LeaseResponse;
  let before: object;
  /** Reads all rows that one of these calls could change. */
  const readState = async () =>
    (
      await manager.sql<{ state: object }>(`
        SELECT jsonb_build_object(
          'budgets', (SELECT jsonb_agg(b ORDER BY subject_id, period) FROM budgets b),
          'precedences', (SELECT jsonb_agg(p) FROM group_precedences p),
          'default', (SELECT jsonb_agg(d) FROM default_user_budget d),
          'reservations', (SELECT jsonb_agg(r ORDER BY id) FROM reservations r),
          'cells', (SELECT jsonb_agg(c ORDER BY subject_id, period) FROM budget_cells c),
          'written', (SELECT count(*) FROM audit_events WHERE outcome = 'succeeded')) AS state`)
    )[0]!.state;
  beforeAll(async () => {
    manager = await startManager();
    await makePrices(manager);
    group = await makeGroup(manager);
    const budgets = [
      { scope: 'user', subject_id: 'alice', limit_usd: '10', period: 'month' },
      { scope: 'group', subject_id: group, limit_usd: '20', period: 'day', precedence: 3 },
    ];
    expect((await callAsAdmin('PUT /v1/budgets', { body: { budgets } })).status).toBe(204);
    const body = { limit_usd: '5', period: 'day' };
    expect((await callAsAdmin('PUT /v1/budgets/default', { body })).status).toBe(204);
    leased = (
      await callAsGateway('POST /gateway/v1/budget-leases', { body: lease(getAlice(), { ttl_seconds: 3_600 }) })
    ).body;
    expect(leased.granted_usd).toBe('5.000000000');
    before = await readState();
  }, 60_000);
  afterEach(async () => expect(await readState()).toEqual(before));
  afterAll(() => manager.close());

  type ResponseBody = LeaseResponse & { error: string };
  const callAsAdmin = (operation: string, call: object) =>
    manager.client.call<ResponseBody>(operation, { token: manager.tokens.admin, ...call });
  const callAsGateway = (operation: string, call: object) =>
    manager.client.call<ResponseBody>(operation, { token: manager.tokens.gateway, ...call });
  const getAlice = () => ({ issuer: manager.issuer.issuer, subject: 'alice' });

  /** Lists the writes of a budget, each with the prefix of the field that its error names. */
  const listWrites = (wrong: { limit_usd?: unknown; period?: unknown }): [string, object, string][] => {
    const body = { limit_usd: '7', period: 'day', ...wrong };
    const good = { scope: 'user', subject_id: 'bob', limit_usd: '1', period: 'day' };
    return [
      [
        'PUT /v1/budgets',
        { body: { budgets: [good, { scope: 'user', subject_id: 'alice', ...body }] } },
        'budgets[1].',
      ],
      ['PUT /v1/budgets/default', { body }, ''],
      ['PUT /v1/budgets/users/{id}', { path: { id: 'alice' }, body }, ''],
      ['PUT /v1/budgets/groups/{id}', { path: { id: group }, body: { ...body, precedence: 9 } }, ''],
    ];
  };

  it.each(NO_AMOUNTS)('is refused for an amount that is %s', async (_, amount) => {
    const path = { lease_id: leased.lease_id };
    const responses = [
      ...(await Promise.all(
        listWrites({ limit_usd: amount }).map(async ([operation, call, at]) => {
          const { status, body } = await callAsAdmin(operation, call);
          return { operation, status, error: body.error, field: `${at}limit_usd: must ` };
        }),
      )),
      ...(await Promise.all(
        (
          [
            [
              'POST /gateway/v1/budget-leases',
              { body: lease(getAlice(), { amount_usd: amount }) },
              'amount_usd: must ',
            ],
            [
              'DELETE /gateway/v1/budget-leases/{lease_id}',
              { path, body: { unused_usd: amount } },
              'unused_usd: must ',
            ],
          ] as const
        ).map(async ([operation, call, field]) => {
          const { status, body } = await callAsGateway(operation, call);
          return { operation, status, error: body.error, field };
        }),
      )),
    ];
    for (const { operation, status, error, field } of responses)
      expect([operation, status, error.slice(0, field.length)]).toEqual([operation, 400, field]);
    expect(responses).toHaveLength(6);
  });

  it.each(NO_PERIODS)('is refused for a period that is %s', async (_, period) => {
    for (const [operation, call, at] of listWrites({ period })) {
      const { status, body } = await callAsAdmin(operation, call);
      const sentence = period === undefined ? 'is required' : 'must be one of "day", "month", "year"';
      expect([operation, status, body.error]).toEqual([operation, 400, `${at}period: ${sentence}`]);
    }
    if (period === undefined) return;
    const query = { scope: 'user', subject_id: 'alice', period: String(period) };
    const { status, body } = await callAsAdmin('GET /v1/budgets/breakdown', { query });
    expect([status, body.error]).toEqual([400, 'period: must be one of "day", "month", "year"']);
  });

  it.each([
    ['GET /v1/budgets/charges', TIMES],
    ['GET /v1/budgets/events', TIMES],
    ['GET /v1/budgets/spend', DAYS],
    ['GET /v1/budgets/spend/export', DAYS],
    ['GET /v1/budgets/spend/export', TIMES],
    ['GET /v1/me/budgets/charges', TIMES],
    ['GET /v1/me/budgets/events', TIMES],
    ['GET /v1/me/budgets/spend', DAYS],
  ] as const)('is refused for an empty or reversed range of %s', async (operation, [late, early]) => {
    const token = operation.includes('/me/') ? manager.tokens.alice : manager.tokens.admin;
    const isList = /charges|events/.test(operation);
    for (const to of [early, late])
      for (const accept of isList ? ['application/json', 'application/x-ndjson'] : [undefined]) {
        const { status, body } = await manager.client.call<ResponseBody>(operation, {
          token,
          query: { from: late, to },
          ...(accept !== undefined && { headers: { accept } }),
        });
        expect([to, accept, status, body.error]).toEqual([to, accept, 400, 'from: must be before to']);
      }
  });
});
