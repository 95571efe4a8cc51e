import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { admission, type Admitted } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { Gateway, price } from './usage-scene.ts';

/** One token of an answer is a dollar. */
const DOLLAR = { provider: 'openai', model: 'm', openai: { inputUsdPerMillion: '0', outputUsdPerMillion: '1000000' } };

describe('budgets and what is decided by them', () => {
  let manager: TestManager;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    await price(manager, [DOLLAR]);
  }, 60_000);
  beforeEach(() => manager.sql('TRUNCATE budgets, group_precedences, default_user_budget, budget_cells, reservations'));
  afterEach(async () => {
    await manager.sql(
      'TRUNCATE usage_events, usage_claims, spend_daily, group_spend_daily, group_spend_by_person, spend_by_model, spend_totals',
    );
  });
  afterAll(() => manager.close());

  const admit = async (subject: string, tokens: number) => {
    const { body } = await manager.client.call<Admitted>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body: admission(gateway.person(subject), {
        requested_model: 'm',
        model: 'm',
        estimate: { prompt_tokens: 1, max_output_tokens: tokens },
      }),
    });
    return body;
  };
  /** Admits a request and reports that it has cost so many dollars. */
  const spend = async (subject: string, tokens: number) => {
    const body = admission(gateway.person(subject), {
      requested_model: 'm',
      model: 'm',
      estimate: { prompt_tokens: 1, max_output_tokens: tokens },
    });
    const admitted = await manager.client.call<Admitted>('POST /webhooks/budgets/admission', {
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
  const set = async (budgets: object[]) => {
    const answer = await manager.client.call('PUT /v1/budgets', { token: manager.tokens.admin, body: { budgets } });
    expect(answer.status).toBe(204);
  };
  const user = (limit_usd: string, period = 'month', subject_id = 'alice') => ({
    scope: 'user',
    subject_id,
    limit_usd,
    period,
  });
  const summary = async (subject: string) => {
    const { body } = await manager.client.call<{ cells: Record<string, unknown>[] }>('GET /v1/budgets/summary', {
      token: manager.tokens.admin,
      query: { subject },
    });
    return body.cells;
  };

  it('keep what was used through replacement, deletion and the fall back to the default', async () => {
    await set([user('10')]);
    await spend('alice', 4);
    await set([user('20')]);
    expect(await summary('alice')).toMatchObject([{ used_usd: '4.000000000', remaining_usd: '16.000000000' }]);
    // Below what is used: it is taken, and blocks.
    await set([user('3')]);
    expect(await admit('alice', 1)).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
    expect(await summary('alice')).toMatchObject([{ remaining_usd: '0.000000000' }]);
    await set([]);
    await manager.client.call('PUT /v1/budgets/default', {
      token: manager.tokens.admin,
      body: { limit_usd: '6', period: 'month' },
    });
    expect(await admit('alice', 3)).toMatchObject({ decision: 'denied' });
    await spend('alice', 2);
    expect(await summary('alice')).toMatchObject([
      { used_usd: '6.000000000', remaining_usd: '0.000000000', on_default: true },
    ]);
    // A budget of another period finds what was used before there was one.
    await set([user('6', 'year'), user('100')]);
    expect(await admit('alice', 1)).toMatchObject({ decision: 'denied' });
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('show what requests under way hold, also when they are replaced meanwhile', async () => {
    await set([user('10')]);
    expect(await admit('alice', 6)).toMatchObject({ decision: 'admitted' });
    await set([user('10', 'day'), user('10')]);
    expect(await summary('alice')).toMatchObject([
      { period: 'day', reserved_usd: '6.000000000', used_usd: '0.000000000', remaining_usd: '10.000000000' },
      { period: 'month', reserved_usd: '6.000000000' },
    ]);
    expect(await admit('alice', 5)).toMatchObject({ decision: 'denied' });
    expect(await admit('alice', 4)).toMatchObject({ decision: 'admitted' });
  });

  it('take the group of the lowest precedence when the person cannot pay, and say what of it is theirs', async () => {
    const [first, second] = [await makeGroup(manager, 'alice', 'bob'), await makeGroup(manager, 'alice')];
    const group = (subject_id: string, precedence: number) => ({
      scope: 'group',
      subject_id,
      limit_usd: '5',
      period: 'month',
      precedence,
    });
    await set([user('1'), group(second, 2), group(first, 1)]);
    expect(await spend('bob', 2)).toMatchObject({ payer: { subject_id: first } });
    expect(await spend('alice', 3)).toMatchObject({ payer: { subject_id: first } });
    expect(await spend('alice', 4)).toMatchObject({ payer: { subject_id: second } });
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
    expect(await spend('alice', 5)).toMatchObject({ payer: { subject_id: second } });
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('decide as they are at one moment, however often they are replaced meanwhile', async () => {
    // Either collection leaves alice ten dollars; between them there is never more.
    const collections = [[user('10')], [user('10', 'day'), user('10', 'year')]];
    await set(collections[0]!);
    const work = { done: false };
    const writer = (async () => {
      for (let at = 0; !work.done; at += 1) await set(collections[at % 2]!);
    })();
    const answers = await Promise.all(Array.from({ length: 60 }, () => admit('alice', 1)));
    work.done = true;
    await writer;
    expect(answers.filter(({ decision }) => decision === 'admitted')).toHaveLength(10);
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(new Set([undefined, 'budget_exhausted']));
    expect(await summary('alice')).toContainEqual(expect.objectContaining({ reserved_usd: '10.000000000' }));
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  }, 60_000);

  it('of a person come before any directory entry, and hold from the first request on', async () => {
    const stranger = `person-${randomUUID()}`;
    await set([user('1', 'day', stranger)]);
    expect(await admit(stranger, 1)).toMatchObject({ decision: 'denied', reason: 'principal_inactive' });
    await gateway.result({
      principal: gateway.person(stranger),
      raw_usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    expect(await summary(stranger)).toMatchObject([{ used_usd: '2.000000000', remaining_usd: '0.000000000' }]);
  });
});
