import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AdmissionResponse,
  OffsetClock,
  type PrincipalBody,
  admission,
  readCells,
  lease,
  makeUsers,
  makePrices,
  setBudget,
  findWrongCells,
} from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey } from './keys-samples.ts';

const LATER_MS = 90_000;

describe('POST /webhooks/budgets/admission', () => {
  const clock = new OffsetClock();
  let manager: TestManager;
  let prices: string;
  /** A new user for each test. */
  let user: string;

  beforeAll(async () => {
    manager = await startManager({ clock, environment: { RESERVATION_SECONDS: '60' } });
    prices = await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [user = ''] = await makeUsers(manager, 1);
  });
  afterAll(async () => {
    expect(await findWrongCells(manager)).toEqual([]);
    await manager.close();
  });

  const toPrincipal = (subject = user): PrincipalBody => ({ issuer: manager.issuer.issuer, subject });
  const admit = (body: object) =>
    manager.client.call<AdmissionResponse & { error: string }>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body,
    });
  const requestAdmission = async (overrides: Record<string, unknown> = {}, principal = toPrincipal()) => {
    const { status, body } = await admit(admission(principal, overrides));
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const createEstimate = (usd: number) => ({ estimate: { prompt_tokens: 0, max_output_tokens: usd } });
  const setPrecedence = (group: string, value: number) =>
    manager.sql('INSERT INTO group_precedences (subject_id, precedence) VALUES ($1, $2)', [group, value]);
  const expire = async (id: string) => {
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    for (;;) {
      const [row] = await manager.sql<{ released: boolean }>(
        'SELECT released_at IS NOT NULL AS released FROM reservations WHERE id = $1',
        [id],
      );
      if (row?.released === true) return;
      await sleep(50);
    }
  };

  it('answers POST /webhooks/ping with the time', async () => {
    const { status, body } = await manager.client.call<{ status: string; time: string }>('POST /webhooks/ping', {
      token: manager.tokens.gateway,
      body: {},
    });
    expect([status, body.status]).toEqual([200, 'ok']);
    expect(Math.abs(Date.parse(body.time) - Date.now())).toBeLessThan(60_000);
  });

  it('reserves the maximum cost of a request in the cells of all periods', async () => {
    await setBudget(manager, 'user', user, '5');
    const response = await requestAdmission(createEstimate(3));
    expect(response).toEqual({
      decision: 'admitted',
      reservation_id: expect.any(String),
      admitted_at: expect.any(String),
      expires_at: new Date(Date.parse(response.admitted_at) + 60_000).toISOString(),
      payer: { scope: 'user', subject_id: user },
      reserved_usd: '3.000000000',
      pricing_catalog_id: prices,
    });
    expect(await readCells(manager, user)).toEqual({ day: '0+3', month: '0+3', year: '0+3' });
    expect((await requestAdmission(createEstimate(3))).decision).toBe('denied');
    expect((await requestAdmission(createEstimate(2))).decision).toBe('admitted');
    expect(await readCells(manager, user)).toEqual({ day: '0+5', month: '0+5', year: '0+5' });
  });

  it('estimates by the output limit of the request or of the model, and resolves provider aliases', async () => {
    const reserveAmount = async (overrides: Record<string, unknown>) => {
      await setBudget(manager, 'user', user, '1000000');
      return (await requestAdmission({ model: 'plain', ...overrides })).reserved_usd;
    };
    expect(await reserveAmount({ estimate: { prompt_tokens: 1_000, max_output_tokens: 24 } })).toBe('0.001024000');
    expect(await reserveAmount({ estimate: { prompt_tokens: 1_000 } })).toBe('0.009192000');
    expect(await reserveAmount({ provider: 'azure', estimate: { prompt_tokens: 7, max_output_tokens: 0 } })).toBe(
      '0.000007000',
    );
  });

  describe('the payer of an admission', () => {
    it('is the first of the user and then the groups by precedence and id that can pay in all periods', async () => {
      const groups = await Promise.all([1, 2, 3].map(() => makeGroup(manager)));
      for (const group of groups)
        await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [group, user]);
      const [late, first, second] = groups.sort() as [string, string, string];
      await setPrecedence(first, 7);
      await setPrecedence(second, 7);
      await setPrecedence(late, 8);
      await setBudget(manager, 'user', user, '1');
      await setBudget(manager, 'user', user, '100', 'day');
      await setBudget(manager, 'group', first, '2', 'year');
      await setBudget(manager, 'group', second, '1', 'day');
      await setBudget(manager, 'group', late, '1');
      const payers = [];
      for (let n = 0; n < 6; n += 1) {
        const { decision, reason, payer } = await requestAdmission();
        payers.push(decision === 'admitted' ? payer?.subject_id : reason);
      }
      expect(payers).toEqual([user, first, first, second, late, 'budget_exhausted']);
      expect(await readCells(manager, first)).toEqual({ day: '0+2', month: '0+2', year: '0+2' });
    });

    it('can be a group that contains the user through nested subgroups', async () => {
      const [outer, middle, inner] = await Promise.all([1, 2, 3].map(() => makeGroup(manager)));
      await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [inner, user]);
      for (const [parent, child] of [
        [outer, middle],
        [middle, inner],
      ])
        await manager.sql('INSERT INTO group_subgroups VALUES ($1, $2, now())', [parent, child]);
      await setBudget(manager, 'group', outer!, '1');
      expect((await requestAdmission()).payer).toEqual({ scope: 'group', subject_id: outer });
      expect(await requestAdmission()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
    });

    it('pays from the default budget in a period without a budget of the user', async () => {
      await manager.sql(`INSERT INTO default_user_budget (period, limit_usd) VALUES ('day', 2)`);
      try {
        expect((await requestAdmission(createEstimate(2))).payer).toEqual({ scope: 'user', subject_id: user });
        expect(await requestAdmission()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
        await setBudget(manager, 'user', user, '3', 'day');
        expect((await requestAdmission()).decision).toBe('admitted');
        expect((await requestAdmission()).decision).toBe('denied');
      } finally {
        await manager.sql('DELETE FROM default_user_budget');
      }
    });

    it('must have the amount left in all its periods', async () => {
      await setBudget(manager, 'user', user, '10', 'day');
      await setBudget(manager, 'user', user, '20', 'month');
      await setBudget(manager, 'user', user, '4', 'year');
      expect((await requestAdmission(createEstimate(4))).decision).toBe('admitted');
      expect((await requestAdmission(createEstimate(1))).decision).toBe('denied');
    });
  });

  describe('a denial', () => {
    const createDenial = (reason: string) => ({
      decision: 'denied',
      reason,
      message: expect.stringMatching(/administrators/),
      admitted_at: expect.any(String),
    });

    it('has the reason budget_exhausted when no payer can pay, and stores no reservation', async () => {
      await setBudget(manager, 'user', user, '0.5');
      const body = admission(toPrincipal());
      expect((await admit(body)).body).toEqual(createDenial('budget_exhausted'));
      expect(await readCells(manager, user)).toEqual({});
      expect(await manager.sql('SELECT 1 FROM reservations WHERE subject_id = $1', [user])).toEqual([]);
      await setBudget(manager, 'user', user, '1');
      expect((await admit(body)).body.decision).toBe('admitted');
    });

    it('has the reason unpriceable for a model without a price, with the same message as other denials', async () => {
      await setBudget(manager, 'user', user, '100');
      const responses = await Promise.all([
        requestAdmission({ model: 'unknown-model' }),
        requestAdmission({ provider: 'anthropic' }),
        requestAdmission({ model: 'Dear/answer' }),
        requestAdmission(createEstimate(101)),
      ]);
      expect(responses.map(({ reason }) => reason)).toEqual([
        'unpriceable',
        'unpriceable',
        'unpriceable',
        'budget_exhausted',
      ]);
      expect(new Set(responses.map(({ message }) => message)).size).toBe(1);
    });

    it('has the reason key_inactive or principal_inactive for inactive keys and users', async () => {
      await setBudget(manager, 'user', 'alice', '100');
      const { key } = await makeKey(manager);
      const withKey = { virtual_key_id: key.id };
      expect(await requestAdmission({}, withKey)).toMatchObject({
        decision: 'admitted',
        payer: { subject_id: 'alice' },
      });
      await manager.client.call('DELETE /v1/keys/{id}', { token: manager.tokens.alice, path: { id: key.id } });
      expect(await requestAdmission({}, withKey)).toEqual(createDenial('key_inactive'));
      expect(await requestAdmission({}, { virtual_key_id: 'no-such-key' })).toEqual(createDenial('key_inactive'));
      expect(await requestAdmission({}, toPrincipal('not-in-the-directory'))).toEqual(
        createDenial('principal_inactive'),
      );
      expect(await requestAdmission({}, { issuer: 'https://elsewhere.example.com', subject: user })).toEqual(
        createDenial('principal_inactive'),
      );
      await manager.sql('UPDATE users SET active = FALSE WHERE subject = $1', [user]);
      expect(await requestAdmission()).toEqual(createDenial('principal_inactive'));
    });
  });

  it('admits a free model with an exhausted budget and reserves nothing', async () => {
    const expectFreeAdmitted = async () => {
      expect(await requestAdmission()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
      expect(await requestAdmission({ model: 'free', estimate: { prompt_tokens: 1_000_000_000 } })).toMatchObject({
        decision: 'admitted',
        payer: { scope: 'user', subject_id: user },
        reserved_usd: '0.000000000',
      });
    };
    await setBudget(manager, 'user', user, '0');
    await expectFreeAdmitted();
    expect(await readCells(manager, user)).toEqual({});
    // The same holds when reservations exceed the limit.
    await setBudget(manager, 'user', user, '1');
    await requestAdmission();
    await setBudget(manager, 'user', user, '0.5');
    await expectFreeAdmitted();
    expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
  });

  it('admits users without any budget, without a payer', async () => {
    const response = await requestAdmission(createEstimate(1_000_000_000));
    expect(response).toMatchObject({
      decision: 'admitted',
      reserved_usd: '0.000000000',
      pricing_catalog_id: prices,
    });
    expect(response.payer).toBeUndefined();
    expect(await readCells(manager, user)).toEqual({});
  });

  describe('a repeated attempt', () => {
    it('returns the first response byte for byte after changes of prices and budgets', async () => {
      await setBudget(manager, 'user', user, '1');
      const body = admission(toPrincipal());
      const sendRaw = async () => {
        const response = await fetch(`${manager.baseUrl}/webhooks/budgets/admission`, {
          method: 'POST',
          headers: { authorization: `Bearer ${manager.tokens.gateway}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return response.text();
      };
      const first = await sendRaw();
      await setBudget(manager, 'user', user, '0');
      await makePrices(manager);
      clock.ahead += 1_000;
      expect(await Promise.all([sendRaw(), sendRaw(), sendRaw()])).toEqual([first, first, first]);
      prices = (JSON.parse(await sendRaw()) as AdmissionResponse).pricing_catalog_id;
      expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
    });

    it('is admitted once when it is sent many times in parallel', async () => {
      await setBudget(manager, 'user', user, '3');
      const body = admission(toPrincipal());
      const responses = await Promise.all(Array.from({ length: 20 }, () => admit(body)));
      expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
      const next = await admit({ ...body, attempt: 2 });
      expect(next.body.reservation_id).not.toBe(responses[0]?.body.reservation_id);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+2' });
    });

    it('is refused with 409 if its content differs, and changes nothing', async () => {
      await setBudget(manager, 'user', user, '3');
      const [other = ''] = await makeUsers(manager, 1);
      const body = admission(toPrincipal());
      await admit(body);
      for (const change of [
        { principal: toPrincipal(other) },
        { principal: { virtual_key_id: 'another' } },
        { model: 'free' },
        { requested_model: 'else' },
        { provider: 'azure' },
        { route: '/v1/responses' },
        createEstimate(2),
        { estimate: { ...body.estimate, prompt_tokens: 11 } },
        { estimate: { prompt_tokens: 10 } },
      ]) {
        const response = await admit({ ...body, ...change });
        expect([response.status, response.body.error]).toEqual([409, expect.stringMatching(/^attempt: /)]);
      }
      expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
    });

    it('is refused with 409 after its usage was reported', async () => {
      await setBudget(manager, 'user', user, '3');
      const body = admission(toPrincipal());
      await manager.sql(
        `INSERT INTO usage_claims (interaction_id, attempt, event_id, event_time, content_sha256) VALUES ($1, 1, $2, now(), '')`,
        [body.interaction_id, randomUUID()],
      );
      const response = await admit(body);
      expect([response.status, response.body.error]).toEqual([409, expect.stringMatching(/already reported/)]);
      expect((await admit({ ...body, attempt: 2 })).body.decision).toBe('admitted');
    });

    it('is refused with 409 after its reservation expired, before and after the sweep', async () => {
      await setBudget(manager, 'user', user, '3');
      const body = admission(toPrincipal());
      const { reservation_id } = (await admit(body)).body;
      clock.ahead += LATER_MS;
      try {
        expect((await admit(body)).status).toBe(409);
        await expire(reservation_id);
        expect((await admit(body)).status).toBe(409);
      } finally {
        clock.ahead -= LATER_MS;
      }
    });
  });

  it('releases an expired reservation, keeps its row for late usage, and deletes it after 30 days', async () => {
    await setBudget(manager, 'user', user, '1');
    const { reservation_id } = await requestAdmission();
    expect((await requestAdmission()).decision).toBe('denied');
    await expire(reservation_id);
    expect(await readCells(manager, user)).toEqual({ day: '0+0', month: '0+0', year: '0+0' });
    const [row] = await manager.sql('SELECT held_usd, amount_usd, payer_subject_id FROM reservations WHERE id = $1', [
      reservation_id,
    ]);
    expect(row).toEqual({ held_usd: '0.000000000', amount_usd: '1.000000000', payer_subject_id: user });
    const { decision, reservation_id: newer } = await requestAdmission();
    expect(decision).toBe('admitted');
    await expire(newer);
    const setReleased = (id: string, ago: string) =>
      manager.sql('UPDATE reservations SET released_at = now() - $2::interval WHERE id = $1', [id, ago]);
    await setReleased(newer, '29 days 23 hours');
    await setReleased(reservation_id, '30 days');
    clock.ahead += 61_000;
    while ((await manager.sql('SELECT 1 FROM reservations WHERE id = $1', [reservation_id])).length > 0)
      await sleep(50);
    clock.ahead -= 61_000;
    expect(await manager.sql('SELECT FROM reservations WHERE id = $1', [newer])).toHaveLength(1);
  });

  it('skips a locked reservation in the sweep and releases it later', async () => {
    await setBudget(manager, 'user', user, '2');
    const [{ reservation_id: settling }, { reservation_id: other }] = [
      await requestAdmission(),
      await requestAdmission(),
    ];
    const held = manager.sql(
      `WITH held AS MATERIALIZED (SELECT id FROM reservations WHERE id = $1 FOR UPDATE), wait AS MATERIALIZED (SELECT pg_sleep(2.5) FROM held)
       SELECT r.released_at IS NULL AS untouched FROM wait, reservations r WHERE r.id = $1`,
      [settling],
    );
    await sleep(100);
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [other]);
    const expiry = manager.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1 RETURNING 1`,
      [settling],
    );
    await expire(other);
    expect(await held).toEqual([{ untouched: true }]);
    await expiry;
    await expire(settling);
    expect(await readCells(manager, user)).toMatchObject({ month: '0+0' });
  });

  describe('POST /gateway/v1/reservations/{reservation_id}/extend', () => {
    const extend = (reservation_id: string, seconds: number) =>
      manager.client.call<{ expires_at: string; error: string }>(
        'POST /gateway/v1/reservations/{reservation_id}/extend',
        { token: manager.tokens.gateway, path: { reservation_id }, body: { seconds } },
      );

    it('extends from now and never shortens', async () => {
      await setBudget(manager, 'user', user, '2');
      const { reservation_id, expires_at } = await requestAdmission();
      expect((await extend(reservation_id, 30)).body.expires_at).toBe(expires_at);
      const before = clock.now().getTime();
      const longer = await extend(reservation_id, 7_200);
      expect(Date.parse(longer.body.expires_at)).toBeGreaterThanOrEqual(before + 7_200_000);
      clock.ahead += LATER_MS;
      expect((await extend(reservation_id, 60)).status).toBe(200);
      clock.ahead -= LATER_MS;
    });

    it('returns 404 for expired and unknown reservations and for leases', async () => {
      await setBudget(manager, 'user', user, '2');
      const { reservation_id } = await requestAdmission();
      await expire(reservation_id);
      expect((await extend(reservation_id, 60)).status).toBe(404);
      expect((await extend(randomUUID(), 60)).status).toBe(404);
      const { body } = await manager.client.call<{ lease_id: string }>('POST /gateway/v1/budget-leases', {
        token: manager.tokens.gateway,
        body: lease(toPrincipal()),
      });
      expect((await extend(body.lease_id, 60)).status).toBe(404);
    });
  });

  it('names each invalid field and makes no decision', async () => {
    await setBudget(manager, 'user', user, '100');
    const good = admission(toPrincipal());
    const bad: [object, RegExp][] = [
      [{ interaction_id: '' }, /^interaction_id: /],
      [{ interaction_id: 'x'.repeat(257) }, /^interaction_id: /],
      [{ interaction_id: 'a\u0000b' }, /interaction_id|body/],
      [{ attempt: 0 }, /^attempt: /],
      [{ attempt: 1.5 }, /^attempt: /],
      [{ attempt: '1' }, /^attempt: /],
      [{ attempt: 1e12 }, /^attempt: /],
      [{ principal: { issuer: 'https://issuer.example.com' } }, /^principal: must be either/],
      [{ principal: { ...toPrincipal(), virtual_key_id: 'k' } }, /^principal: must be either/],
      [{ principal: {} }, /^principal: must be either/],
      [{ principal: null }, /^principal: must be either/],
      [{ estimate: { prompt_tokens: -1 } }, /^estimate\.prompt_tokens: /],
      [{ estimate: { prompt_tokens: 1e9 + 1 } }, /^estimate\.prompt_tokens: /],
      [{ estimate: { prompt_tokens: 1, max_output_tokens: null } }, /^estimate\.max_output_tokens: /],
      [{ estimate: {} }, /^estimate\.prompt_tokens: /],
      [{ model: '' }, /^model: /],
      // A report of its usage could not contain these names.
      [{ model: '\u6a21'.repeat(171) }, /^model: must have at most 512 bytes/],
      [{ provider: '\u6a21'.repeat(86) }, /^provider: must have at most 256 bytes/],
      [{ surprise: 1 }, /^surprise: is not a known field/],
    ];
    for (const [change, sentence] of bad) {
      const response = await admit({ ...good, ...change });
      expect([change, response.status, response.body.error]).toEqual([change, 400, expect.stringMatching(sentence)]);
    }
    expect((await admit({ ...good, gateway_id: 'unknown' })).status).toBe(404);
    expect(await readCells(manager, user)).toEqual({});
  });
});

describe('POST /webhooks/budgets/admission with REQUIRE_BUDGET', () => {
  it('denies users without any budget with no_budget, also for a free model', async () => {
    const manager = await startManager({ environment: { REQUIRE_BUDGET: 'true' } });
    try {
      await makePrices(manager);
      const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
      const requestAdmission = async (overrides = {}) =>
        (
          await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
            token: manager.tokens.gateway,
            body: admission(alice, overrides),
          })
        ).body;
      expect(await requestAdmission()).toMatchObject({ decision: 'denied', reason: 'no_budget' });
      expect(await requestAdmission({ model: 'free' })).toMatchObject({ decision: 'denied', reason: 'no_budget' });
      await setBudget(manager, 'user', 'alice', '1');
      expect(await requestAdmission()).toMatchObject({ decision: 'admitted' });
    } finally {
      await manager.close();
    }
  }, 60_000);
});

describe('POST /webhooks/budgets/admission without prices', () => {
  it('denies each request and lease as unpriceable', async () => {
    const manager = await startManager();
    try {
      await manager.sql('TRUNCATE pricing_catalogs');
      const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
      const token = manager.tokens.gateway;
      const response = await manager.client.call('POST /webhooks/budgets/admission', { token, body: admission(alice) });
      expect(response.body).toMatchObject({ decision: 'denied', reason: 'unpriceable' });
      const leased = await manager.client.call('POST /gateway/v1/budget-leases', { token, body: lease(alice) });
      expect(leased.body).toEqual({ granted_usd: '0', reason: 'unpriceable' });
    } finally {
      await manager.close();
    }
  }, 60_000);
});
