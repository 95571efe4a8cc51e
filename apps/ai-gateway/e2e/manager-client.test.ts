import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManagerConnection } from '@gatehouse/service-kit/manager-connection';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { createHash, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AttemptRequest } from '../src/admission/budget-calls.ts';
import { ManagerClient } from '../src/manager/manager-client.ts';
import { GATEWAY_ID, type RealManager, startRealManager } from './support/real-manager.ts';

const MODEL = { provider: 'openai', model: 'gpt-5' } as const;

describe('ManagerClient', () => {
  let manager: RealManager;
  let client: ManagerClient;
  beforeAll(async () => {
    manager = await startRealManager();
    client = new ManagerClient(manager.connection, GATEWAY_ID);
  }, 60_000);
  afterAll(() => manager.close());

  const createSignal = () => AbortSignal.timeout(10_000);
  const getPrincipal = (subject = 'alice') => ({ issuer: manager.issuer.issuer, subject });
  const createAttempt = (more: Partial<AttemptRequest> = {}): AttemptRequest => ({
    interaction_id: randomUUID(),
    attempt: 1,
    principal: getPrincipal(),
    ...MODEL,
    requested_model: 'gpt-5',
    route: 'gpt-5',
    estimate: { prompt_tokens: 10, max_output_tokens: 10 },
    ...more,
  });
  const createLease = () => ({
    lease_id: uuidv7(),
    principal: getPrincipal(),
    amount_usd: '2',
    ttl_seconds: 60,
  });
  const catchError = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ManagerError) return error;
    throw new Error(`unexpected: ${String(error)}`);
  };

  it('pings, admits an attempt, extends its reservation and reports its usage', async () => {
    await client.ping(createSignal());
    const request = createAttempt();
    const answer = await client.admit(request, createSignal());
    expect(answer).toMatchObject({ decision: 'admitted', reservation_id: expect.any(String) });
    const reservation_id = answer.reservation_id ?? '';
    await client.extendReservation(reservation_id, 600, createSignal());
    const { estimate: _, ...attempt } = request;
    const report = {
      ...attempt,
      gateway_id: GATEWAY_ID,
      reservation_id,
      event_time: answer.admitted_at,
      outcome: 'delivered',
      upstream_status: 200,
      duration_ms: 12,
      raw_usage: { prompt_tokens: 10, completion_tokens: 5 },
    };
    const reports = JSON.stringify([report, { ...report, attempt: 'x' }, report]);
    expect(await client.deliverUsage(reports, createSignal())).toMatchObject([
      { status: 'charged', charged_usd: expect.stringMatching(/^0\.\d{9}$/), basis: 'reported' },
      { status: 'rejected', error: expect.stringContaining('attempt') },
      { status: 'duplicate' },
    ]);
  });

  it('takes a lease with its prices, and returns it', async () => {
    const request = createLease();
    const lease = await client.grantLease(request, createSignal());
    expect(lease).toMatchObject({ lease_id: request.lease_id, granted_usd: '2.000000000', key_version: 0 });
    expect(await client.grantLease(request, createSignal())).toEqual(lease);
    const prices = await client.fetchPriceList(lease.pricing_catalog_id ?? '', createSignal());
    expect(prices.find(MODEL.provider, MODEL.model)?.vendor).toBe('openai');
    expect(prices.find(MODEL.provider, 'unknown')).toBeUndefined();
    await client.returnLease(request.lease_id, '2', createSignal());
    await client.returnLease(request.lease_id, '2', createSignal());
  });

  it('tells a refusal from an outage', async () => {
    const request = createAttempt();
    await client.admit(request, createSignal());
    const other = { ...request, estimate: { prompt_tokens: 11 } };
    const refusals = [
      await catchError(client.admit(other, createSignal())),
      await catchError(client.fetchPriceList(randomUUID(), createSignal())),
      await catchError(client.returnLease(uuidv7(), '1', createSignal())),
      await catchError(client.extendReservation(randomUUID(), 1, createSignal())),
      await catchError(client.revealSecret(randomUUID())),
      await catchError(new ManagerClient(manager.connection, 'other').grantLease(createLease(), createSignal())),
    ];
    expect(refusals.map(({ status, isOutage }) => [status, isOutage])).toEqual(
      [409, 404, 404, 404, 404, 404].map((status) => [status, false]),
    );
    const nowhere = new ManagerConnection('http://127.0.0.1:1', {
      get: () => Promise.resolve('x'),
      forget: () => undefined,
    });
    const outage = await catchError(new ManagerClient(nowhere, GATEWAY_ID).admit(request, createSignal()));
    expect([outage.status, outage.isOutage]).toEqual([undefined, true]);
  });

  it('resolves keys and hears of their changes', async () => {
    const resolve = (secret: string) =>
      client.resolveKey(createHash('sha256').update(secret).digest('hex'), createSignal());
    const { version } = await client.fetchKeyChanges(undefined, 0, createSignal());
    const { key, secret } = await manager.call<{ key: { id: string }; secret: string }>(
      'alice',
      'POST',
      '/v1/keys',
      {},
    );
    const changes = await client.fetchKeyChanges(version, 30, createSignal());
    expect(changes).toMatchObject({ keys: [{ key_id: key.id }], groups_changed: false, reset: false });
    expect(await resolve(secret)).toMatchObject({
      key_id: key.id,
      owner: getPrincipal(),
      claims: { iss: manager.issuer.issuer, sub: 'alice', email: 'alice@example.test', groups: [] },
    });
    expect(await resolve('never created')).toBeUndefined();
  });
});
