import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admitted,
  type Leased,
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
import { deriveReservationId } from '../src/billing/admission/reservation.ts';

describe('leases', () => {
  let manager: TestManager;
  let prices: string;
  let person: string;

  beforeAll(async () => {
    manager = await startManager();
    prices = await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [person = ''] = await makePeople(manager, 1);
  });
  afterAll(async () => {
    expect(await wrongCells(manager)).toEqual([]);
    await manager.close();
  });

  const by = () => ({ issuer: manager.issuer.issuer, subject: person });
  const send = (body: object) =>
    manager.client.call<Leased & { error: string }>('POST /gateway/v1/budget-leases', {
      token: manager.tokens.gateway,
      body,
    });
  const take = async (amount_usd: string, overrides: Record<string, unknown> = {}) => {
    const { status, body } = await send(lease(by(), { amount_usd, ...overrides }));
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const giveBack = async (lease_id: string, unused_usd: string) => {
    const { status } = await manager.client.call('DELETE /gateway/v1/budget-leases/{lease_id}', {
      token: manager.tokens.gateway,
      path: { lease_id },
      body: { unused_usd },
    });
    return status;
  };
  const admitted = async () =>
    (
      await manager.client.call<Admitted>('POST /webhooks/budgets/admission', {
        token: manager.tokens.gateway,
        body: admission(by()),
      })
    ).body.decision;
  const expired = async (id: string) => {
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    while ((await manager.sql('SELECT 1 FROM reservations WHERE id = $1 AND released_at IS NULL', [id])).length > 0)
      await sleep(50);
  };

  it('hold what they grant in all cells of their payer', async () => {
    await setBudget(manager, 'user', person, '10');
    const before = Date.now();
    const granted = await take('7.5', { ttl_seconds: 120 });
    expect(granted).toEqual({
      lease_id: expect.any(String),
      granted_usd: '7.500000000',
      payer: { scope: 'user', subject_id: person },
      expires_at: expect.any(String),
      pricing_catalog_id: prices,
      key_version: 0,
    });
    expect(Date.parse(granted.expires_at)).toBeGreaterThanOrEqual(before + 120_000);
    expect(await cellsOf(manager, person)).toEqual({ day: '0+7.5', month: '0+7.5', year: '0+7.5' });
  });

  it('grant what a limit leaves, and nothing where it leaves nothing; what is admitted counts too', async () => {
    await setBudget(manager, 'user', person, '3.5');
    expect(await admitted()).toBe('admitted');
    expect((await take('100')).granted_usd).toBe('2.500000000');
    expect(await take('0.000000001')).toEqual({ granted_usd: '0', reason: 'budget_exhausted' });
    expect(await admitted()).toBe('denied');
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+3.5' });
  });

  it('are of the first payer in order with anything left', async () => {
    const group = await makeGroup(manager);
    await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [group, person]);
    await setBudget(manager, 'user', person, '2');
    await setBudget(manager, 'group', group, '50');
    expect(await take('10')).toMatchObject({ granted_usd: '2.000000000', payer: { scope: 'user' } });
    expect(await take('10')).toMatchObject({ granted_usd: '10.000000000', payer: { subject_id: group } });
  });

  it('are unlimited where no budget exists, have no payer then, and hold nothing', async () => {
    const granted = await take('12345');
    expect([granted.granted_usd, granted.payer]).toEqual(['12345.000000000', undefined]);
    expect(await cellsOf(manager, person)).toEqual({});
    expect(await giveBack(granted.lease_id, '12345')).toBe(204);
    await expired(granted.lease_id);
  });

  it('are not granted for keys and people that are not active; the version of a key is told', async () => {
    await setBudget(manager, 'user', 'alice', '100');
    const { key } = await makeKey(manager);
    const ofKey = () => lease({ virtual_key_id: key.id });
    expect((await send(ofKey())).body.key_version).toBeGreaterThan(0);
    await manager.client.call('DELETE /v1/keys/{id}', { token: manager.tokens.alice, path: { id: key.id } });
    expect((await send(ofKey())).body).toEqual({ granted_usd: '0', reason: 'key_inactive' });
    await manager.sql('UPDATE users SET active = FALSE WHERE subject = $1', [person]);
    expect(await take('1')).toEqual({ granted_usd: '0', reason: 'principal_inactive' });
  });

  describe('that are asked for again', () => {
    it('are the same lease for the same content, however often and at once', async () => {
      await setBudget(manager, 'user', person, '10');
      const body = lease(by(), { amount_usd: '4' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)));
      answers.push(await send(body));
      expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
      expect(answers[0]?.body).toMatchObject({ lease_id: body.lease_id, granted_usd: '4.000000000' });
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+4' });
    });

    it('keep the version of the key that the first answer had', async () => {
      await setBudget(manager, 'user', 'alice', '100');
      const { key } = await makeKey(manager);
      const body = lease({ virtual_key_id: key.id });
      const first = (await send(body)).body;
      await manager.client.call('POST /v1/keys/{id}/disable', {
        token: manager.tokens.alice,
        path: { id: key.id },
      });
      expect((await send(body)).body).toEqual(first);
    });

    it('are 409 with other content', async () => {
      await setBudget(manager, 'user', person, '10');
      const [other = ''] = await makePeople(manager, 1);
      const body = lease(by());
      await send(body);
      for (const change of [
        { amount_usd: '5.5' },
        { ttl_seconds: 61 },
        { principal: { issuer: manager.issuer.issuer, subject: other } },
      ]) {
        const answer = await send({ ...body, ...change });
        expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/^lease_id: .*other content/)]);
      }
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+5' });
      expect(await cellsOf(manager, other)).toEqual({});
    });

    it('are 409 once they were returned or are over', async () => {
      await setBudget(manager, 'user', person, '10');
      const [returned, ended] = [lease(by()), lease(by())];
      await send(returned);
      await send(ended);
      expect(await giveBack(returned.lease_id, '5')).toBe(204);
      await expired(ended.lease_id);
      for (const body of [returned, ended]) {
        const answer = await send(body);
        expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/^lease_id: this lease was/)]);
      }
    });

    it('may be granted later where nothing was granted', async () => {
      await setBudget(manager, 'user', person, '0');
      const body = lease(by());
      expect((await send(body)).body).toEqual({ granted_usd: '0', reason: 'budget_exhausted' });
      await setBudget(manager, 'user', person, '10');
      expect((await send(body)).body.granted_usd).toBe('5.000000000');
    });
  });

  describe('that are returned', () => {
    it('give back what was not needed, once, and keep the rest until they end', async () => {
      await setBudget(manager, 'user', person, '10');
      const { lease_id } = await take('8');
      expect(await giveBack(lease_id, '5')).toBe(204);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+3' });
      expect(await giveBack(lease_id, '5')).toBe(204);
      expect(await giveBack(lease_id, '1')).toBe(204);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+3' });
      await expired(lease_id);
      expect(await cellsOf(manager, person)).toEqual({ day: '0+0', month: '0+0', year: '0+0' });
      expect(await giveBack(lease_id, '3')).toBe(204);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+0' });
    });

    it('give back no more than they hold, and also nothing', async () => {
      await setBudget(manager, 'user', person, '10');
      const [greedy, honest] = [await take('4'), await take('4')];
      expect(await giveBack(greedy.lease_id, '999999999999')).toBe(204);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+4' });
      expect(await giveBack(honest.lease_id, '0')).toBe(204);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+4' });
    });

    it('many times at once give back once', async () => {
      await setBudget(manager, 'user', person, '10');
      const { lease_id } = await take('8');
      const answers = await Promise.all(Array.from({ length: 10 }, () => giveBack(lease_id, '3')));
      expect(new Set(answers)).toEqual(new Set([204]));
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+5' });
    });

    it('must be there, and be leases', async () => {
      await setBudget(manager, 'user', person, '10');
      expect(await giveBack(randomUUID(), '1')).toBe(404);
      const { body } = await manager.client.call<Admitted>('POST /webhooks/budgets/admission', {
        token: manager.tokens.gateway,
        body: admission(by()),
      });
      expect(await giveBack(body.reservation_id, '1')).toBe(404);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
    });
  });

  it('name every bad field', async () => {
    await setBudget(manager, 'user', person, '10');
    for (const [change, sentence] of [
      [{ amount_usd: 5 }, /^amount_usd: must be a string/],
      [{ amount_usd: '0' }, /^amount_usd: must be more than 0/],
      [{ amount_usd: '-1' }, /^amount_usd: must be a decimal/],
      [{ amount_usd: '1e3' }, /^amount_usd: must be a decimal/],
      [{ amount_usd: 'NaN' }, /^amount_usd: must be a decimal/],
      [{ amount_usd: '١' }, /^amount_usd: must be a decimal/],
      [{ amount_usd: '0.0000000001' }, /^amount_usd: must have at most 9/],
      [{ amount_usd: '1'.repeat(40) }, /^amount_usd: must have at most 12/],
      [{ ttl_seconds: 0 }, /^ttl_seconds: /],
      [{ ttl_seconds: 3_601 }, /^ttl_seconds: /],
      [{ ttl_seconds: '60' }, /^ttl_seconds: /],
      [{ principal: 'alice' }, /^principal: must be either/],
      [{ lease_id: undefined }, /^lease_id: /],
      [{ lease_id: 'mine' }, /^lease_id: must be a UUID/],
      [{ lease_id: randomUUID() }, /^lease_id: must be a UUID of version 7/],
      [{ lease_id: deriveReservationId('interaction', 1) }, /^lease_id: must be a UUID of version 7/],
    ] as [object, RegExp][]) {
      const answer = await send(lease(by(), { ...change }));
      expect([change, answer.status, answer.body.error]).toEqual([change, 400, expect.stringMatching(sentence)]);
    }
    expect((await send(lease(by(), { gateway_id: 'unknown' }))).status).toBe(404);
    expect(await cellsOf(manager, person)).toEqual({});
  });
});
