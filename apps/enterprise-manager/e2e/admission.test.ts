import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admitted,
  type PrincipalBody,
  admission,
  cellsOf,
  lease,
  makePeople,
  makePrices,
  setBudget,
  wrongCells,
} from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey } from './keys-samples.ts';

/** A clock that a test can put forward. */
class TestClock extends Clock {
  ahead = 0;
  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

const LATER_MS = 90_000;

describe('admission', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let prices: string;
  /** Somebody new for each test. */
  let person: string;

  beforeAll(async () => {
    manager = await startManager({ clock, environment: { RESERVATION_SECONDS: '60' } });
    prices = await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [person = ''] = await makePeople(manager, 1);
  });
  afterAll(async () => {
    expect(await wrongCells(manager)).toEqual([]);
    await manager.close();
  });

  const by = (subject = person): PrincipalBody => ({ issuer: manager.issuer.issuer, subject });
  const admit = (body: object) =>
    manager.client.call<Admitted & { error: string }>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body,
    });
  const ask = async (overrides: Record<string, unknown> = {}, principal = by()) => {
    const { status, body } = await admit(admission(principal, overrides));
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const costing = (usd: number) => ({ estimate: { prompt_tokens: 0, max_output_tokens: usd } });
  const precedence = (group: string, place: number) =>
    manager.sql('INSERT INTO group_precedences (subject_id, precedence) VALUES ($1, $2)', [group, place]);
  const expire = async (id: string) => {
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    for (;;) {
      const [row] = await manager.sql<{ over: boolean }>(
        'SELECT released_at IS NOT NULL AS over FROM reservations WHERE id = $1',
        [id],
      );
      if (row?.over === true) return;
      await sleep(50);
    }
  };

  it('answers a ping with the time', async () => {
    const { status, body } = await manager.client.call<{ status: string; time: string }>('POST /webhooks/ping', {
      token: manager.tokens.gateway,
      body: {},
    });
    expect([status, body.status]).toEqual([200, 'ok']);
    expect(Math.abs(Date.parse(body.time) - Date.now())).toBeLessThan(60_000);
  });

  it('reserves the most that a request can cost in the cells of all periods', async () => {
    await setBudget(manager, 'user', person, '5');
    const answer = await ask(costing(3));
    expect(answer).toEqual({
      decision: 'admitted',
      reservation_id: expect.any(String),
      admitted_at: expect.any(String),
      expires_at: new Date(Date.parse(answer.admitted_at) + 60_000).toISOString(),
      payer: { scope: 'user', subject_id: person },
      reserved_usd: '3.000000000',
      pricing_catalog_id: prices,
    });
    expect(await cellsOf(manager, person)).toEqual({ day: '0+3', month: '0+3', year: '0+3' });
    expect((await ask(costing(3))).decision).toBe('denied');
    expect((await ask(costing(2))).decision).toBe('admitted');
    expect(await cellsOf(manager, person)).toEqual({ day: '0+5', month: '0+5', year: '0+5' });
  });

  it('estimates by the limit of the request, else by that of the model; and finds providers by their alias', async () => {
    const reserved = async (overrides: Record<string, unknown>) => {
      await setBudget(manager, 'user', person, '1000000');
      return (await ask({ model: 'plain', ...overrides })).reserved_usd;
    };
    expect(await reserved({ estimate: { prompt_tokens: 1_000, max_output_tokens: 24 } })).toBe('0.001024000');
    expect(await reserved({ estimate: { prompt_tokens: 1_000 } })).toBe('0.009192000');
    expect(await reserved({ provider: 'azure', estimate: { prompt_tokens: 7, max_output_tokens: 0 } })).toBe(
      '0.000007000',
    );
  });

  describe('asks payers in their order', () => {
    it('the person first, then groups by precedence and id, and takes the first whose every period has room', async () => {
      const groups = await Promise.all([1, 2, 3].map(() => makeGroup(manager)));
      for (const group of groups)
        await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [
          group,
          person,
        ]);
      const [late, first, second] = groups.sort() as [string, string, string];
      await precedence(first, 7);
      await precedence(second, 7);
      await precedence(late, 8);
      await setBudget(manager, 'user', person, '1');
      await setBudget(manager, 'user', person, '100', 'day');
      await setBudget(manager, 'group', first, '2', 'year');
      await setBudget(manager, 'group', second, '1', 'day');
      await setBudget(manager, 'group', late, '1');
      const payers = [];
      for (let n = 0; n < 6; n += 1) {
        const { decision, reason, payer } = await ask();
        payers.push(decision === 'admitted' ? payer?.subject_id : reason);
      }
      expect(payers).toEqual([person, first, first, second, late, 'budget_exhausted']);
      expect(await cellsOf(manager, first)).toEqual({ day: '0+2', month: '0+2', year: '0+2' });
    });

    it('a group that holds the person through a subgroup, however deep', async () => {
      const [outer, middle, inner] = await Promise.all([1, 2, 3].map(() => makeGroup(manager)));
      await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [inner, person]);
      for (const [parent, child] of [
        [outer, middle],
        [middle, inner],
      ])
        await manager.sql('INSERT INTO group_subgroups VALUES ($1, $2, now())', [parent, child]);
      await setBudget(manager, 'group', outer!, '1');
      expect((await ask()).payer).toEqual({ scope: 'group', subject_id: outer });
      expect(await ask()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
    });

    it('the default budget under the person’s own subject, at a period without an own one', async () => {
      await manager.sql(`INSERT INTO default_user_budget (period, limit_usd) VALUES ('day', 2)`);
      try {
        expect((await ask(costing(2))).payer).toEqual({ scope: 'user', subject_id: person });
        expect(await ask()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
        await setBudget(manager, 'user', person, '3', 'day');
        expect((await ask()).decision).toBe('admitted');
        expect((await ask()).decision).toBe('denied');
      } finally {
        await manager.sql('DELETE FROM default_user_budget');
      }
    });

    it('and needs the other periods of a payer too: the fullest decides', async () => {
      await setBudget(manager, 'user', person, '10', 'day');
      await setBudget(manager, 'user', person, '20', 'month');
      await setBudget(manager, 'user', person, '4', 'year');
      expect((await ask(costing(4))).decision).toBe('admitted');
      expect((await ask(costing(1))).decision).toBe('denied');
    });
  });

  describe('refuses', () => {
    const denied = (reason: string) => ({
      decision: 'denied',
      reason,
      message: expect.stringMatching(/administrators/),
      admitted_at: expect.any(String),
    });

    it('what nobody can pay, and leaves nothing behind', async () => {
      await setBudget(manager, 'user', person, '0.5');
      const request = admission(by());
      expect((await admit(request)).body).toEqual(denied('budget_exhausted'));
      expect(await cellsOf(manager, person)).toEqual({});
      expect(await manager.sql('SELECT 1 FROM reservations WHERE subject_id = $1', [person])).toEqual([]);
      await setBudget(manager, 'user', person, '1');
      expect((await admit(request)).body.decision).toBe('admitted');
    });

    it('models without a price, with the same words to the end caller as anything else', async () => {
      await setBudget(manager, 'user', person, '100');
      const answers = await Promise.all([
        ask({ model: 'unheard-of' }),
        ask({ provider: 'anthropic' }),
        ask({ model: 'Dear/answer' }),
        ask(costing(101)),
      ]);
      expect(answers.map(({ reason }) => reason)).toEqual([
        'unpriceable',
        'unpriceable',
        'unpriceable',
        'budget_exhausted',
      ]);
      expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    });

    it('keys that do not work, and people who are not active', async () => {
      await setBudget(manager, 'user', 'alice', '100');
      const { key } = await makeKey(manager);
      const withKey = { virtual_key_id: key.id };
      expect(await ask({}, withKey)).toMatchObject({ decision: 'admitted', payer: { subject_id: 'alice' } });
      await manager.client.call('DELETE /v1/keys/{id}', { token: manager.tokens.alice, path: { id: key.id } });
      expect(await ask({}, withKey)).toEqual(denied('key_inactive'));
      expect(await ask({}, { virtual_key_id: 'no-such-key' })).toEqual(denied('key_inactive'));
      expect(await ask({}, by('nobody in the directory'))).toEqual(denied('principal_inactive'));
      expect(await ask({}, { issuer: 'https://elsewhere.example.com', subject: person })).toEqual(
        denied('principal_inactive'),
      );
      await manager.sql('UPDATE users SET active = FALSE WHERE subject = $1', [person]);
      expect(await ask()).toEqual(denied('principal_inactive'));
    });
  });

  it('admits what is free at an exhausted budget, and reserves nothing', async () => {
    const admitted = async () => {
      expect(await ask()).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
      expect(await ask({ model: 'free', estimate: { prompt_tokens: 1_000_000_000 } })).toMatchObject({
        decision: 'admitted',
        payer: { scope: 'user', subject_id: person },
        reserved_usd: '0.000000000',
      });
    };
    await setBudget(manager, 'user', person, '0');
    await admitted();
    expect(await cellsOf(manager, person)).toEqual({});
    // Also where more is held than the limit has room for.
    await setBudget(manager, 'user', person, '1');
    await ask();
    await setBudget(manager, 'user', person, '0.5');
    await admitted();
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
  });

  it('admits people for whom no budget exists, without a payer', async () => {
    const answer = await ask(costing(1_000_000_000));
    expect(answer).toMatchObject({
      decision: 'admitted',
      reserved_usd: '0.000000000',
      pricing_catalog_id: prices,
    });
    expect(answer.payer).toBeUndefined();
    expect(await cellsOf(manager, person)).toEqual({});
  });

  describe('of an attempt that was admitted before', () => {
    it('answers the first decision byte for byte, whatever has changed', async () => {
      await setBudget(manager, 'user', person, '1');
      const body = admission(by());
      const raw = async () => {
        const response = await fetch(`${manager.baseUrl}/webhooks/budgets/admission`, {
          method: 'POST',
          headers: { authorization: `Bearer ${manager.tokens.gateway}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return response.text();
      };
      const first = await raw();
      await setBudget(manager, 'user', person, '0');
      await makePrices(manager);
      clock.ahead += 1_000;
      expect(await Promise.all([raw(), raw(), raw()])).toEqual([first, first, first]);
      prices = (JSON.parse(await raw()) as Admitted).pricing_catalog_id;
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
    });

    it('admits it once, also when it is asked for many times at once', async () => {
      await setBudget(manager, 'user', person, '3');
      const body = admission(by());
      const answers = await Promise.all(Array.from({ length: 20 }, () => admit(body)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
      const next = await admit({ ...body, attempt: 2 });
      expect(next.body.reservation_id).not.toBe(answers[0]?.body.reservation_id);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+2' });
    });

    it('is 409 with other content, and changes nothing', async () => {
      await setBudget(manager, 'user', person, '3');
      const [other = ''] = await makePeople(manager, 1);
      const body = admission(by());
      await admit(body);
      for (const change of [
        { principal: by(other) },
        { principal: { virtual_key_id: 'another' } },
        { model: 'free' },
        { requested_model: 'else' },
        { provider: 'azure' },
        { route: '/v1/responses' },
        costing(2),
        { estimate: { ...body.estimate, prompt_tokens: 11 } },
        { estimate: { prompt_tokens: 10 } },
      ]) {
        const answer = await admit({ ...body, ...change });
        expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/^attempt: /)]);
      }
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
    });

    it('is 409 once its usage has been taken in: the upstream would be asked again for nothing', async () => {
      await setBudget(manager, 'user', person, '3');
      const body = admission(by());
      await manager.sql(
        `INSERT INTO usage_claims (interaction_id, attempt, event_id, event_time, content_sha256) VALUES ($1, 1, $2, now(), '')`,
        [body.interaction_id, randomUUID()],
      );
      const answer = await admit(body);
      expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/already reported/)]);
      expect((await admit({ ...body, attempt: 2 })).body.decision).toBe('admitted');
    });

    it('is 409 once its reservation has expired, swept or not', async () => {
      await setBudget(manager, 'user', person, '3');
      const body = admission(by());
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

  it('gives what an expired reservation held back, keeps the row for late usage, and forgets it after 30 days', async () => {
    await setBudget(manager, 'user', person, '1');
    const { reservation_id } = await ask();
    expect((await ask()).decision).toBe('denied');
    await expire(reservation_id);
    expect(await cellsOf(manager, person)).toEqual({ day: '0+0', month: '0+0', year: '0+0' });
    const [row] = await manager.sql('SELECT held_usd, amount_usd, payer_subject_id FROM reservations WHERE id = $1', [
      reservation_id,
    ]);
    expect(row).toEqual({ held_usd: '0.000000000', amount_usd: '1.000000000', payer_subject_id: person });
    const { decision, reservation_id: younger } = await ask();
    expect(decision).toBe('admitted');
    await expire(younger);
    const released = (id: string, ago: string) =>
      manager.sql('UPDATE reservations SET released_at = now() - $2::interval WHERE id = $1', [id, ago]);
    await released(younger, '29 days 23 hours');
    await released(reservation_id, '30 days');
    clock.ahead += 61_000;
    while ((await manager.sql('SELECT 1 FROM reservations WHERE id = $1', [reservation_id])).length > 0)
      await sleep(50);
    clock.ahead -= 61_000;
    expect(await manager.sql('SELECT FROM reservations WHERE id = $1', [younger])).toHaveLength(1);
  });

  it('leaves a reservation that is being settled alone, and releases it afterwards if it is still there', async () => {
    await setBudget(manager, 'user', person, '2');
    const [{ reservation_id: settling }, { reservation_id: other }] = [await ask(), await ask()];
    const held = manager.sql(
      `WITH held AS MATERIALIZED (SELECT id FROM reservations WHERE id = $1 FOR UPDATE), wait AS MATERIALIZED (SELECT pg_sleep(2.5) FROM held)
       SELECT r.released_at IS NULL AS untouched FROM wait, reservations r WHERE r.id = $1`,
      [settling],
    );
    await sleep(100);
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [other]);
    const over = manager.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1 RETURNING 1`,
      [settling],
    );
    await expire(other);
    expect(await held).toEqual([{ untouched: true }]);
    await over;
    await expire(settling);
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+0' });
  });

  describe('extends reservations', () => {
    const extend = (reservation_id: string, seconds: number) =>
      manager.client.call<{ expires_at: string; error: string }>(
        'POST /gateway/v1/reservations/{reservation_id}/extend',
        { token: manager.tokens.gateway, path: { reservation_id }, body: { seconds } },
      );

    it('from now on, and never makes them shorter', async () => {
      await setBudget(manager, 'user', person, '2');
      const { reservation_id, expires_at } = await ask();
      expect((await extend(reservation_id, 30)).body.expires_at).toBe(expires_at);
      const before = clock.now().getTime();
      const longer = await extend(reservation_id, 7_200);
      expect(Date.parse(longer.body.expires_at)).toBeGreaterThanOrEqual(before + 7_200_000);
      clock.ahead += LATER_MS;
      expect((await extend(reservation_id, 60)).status).toBe(200);
      clock.ahead -= LATER_MS;
    });

    it('but not those that are over, unknown, or leases', async () => {
      await setBudget(manager, 'user', person, '2');
      const { reservation_id } = await ask();
      await expire(reservation_id);
      expect((await extend(reservation_id, 60)).status).toBe(404);
      expect((await extend(randomUUID(), 60)).status).toBe(404);
      const { body } = await manager.client.call<{ lease_id: string }>('POST /gateway/v1/budget-leases', {
        token: manager.tokens.gateway,
        body: lease(by()),
      });
      expect((await extend(body.lease_id, 60)).status).toBe(404);
    });
  });

  it('names every bad field, and decides nothing', async () => {
    await setBudget(manager, 'user', person, '100');
    const good = admission(by());
    const bad: [object, RegExp][] = [
      [{ interaction_id: '' }, /^interaction_id: /],
      [{ interaction_id: 'x'.repeat(257) }, /^interaction_id: /],
      [{ interaction_id: 'a\u0000b' }, /interaction_id|body/],
      [{ attempt: 0 }, /^attempt: /],
      [{ attempt: 1.5 }, /^attempt: /],
      [{ attempt: '1' }, /^attempt: /],
      [{ attempt: 1e12 }, /^attempt: /],
      [{ principal: { issuer: 'https://issuer.example.com' } }, /^principal: must be either/],
      [{ principal: { ...by(), virtual_key_id: 'k' } }, /^principal: must be either/],
      [{ principal: {} }, /^principal: must be either/],
      [{ principal: null }, /^principal: must be either/],
      [{ estimate: { prompt_tokens: -1 } }, /^estimate\.prompt_tokens: /],
      [{ estimate: { prompt_tokens: 1e9 + 1 } }, /^estimate\.prompt_tokens: /],
      [{ estimate: { prompt_tokens: 1, max_output_tokens: null } }, /^estimate\.max_output_tokens: /],
      [{ estimate: {} }, /^estimate\.prompt_tokens: /],
      [{ model: '' }, /^model: /],
      // What a report of its usage could not name.
      [{ model: '\u6a21'.repeat(171) }, /^model: must have at most 512 bytes/],
      [{ provider: '\u6a21'.repeat(86) }, /^provider: must have at most 256 bytes/],
      [{ surprise: 1 }, /^surprise: is not a known field/],
    ];
    for (const [change, sentence] of bad) {
      const answer = await admit({ ...good, ...change });
      expect([change, answer.status, answer.body.error]).toEqual([change, 400, expect.stringMatching(sentence)]);
    }
    expect((await admit({ ...good, gateway_id: 'unknown' })).status).toBe(404);
    expect(await cellsOf(manager, person)).toEqual({});
  });
});

describe('admission that requires a budget', () => {
  it('refuses people for whom none exists with no_budget, also for what is free', async () => {
    const manager = await startManager({ environment: { REQUIRE_BUDGET: 'true' } });
    try {
      await makePrices(manager);
      const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
      const ask = async (overrides = {}) =>
        (
          await manager.client.call<Admitted>('POST /webhooks/budgets/admission', {
            token: manager.tokens.gateway,
            body: admission(alice, overrides),
          })
        ).body;
      expect(await ask()).toMatchObject({ decision: 'denied', reason: 'no_budget' });
      expect(await ask({ model: 'free' })).toMatchObject({ decision: 'denied', reason: 'no_budget' });
      await setBudget(manager, 'user', 'alice', '1');
      expect(await ask()).toMatchObject({ decision: 'admitted' });
    } finally {
      await manager.close();
    }
  }, 60_000);
});

describe('admission before there are any prices', () => {
  it('finds everything unpriceable, and grants no lease', async () => {
    const manager = await startManager();
    try {
      await manager.sql('TRUNCATE pricing_catalogs');
      const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
      const token = manager.tokens.gateway;
      const answer = await manager.client.call('POST /webhooks/budgets/admission', { token, body: admission(alice) });
      expect(answer.body).toMatchObject({ decision: 'denied', reason: 'unpriceable' });
      const leased = await manager.client.call('POST /gateway/v1/budget-leases', { token, body: lease(alice) });
      expect(leased.body).toEqual({ granted_usd: '0', reason: 'unpriceable' });
    } finally {
      await manager.close();
    }
  }, 60_000);
});
