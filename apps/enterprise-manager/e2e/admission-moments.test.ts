import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdmissionResponse, admission, readCells, makeUsers, makePrices, setBudget } from './admission-scene.ts';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey } from './keys-samples.ts';
import { ledgerDifferences } from './ledger.ts';

describe('expiry', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let token: string;
  let user: string;

  beforeAll(async () => {
    manager = await startManager({ clock });
    token = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], expiresIn: 86_400 });
    await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [user = ''] = await makeUsers(manager, 1);
    await setBudget(manager, 'user', user, '10');
  });
  afterAll(async () => {
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    await manager.close();
  });

  const admit = async (body: object = admission({ issuer: manager.issuer.issuer, subject: user })) => {
    const response = await manager.client.call<AdmissionResponse>('POST /webhooks/budgets/admission', { token, body });
    return { sent: body, status: response.status, ...response.body };
  };
  const extend = (reservation_id: string, seconds: number) =>
    manager.client.call<{ expires_at: string }>('POST /gateway/v1/reservations/{reservation_id}/extend', {
      ...{ token, path: { reservation_id }, body: { seconds } },
    });

  it('ends a reservation at the millisecond of expires_at, and until then repeats and extensions succeed', async () => {
    const [{ sent, reservation_id, expires_at }, other] = [await admit(), await admit()];
    clock.time = Date.parse(expires_at) - 1;
    expect(await admit(sent)).toMatchObject({ status: 200, reservation_id });
    expect((await extend(other.reservation_id, 60)).status).toBe(200);
    clock.time = Date.parse(expires_at);
    expect(await admit(sent)).toMatchObject({ status: 409 });
    expect((await extend(reservation_id, 60)).status).toBe(404);
    expect((await extend(other.reservation_id, 60)).status).toBe(200);
  });

  it('releases only the expired reservation', async () => {
    const [first, second] = [await admit(), await admit()];
    const remainingSeconds = (Date.parse(second.expires_at) - clock.time) / 1_000;
    expect((await extend(second.reservation_id, remainingSeconds + 1)).status).toBe(200);
    clock.time = Date.parse(first.expires_at);
    const readReleased = (id: string) =>
      manager.sql('SELECT FROM reservations WHERE id = $1 AND released_at IS NOT NULL', [id]);
    while ((await readReleased(first.reservation_id)).length === 0) await sleep(20);
    expect(await readReleased(second.reservation_id)).toEqual([]);
    expect(await readCells(manager, user)).toMatchObject({ month: '0+1' });
    clock.time += 1_000;
    while ((await readReleased(second.reservation_id)).length === 0) await sleep(20);
    expect(await readCells(manager, user)).toMatchObject({ month: '0+0' });
  });

  it('ends a key at the millisecond of expires_at', async () => {
    const alice = await manager.issuer.token({ subject: 'alice', expiresIn: 86_400 });
    const { key } = await makeKey(manager, alice, { ttl_seconds: 60 });
    const createdAt = clock.time;
    const decide = async () => (await admit(admission({ virtual_key_id: key.id }))).reason ?? 'admitted';
    clock.time = createdAt + 59_999;
    expect(await decide()).toBe('admitted');
    clock.time = createdAt + 60_000;
    expect(await decide()).toBe('key_inactive');
  });
});
