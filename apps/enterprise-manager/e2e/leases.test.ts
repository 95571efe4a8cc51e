import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AdmissionResponse,
  type LeaseResponse,
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
import { deriveReservationId } from '../src/billing/admission/reservation.ts';

describe('POST /gateway/v1/budget-leases', () => {
  let manager: TestManager;
  let prices: string;
  let user: string;

  beforeAll(async () => {
    manager = await startManager();
    prices = await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [user = ''] = await makeUsers(manager, 1);
  });
  afterAll(async () => {
    expect(await findWrongCells(manager)).toEqual([]);
    await manager.close();
  });

  const toPrincipal = () => ({ issuer: manager.issuer.issuer, subject: user });
  const send = (body: object) =>
    manager.client.call<LeaseResponse & { error: string }>('POST /gateway/v1/budget-leases', {
      token: manager.tokens.gateway,
      body,
    });
  const requestLease = async (amount_usd: string, overrides: Record<string, unknown> = {}) => {
    const { status, body } = await send(lease(toPrincipal(), { amount_usd, ...overrides }));
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const returnLease = async (lease_id: string, unused_usd: string) => {
    const { status } = await manager.client.call('DELETE /gateway/v1/budget-leases/{lease_id}', {
      token: manager.tokens.gateway,
      path: { lease_id },
      body: { unused_usd },
    });
    return status;
  };
  const admit = async () =>
    (
      await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
        token: manager.tokens.gateway,
        body: admission(toPrincipal()),
      })
    ).body.decision;
  const expire = async (id: string) => {
    await manager.sql(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    while ((await manager.sql('SELECT 1 FROM reservations WHERE id = $1 AND released_at IS NULL', [id])).length > 0)
      await sleep(50);
  };

  it('reserves the granted amount in all cells of the payer', async () => {
    await setBudget(manager, 'user', user, '10');
    const before = Date.now();
    const granted = await requestLease('7.5', { ttl_seconds: 120 });
    expect(granted).toEqual({
      lease_id: expect.any(String),
      granted_usd: '7.500000000',
      payer: { scope: 'user', subject_id: user },
      expires_at: expect.any(String),
      pricing_catalog_id: prices,
      key_version: 0,
    });
    expect(Date.parse(granted.expires_at)).toBeGreaterThanOrEqual(before + 120_000);
    expect(await readCells(manager, user)).toEqual({ day: '0+7.5', month: '0+7.5', year: '0+7.5' });
  });

  it('grants at most the remaining amount of a limit, after reservations of requests', async () => {
    await setBudget(manager, 'user', user, '3.5');
    expect(await admit()).toBe('admitted');
    expect((await requestLease('100')).granted_usd).toBe('2.500000000');
    expect(await requestLease('0.000000001')).toEqual({ granted_usd: '0', reason: 'budget_exhausted' });
    expect(await admit()).toBe('denied');
    expect(await readCells(manager, user)).toMatchObject({ month: '0+3.5' });
  });

  it('grants at most the requested share of the remaining amount', async () => {
    await setBudget(manager, 'user', user, '8');
    expect((await requestLease('100', { share_percent: 25 })).granted_usd).toBe('2.000000000');
    expect((await requestLease('1', { share_percent: 25 })).granted_usd).toBe('1.000000000');
    expect((await requestLease('100')).granted_usd).toBe('5.000000000');
    expect(await requestLease('1', { share_percent: 25 })).toEqual({ granted_usd: '0', reason: 'budget_exhausted' });
    const { status, body } = await send(lease(toPrincipal(), { share_percent: 0 }));
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^share_percent/)]);
  });

  it('reserves from the first payer with a remaining amount', async () => {
    const group = await makeGroup(manager);
    await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [group, user]);
    await setBudget(manager, 'user', user, '2');
    await setBudget(manager, 'group', group, '50');
    expect(await requestLease('10')).toMatchObject({ granted_usd: '2.000000000', payer: { scope: 'user' } });
    expect(await requestLease('10')).toMatchObject({ granted_usd: '10.000000000', payer: { subject_id: group } });
  });

  it('returns 404 for an unknown gateway', async () => {
    expect((await send(lease(toPrincipal(), { gateway_id: 'unknown' }))).status).toBe(404);
    expect(await readCells(manager, user)).toEqual({});
  });

  it('grants any amount without a payer and without a reservation when no budget applies', async () => {
    const granted = await requestLease('12345');
    expect([granted.granted_usd, granted.payer]).toEqual(['12345.000000000', undefined]);
    expect(await readCells(manager, user)).toEqual({});
    expect(await returnLease(granted.lease_id, '12345')).toBe(204);
    await expire(granted.lease_id);
  });

  it('denies inactive keys and users, and returns the version of the key', async () => {
    await setBudget(manager, 'user', 'alice', '100');
    const { key } = await makeKey(manager);
    const createKeyLease = () => lease({ virtual_key_id: key.id });
    expect((await send(createKeyLease())).body.key_version).toBeGreaterThan(0);
    await manager.client.call('DELETE /v1/keys/{id}', { token: manager.tokens.alice, path: { id: key.id } });
    expect((await send(createKeyLease())).body).toEqual({ granted_usd: '0', reason: 'key_inactive' });
    await manager.sql('UPDATE users SET active = FALSE WHERE subject = $1', [user]);
    expect(await requestLease('1')).toEqual({ granted_usd: '0', reason: 'principal_inactive' });
  });

  describe('a repeated lease_id', () => {
    it('returns the same lease for the same content, also in parallel', async () => {
      await setBudget(manager, 'user', user, '10');
      const body = lease(toPrincipal(), { amount_usd: '4' });
      const responses = await Promise.all(Array.from({ length: 20 }, () => send(body)));
      responses.push(await send(body));
      expect(new Set(responses.map((response) => JSON.stringify([response.status, response.body]))).size).toBe(1);
      expect(responses[0]?.body).toMatchObject({ lease_id: body.lease_id, granted_usd: '4.000000000' });
      expect(await readCells(manager, user)).toMatchObject({ month: '0+4' });
    });

    it('returns the key version of the first response', async () => {
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

    it('returns 409 for other content', async () => {
      await setBudget(manager, 'user', user, '10');
      const [other = ''] = await makeUsers(manager, 1);
      const body = lease(toPrincipal());
      await send(body);
      for (const change of [
        { amount_usd: '5.5' },
        { ttl_seconds: 61 },
        { principal: { issuer: manager.issuer.issuer, subject: other } },
      ]) {
        const response = await send({ ...body, ...change });
        expect([response.status, response.body.error]).toEqual([
          409,
          expect.stringMatching(/^lease_id: .*other content/),
        ]);
      }
      expect(await readCells(manager, user)).toMatchObject({ month: '0+5' });
      expect(await readCells(manager, other)).toEqual({});
    });

    it('returns 409 after the lease was returned or has expired', async () => {
      await setBudget(manager, 'user', user, '10');
      const [returned, ended] = [lease(toPrincipal()), lease(toPrincipal())];
      await send(returned);
      await send(ended);
      expect(await returnLease(returned.lease_id, '5')).toBe(204);
      await expire(ended.lease_id);
      for (const body of [returned, ended]) {
        const response = await send(body);
        expect([response.status, response.body.error]).toEqual([
          409,
          expect.stringMatching(/^lease_id: this lease was/),
        ]);
      }
    });

    it('can be granted after a denial', async () => {
      await setBudget(manager, 'user', user, '0');
      const body = lease(toPrincipal());
      expect((await send(body)).body).toEqual({ granted_usd: '0', reason: 'budget_exhausted' });
      await setBudget(manager, 'user', user, '10');
      expect((await send(body)).body.granted_usd).toBe('5.000000000');
    });
  });

  describe('DELETE /gateway/v1/budget-leases/{lease_id}', () => {
    it('releases the unused amount once and keeps the rest reserved until the lease ends', async () => {
      await setBudget(manager, 'user', user, '10');
      const { lease_id } = await requestLease('8');
      expect(await returnLease(lease_id, '5')).toBe(204);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+3' });
      expect(await returnLease(lease_id, '5')).toBe(204);
      expect(await returnLease(lease_id, '1')).toBe(204);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+3' });
      await expire(lease_id);
      expect(await readCells(manager, user)).toEqual({ day: '0+0', month: '0+0', year: '0+0' });
      expect(await returnLease(lease_id, '3')).toBe(204);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+0' });
    });

    it('releases at most the reserved amount', async () => {
      await setBudget(manager, 'user', user, '10');
      const [first, second] = [await requestLease('4'), await requestLease('4')];
      expect(await returnLease(first.lease_id, '999999999999')).toBe(204);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+4' });
      expect(await returnLease(second.lease_id, '0')).toBe(204);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+4' });
    });

    it('releases an amount once for parallel requests', async () => {
      await setBudget(manager, 'user', user, '10');
      const { lease_id } = await requestLease('8');
      const responses = await Promise.all(Array.from({ length: 10 }, () => returnLease(lease_id, '3')));
      expect(new Set(responses)).toEqual(new Set([204]));
      expect(await readCells(manager, user)).toMatchObject({ month: '0+5' });
    });

    it('returns 404 for unknown leases and for reservations of requests', async () => {
      await setBudget(manager, 'user', user, '10');
      expect(await returnLease(randomUUID(), '1')).toBe(404);
      const { body } = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', {
        token: manager.tokens.gateway,
        body: admission(toPrincipal()),
      });
      expect(await returnLease(body.reservation_id, '1')).toBe(404);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
    });
  });

  it('names each invalid field', async () => {
    await setBudget(manager, 'user', user, '10');
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
      const response = await send(lease(toPrincipal(), { ...change }));
      expect([change, response.status, response.body.error]).toEqual([change, 400, expect.stringMatching(sentence)]);
    }
    expect((await send(lease(toPrincipal(), { gateway_id: 'unknown' }))).status).toBe(404);
    expect(await readCells(manager, user)).toEqual({});
  });
});
