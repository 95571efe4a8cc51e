import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { admission, type AdmissionResponse, makeUsers } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey } from './keys-samples.ts';
import { ledgerDifferences } from './ledger.ts';
import { cell, Gateway, limit, price, reserve } from './usage-scene.ts';

const AT = '2026-05-05T12:00:00.000Z';
const USD = '0.003500000';
const NO = '0.000000000';

describe('the payer of usage', () => {
  let manager: TestManager;
  let catalog: string;
  let subject: string;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager);
  }, 60_000);
  beforeEach(() => {
    subject = `user-${randomUUID()}`;
  });
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(() => manager.close());

  /** Reads the amounts of the three cells of a payer, which must be equal. */
  const readCells = async (subjectId: string, scope = 'user') => {
    const [day, month, year] = await Promise.all([
      cell(manager, subjectId, 'day', '2026-05-05', scope),
      cell(manager, subjectId, 'month', '2026-05-01', scope),
      cell(manager, subjectId, 'year', '2026-01-01', scope),
    ]);
    expect([month, year]).toEqual([day, day]);
    return day;
  };
  const createReport = (overrides: Record<string, unknown> = {}) =>
    gateway.report({ principal: gateway.person(subject), event_time: AT, ...overrides });
  const reportUsage = async (overrides: Record<string, unknown> = {}) =>
    (await gateway.results(createReport(overrides)))[0];
  const admitAttempt = async (held: Record<string, unknown> = {}) => {
    const interaction_id = randomUUID();
    const reservation_id = await reserve(manager, { interaction_id, subject, catalog, admitted_at: AT, ...held });
    return { interaction_id, reservation_id };
  };
  const readPayer = async (id: string | undefined) =>
    (await manager.sql('SELECT scope, subject_id, charge_period FROM charges WHERE id = $1', [id]))[0];
  const open = () => manager.sql('SELECT id FROM reservations WHERE subject_id = $1', [subject]);

  it.each([
    ['less than was reserved', '1'],
    ['more than was reserved, in full', '0.001'],
    ['exactly what was reserved', USD],
  ])('is the payer of the reservation, by %s, and nothing stays reserved', async (_, usd) => {
    const attempt = await admitAttempt({ usd });
    expect(await readCells(subject)).toEqual({ used: NO, reserved: Number(usd).toFixed(9) });
    expect(await reportUsage(attempt)).toMatchObject({ status: 'charged', charged_usd: USD });
    expect(await readCells(subject)).toEqual({ used: USD, reserved: NO });
    expect(await open()).toEqual([]);
  });

  it('is found without the id of the reservation, but only for the attempt of the reservation', async () => {
    const { interaction_id } = await admitAttempt();
    expect((await reportUsage({ interaction_id, attempt: 2 }))?.status).toBe('charged');
    expect(await readCells(subject)).toEqual({ used: USD, reserved: '1.000000000' });
    expect((await reportUsage({ interaction_id }))?.status).toBe('charged');
    expect(await readCells(subject)).toEqual({ used: '0.007000000', reserved: NO });
  });

  it('stays the same after the reservation has expired, and then only the used amount increases', async () => {
    const group = await makeGroup(manager);
    const payer = { scope: 'group', subject_id: group };
    const late = await admitAttempt({ payer, released: true });
    await admitAttempt({ payer });
    const receipt = await reportUsage(late);
    expect(await readPayer(receipt?.event_id)).toEqual({ ...payer, charge_period: 'month' });
    expect(await readCells(group, 'group')).toEqual({ used: USD, reserved: '1.000000000' });
    expect(await open()).toHaveLength(1);
  });

  it('is the user if the admission found no budget', async () => {
    const receipt = await reportUsage(await admitAttempt({ payer: undefined }));
    expect(await readPayer(receipt?.event_id)).toMatchObject({ scope: 'user', subject_id: subject });
    expect(await readCells(subject)).toEqual({ used: USD, reserved: NO });
  });

  it('is charged by the estimate of the admission without known usage, also without a budget', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    const request = {
      model: 'm',
      requested_model: 'm',
      estimate: { prompt_tokens: 1_000, max_output_tokens: 100 },
    };
    const { body } = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body: admission(gateway.person(user), { ...request, interaction_id: `hang-up of ${user}` }),
    });
    expect(body).toMatchObject({ decision: 'admitted', reserved_usd: NO });
    const hangUp = {
      interaction_id: `hang-up of ${user}`,
      principal: gateway.person(user),
      outcome: 'client_disconnect',
      raw_usage: null,
    };
    expect(await gateway.result(hangUp)).toMatchObject({ status: 'charged', charged_usd: USD, basis: 'estimated' });
  });

  it('is charged for unadmitted usage, also above a limit', async () => {
    await limit(manager, 'user', subject, '0.001', 'day');
    const receipt = await reportUsage();
    expect(await readPayer(receipt?.event_id)).toEqual({ scope: 'user', subject_id: subject, charge_period: 'day' });
    expect(await readCells(subject)).toEqual({ used: USD, reserved: NO });
  });

  it('is the first candidate that can pay for unadmitted usage after the charges of the same batch, otherwise the first one', async () => {
    const group = await makeGroup(manager, 'alice');
    await limit(manager, 'user', 'alice', '0.008');
    await limit(manager, 'group', group, '0.004');
    const principal = gateway.person('alice');
    const batch = Array.from({ length: 4 }, () => createReport({ principal }));
    const results = await gateway.results(...batch);
    const payers = await Promise.all(results.map(({ event_id }) => readPayer(event_id)));
    expect(payers.map((payer) => (payer as { scope: string }).scope)).toEqual(['user', 'user', 'group', 'user']);
    await manager.sql('DELETE FROM budgets');
  });

  it('is the first candidate with a remaining amount for usage without a price', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    const group = await makeGroup(manager, user);
    await limit(manager, 'user', user, USD);
    await limit(manager, 'group', group, USD);
    const principal = gateway.person(user);
    const createUnpriced = () => createReport({ principal, model: 'unknown' });
    const results = await gateway.results(createUnpriced(), createReport({ principal }), createUnpriced());
    expect(results.map(({ status }) => status)).toEqual(['unpriceable', 'charged', 'unpriceable']);
    const payers = await manager.sql(
      'SELECT payer_scope FROM usage_events WHERE id = ANY($1) ORDER BY array_position($1::uuid[], id)',
      [results.map(({ event_id }) => event_id)],
    );
    expect(payers).toEqual([{ payer_scope: 'user' }, { payer_scope: 'user' }, { payer_scope: 'group' }]);
    await manager.sql('DELETE FROM budgets');
  });

  it('is the payer of the lease, from which each request draws, and the rest is charged too', async () => {
    const lease = await reserve(manager, { kind: 'lease', subject, catalog, usd: '0.005', admitted_at: AT });
    const readHeldAmount = async () =>
      (await manager.sql<{ usd: string }>('SELECT held_usd::text AS usd FROM reservations WHERE id = $1', [lease]))[0]
        ?.usd;
    await reportUsage({ reservation_id: lease });
    expect([await readHeldAmount(), await readCells(subject)]).toEqual([
      '0.001500000',
      { used: USD, reserved: '0.001500000' },
    ]);
    const results = await gateway.results(
      createReport({ reservation_id: lease }),
      createReport({ reservation_id: lease }),
    );
    expect(results.map(({ charged_usd }) => charged_usd)).toEqual([USD, USD]);
    expect([await readHeldAmount(), await readCells(subject)]).toEqual([NO, { used: '0.010500000', reserved: NO }]);
    // A lease has no estimate of a single request, so a request without usage costs 0.
    expect(await reportUsage({ reservation_id: lease, raw_usage: null })).toMatchObject({
      charged_usd: NO,
      basis: 'none',
    });
  });

  it('is charged in the window of the request and drawn from the window of the lease across midnight', async () => {
    const lease = await reserve(manager, { kind: 'lease', subject, catalog, usd: '0.005', admitted_at: AT });
    await reportUsage({ reservation_id: lease, event_time: '2026-05-06T00:00:00Z' });
    expect(await cell(manager, subject, 'day', '2026-05-05')).toEqual({ used: NO, reserved: '0.001500000' });
    expect(await cell(manager, subject, 'day', '2026-05-06')).toEqual({ used: USD, reserved: NO });
    expect(await cell(manager, subject, 'month', '2026-05-01')).toEqual({ used: USD, reserved: '0.001500000' });
  });

  it('is still the payer of an expired lease', async () => {
    const group = await makeGroup(manager);
    const payer = { scope: 'group' as const, subject_id: group };
    const lease = await reserve(manager, { kind: 'lease', subject, payer, catalog, admitted_at: AT, released: true });
    await reportUsage({ reservation_id: lease });
    expect(await readCells(group, 'group')).toEqual({ used: USD, reserved: NO });
  });

  it('is never the payer of another user’s reservation', async () => {
    const { interaction_id, reservation_id } = await admitAttempt();
    const bob = gateway.person('bob');
    const lease = await reserve(manager, { kind: 'lease', subject, catalog, admitted_at: AT });
    expect(
      await gateway.results(
        createReport({ reservation_id }),
        createReport({ interaction_id, principal: bob }),
        createReport({ reservation_id: lease, principal: bob }),
      ),
    ).toEqual([
      { status: 'rejected', error: 'reservation_id: belongs to another attempt' },
      { status: 'rejected', error: 'principal: is not the principal that this interaction_id was admitted for' },
      { status: 'rejected', error: 'principal: is not the principal that this reservation_id was admitted for' },
    ]);
    expect(await readCells(subject)).toEqual({ used: NO, reserved: '2.000000000' });
    expect((await reportUsage({ interaction_id, reservation_id: randomUUID() }))?.status).toBe('charged');
  });

  it('is charged 0 for a model without a price, and its reservation is released', async () => {
    const attempt = await admitAttempt();
    expect(await reportUsage({ ...attempt, model: 'unknown' })).toEqual({
      status: 'unpriceable',
      event_id: expect.any(String),
    });
    expect(await readCells(subject)).toEqual({ used: NO, reserved: NO });
    expect(await open()).toEqual([]);
  });

  it('can be a removed user, the owner of a removed key or a removed group', async () => {
    const group = await makeGroup(manager, 'bob');
    await limit(manager, 'group', group, '10');
    const payer = { scope: 'group', subject_id: group };
    subject = 'bob';
    const { key } = await makeKey(manager, manager.tokens.bob);
    const attempts = [await admitAttempt({ payer }), await admitAttempt({ payer }), await admitAttempt({ payer })];
    const before = await reportUsage({ ...attempts[0] });
    expect(
      (await manager.client.call('DELETE /v1/groups/{id}', { token: manager.tokens.admin, path: { id: group } }))
        .status,
    ).toBe(204);
    await manager.sql(`DELETE FROM users WHERE subject = 'bob'`);
    const after = await reportUsage({ ...attempts[1] });
    const byKey = await reportUsage({ ...attempts[2], principal: { virtual_key_id: key.id } });
    expect([before?.status, after?.status, byKey?.status]).toEqual(['charged', 'charged', 'charged']);
    expect(await readCells(group, 'group')).toEqual({ used: '0.010500000', reserved: NO });
    const events = await manager.sql<Record<string, unknown>>(
      'SELECT auth_subject, platform_groups, platform_user_id IS NOT NULL AS known, virtual_key_id FROM usage_events WHERE id = ANY ($1) ORDER BY array_position($1, id)',
      [[before, after, byKey].map((receipt) => receipt?.event_id)],
    );
    expect(events).toEqual([
      { auth_subject: 'bob', platform_groups: [group], known: true, virtual_key_id: null },
      { auth_subject: 'bob', platform_groups: [], known: false, virtual_key_id: null },
      { auth_subject: 'bob', platform_groups: [], known: false, virtual_key_id: key.id },
    ]);
    // The directory never had an entry of this user.
    expect((await reportUsage({ principal: { issuer: 'https://elsewhere.example.com', subject: 'x' } }))?.status).toBe(
      'charged',
    );
    expect(await readCells('https://elsewhere.example.com/x')).toEqual({ used: USD, reserved: NO });
    expect((await reportUsage({ principal: { virtual_key_id: key.id } }))?.status).toBe('charged');
    expect(await readCells('bob')).toEqual({ used: USD, reserved: NO });
  });
});
