import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admitted, admission, cellsOf, makePeople, makePrices, setBudget } from './admission-scene.ts';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey } from './keys-samples.ts';
import { ledgerDifferences } from './ledger.ts';

describe('what ends at a moment', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let token: string;
  let person: string;

  beforeAll(async () => {
    manager = await startManager({ clock });
    token = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], expiresIn: 86_400 });
    await makePrices(manager);
  }, 60_000);
  beforeEach(async () => {
    [person = ''] = await makePeople(manager, 1);
    await setBudget(manager, 'user', person, '10');
  });
  afterAll(async () => {
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    await manager.close();
  });

  const admit = async (body: object = admission({ issuer: manager.issuer.issuer, subject: person })) => {
    const answer = await manager.client.call<Admitted>('POST /webhooks/budgets/admission', { token, body });
    return { sent: body, status: answer.status, ...answer.body };
  };
  const extend = (reservation_id: string, seconds: number) =>
    manager.client.call<{ expires_at: string }>('POST /gateway/v1/reservations/{reservation_id}/extend', {
      ...{ token, path: { reservation_id }, body: { seconds } },
    });

  it('is a reservation, at the very millisecond that was told: until then a repeat is told of it, and it can be extended', async () => {
    const [{ sent, reservation_id, expires_at }, other] = [await admit(), await admit()];
    clock.time = Date.parse(expires_at) - 1;
    expect(await admit(sent)).toMatchObject({ status: 200, reservation_id });
    expect((await extend(other.reservation_id, 60)).status).toBe(200);
    clock.time = Date.parse(expires_at);
    expect(await admit(sent)).toMatchObject({ status: 409 });
    expect((await extend(reservation_id, 60)).status).toBe(404);
    expect((await extend(other.reservation_id, 60)).status).toBe(200);
  });

  it('is each reservation by itself: when others end, nothing of it is given back', async () => {
    const [ending, living] = [await admit(), await admit()];
    const held = (Date.parse(living.expires_at) - clock.time) / 1_000;
    expect((await extend(living.reservation_id, held + 1)).status).toBe(200);
    clock.time = Date.parse(ending.expires_at);
    const released = (id: string) =>
      manager.sql('SELECT FROM reservations WHERE id = $1 AND released_at IS NOT NULL', [id]);
    while ((await released(ending.reservation_id)).length === 0) await sleep(20);
    expect(await released(living.reservation_id)).toEqual([]);
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+1' });
    clock.time += 1_000;
    while ((await released(living.reservation_id)).length === 0) await sleep(20);
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+0' });
  });

  it('is a key: in its last millisecond it admits, and then no more', async () => {
    const alice = await manager.issuer.token({ subject: 'alice', expiresIn: 86_400 });
    const { key } = await makeKey(manager, alice, { ttl_seconds: 60 });
    const made = clock.time;
    const admitted = async () => (await admit(admission({ virtual_key_id: key.id }))).reason ?? 'admitted';
    clock.time = made + 59_999;
    expect(await admitted()).toBe('admitted');
    clock.time = made + 60_000;
    expect(await admitted()).toBe('key_inactive');
  });
});
