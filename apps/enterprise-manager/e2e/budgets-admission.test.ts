import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { admission, type AdmissionResponse } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { Gateway, price } from './usage-scene.ts';

/** Prices with 1 USD for each output token. */
const DOLLAR_PRICES = {
  provider: 'openai',
  model: 'm',
  openai: { inputUsdPerMillion: '0', outputUsdPerMillion: '1000000' },
};

describe('budgets in admissions', () => {
  let manager: TestManager;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    await price(manager, [DOLLAR_PRICES]);
  }, 60_000);
  beforeEach(() => manager.sql('TRUNCATE budgets, group_precedences, default_user_budget, budget_cells, reservations'));
  afterEach(async () => {
    await manager.sql(
      'TRUNCATE usage_events, usage_claims, spend_daily, group_spend_daily, group_spend_by_person, spend_by_model, spend_totals',
    );
  });
  afterAll(() => manager.close());

  const admit = async (subject: string, tokens: number) => {
    const { body } = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body: admission(gateway.person(subject), {
        requested_model: 'm',
        model: 'm',
        estimate: { prompt_tokens: 1, max_output_tokens: tokens },
      }),
    });
    return body;
  };
  /** Admits a request and reports a cost of one dollar for each token. */
  const spendTokens = async (subject: string, tokens: number) => {
    const body = admission(gateway.person(subject), {
      requested_model: 'm',
      model: 'm',
      estimate: { prompt_tokens: 1, max_output_tokens: tokens },
    });
    const admitted = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body,
    });
    expect(admitted.body.decision).toBe('admitted');
    const receipt = await gateway.result({
      interaction_id: body.interaction_id,
      reservation_id: admitted.body.reservation_id,
      event_time: admitted.body.admitted_at,
      principal: gateway.person(subject),
      raw_usage: { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 },
    });
    expect(receipt).toMatchObject({ status: 'charged', charged_usd: `${tokens}.000000000` });
    return admitted.body;
  };
  const setBudgets = async (budgets: object[]) => {
    const response = await manager.client.call('PUT /v1/budgets', { token: manager.tokens.admin, body: { budgets } });
    expect(response.status).toBe(204);
  };
  const makeUserBudget = (limit_usd: string, period = 'month', subject_id = 'alice') => ({
    scope: 'user',
    subject_id,
    limit_usd,
    period,
  });
  const readSummary = async (subject: string) => {
    const { body } = await manager.client.call<{ cells: Record<string, unknown>[] }>('GET /v1/budgets/summary', {
      token: manager.tokens.admin,
      query: { subject },
    });
    return body.cells;
  };

  it('keep their usage when they are replaced, deleted, or replaced by the default budget', async () => {
    await setBudgets([makeUserBudget('10')]);
    await spendTokens('alice', 4);
    await setBudgets([makeUserBudget('20')]);
    expect(await readSummary('alice')).toMatchObject([{ used_usd: '4.000000000', remaining_usd: '16.000000000' }]);
    // A limit below the usage is accepted and denies requests.
    await setBudgets([makeUserBudget('3')]);
    expect(await admit('alice', 1)).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
    expect(await readSummary('alice')).toMatchObject([{ remaining_usd: '0.000000000' }]);
    await setBudgets([]);
    await manager.client.call('PUT /v1/budgets/default', {
      token: manager.tokens.admin,
      body: { limit_usd: '6', period: 'month' },
    });
    expect(await admit('alice', 3)).toMatchObject({ decision: 'denied' });
    await spendTokens('alice', 2);
    expect(await readSummary('alice')).toMatchObject([
      { used_usd: '6.000000000', remaining_usd: '0.000000000', on_default: true },
    ]);
    // A new budget of another period counts earlier usage.
    await setBudgets([makeUserBudget('6', 'year'), makeUserBudget('100')]);
    expect(await admit('alice', 1)).toMatchObject({ decision: 'denied' });
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('show the reserved amounts of running requests after a replacement', async () => {
    await setBudgets([makeUserBudget('10')]);
    expect(await admit('alice', 6)).toMatchObject({ decision: 'admitted' });
    await setBudgets([makeUserBudget('10', 'day'), makeUserBudget('10')]);
    expect(await readSummary('alice')).toMatchObject([
      { period: 'day', reserved_usd: '6.000000000', used_usd: '0.000000000', remaining_usd: '10.000000000' },
      { period: 'month', reserved_usd: '6.000000000' },
    ]);
    expect(await admit('alice', 5)).toMatchObject({ decision: 'denied' });
    expect(await admit('alice', 4)).toMatchObject({ decision: 'admitted' });
  });

  it('let groups pay by precedence when the user cannot pay, and show the share of the user', async () => {
    const [first, second] = [await makeGroup(manager, 'alice', 'bob'), await makeGroup(manager, 'alice')];
    const group = (subject_id: string, precedence: number) => ({
      scope: 'group',
      subject_id,
      limit_usd: '5',
      period: 'month',
      precedence,
    });
    await setBudgets([makeUserBudget('1'), group(second, 2), group(first, 1)]);
    expect(await spendTokens('bob', 2)).toMatchObject({ payer: { subject_id: first } });
    expect(await spendTokens('alice', 3)).toMatchObject({ payer: { subject_id: first } });
    expect(await spendTokens('alice', 4)).toMatchObject({ payer: { subject_id: second } });
    const { body } = await manager.client.call<{ budgets: Record<string, unknown>[] }>('GET /v1/me/budgets/summary', {
      token: manager.tokens.alice,
    });
    expect(
      body.budgets.map((cell) => [cell['ordinal'], cell['subject_id'], cell['used_usd'], cell['my_contribution_usd']]),
    ).toEqual([
      [1, 'alice', '0.000000000', undefined],
      [2, first, '5.000000000', '3.000000000'],
      [3, second, '4.000000000', '4.000000000'],
    ]);
    const { status } = await manager.client.call('PUT /v1/budgets/groups/{id}', {
      token: manager.tokens.admin,
      path: { id: second },
      body: { limit_usd: '50', period: 'month', precedence: 1 },
    });
    expect(status).toBe(204);
    expect(await spendTokens('alice', 5)).toMatchObject({ payer: { subject_id: second } });
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('are read in one state while they are replaced', async () => {
    // Both collections limit alice to ten dollars.
    const collections = [[makeUserBudget('10')], [makeUserBudget('10', 'day'), makeUserBudget('10', 'year')]];
    await setBudgets(collections[0]!);
    const work = { isDone: false };
    const writer = (async () => {
      for (let at = 0; !work.isDone; at += 1) await setBudgets(collections[at % 2]!);
    })();
    const responses = await Promise.all(Array.from({ length: 60 }, () => admit('alice', 1)));
    work.isDone = true;
    await writer;
    expect(responses.filter(({ decision }) => decision === 'admitted')).toHaveLength(10);
    expect(new Set(responses.map(({ reason }) => reason))).toEqual(new Set([undefined, 'budget_exhausted']));
    expect(await readSummary('alice')).toContainEqual(expect.objectContaining({ reserved_usd: '10.000000000' }));
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  }, 60_000);

  it('can be set before a directory entry exists, and apply from the first request', async () => {
    const unknownUser = `user-${randomUUID()}`;
    await setBudgets([makeUserBudget('1', 'day', unknownUser)]);
    expect(await admit(unknownUser, 1)).toMatchObject({ decision: 'denied', reason: 'principal_inactive' });
    await gateway.result({
      principal: gateway.person(unknownUser),
      raw_usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    expect(await readSummary(unknownUser)).toMatchObject([{ used_usd: '2.000000000', remaining_usd: '0.000000000' }]);
  });
});
