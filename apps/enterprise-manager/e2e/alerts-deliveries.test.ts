import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { randomUUID } from 'node:crypto';
import {
  listDeliveries,
  LOOPBACK,
  makeAlert,
  type MadeDelivery,
  type Receiver,
  startReceiver,
  setUsage,
  verifyDelivery,
} from './alerts-scene.ts';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

describe('deliveries of budget alerts', () => {
  const clock = new TestClock();
  let manager: TestManager;
  let receiver: Receiver;
  const others: Receiver[] = [];

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK, clock });
  }, 60_000);
  afterAll(() => manager.close());
  beforeEach(async () => {
    clock.time = Date.now();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await manager.sql('DELETE FROM budget_alerts');
    await manager.sql('DELETE FROM budget_alert_deliveries');
    await manager.sql('DELETE FROM budgets');
    await manager.sql('DELETE FROM budget_cells');
    for (const each of [receiver, ...others.splice(0)]) each.close();
  });

  const call = async <Body>(operation: string, request: object = {}) => {
    const token = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: 400 * 86_400 });
    return manager.client.call<Body>(operation, { token, ...request });
  };
  /** Creates an alert for a user with a usage of 85 of 100 USD in this month. */
  const createCrossedAlert = async (more: object = {}) => {
    const subject_id = randomUUID();
    await call('PUT /v1/budgets/users/{id}', { path: { id: subject_id }, body: { limit_usd: '100', period: 'month' } });
    await setUsage(manager, subject_id, '85');
    return makeAlert(manager, { url: receiver.url, scope: 'user', subject_id, thresholds: [80], ...more });
  };
  const readRows = (alertId: string) =>
    manager.sql<MadeDelivery & { next: string | null; body: string }>(
      `SELECT id, state, attempts, body, to_char(next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MSZ') AS next
       FROM budget_alert_deliveries WHERE alert_id = $1 ORDER BY sequence`,
      [alertId],
    );
  const waitForAttempts = (alertId: string, attempts: number) =>
    eventually(
      async () => (await readRows(alertId)).every((row) => row.attempts.length === attempts),
      `${attempts} attempts of each delivery`,
    );
  const waitForDeliveries = (alertId: string, deliveries = 1) =>
    eventually(async () => (await readRows(alertId)).length === deliveries, `${deliveries} deliveries are stored`);

  it('are signed by Standard Webhooks and contain the subject and the usage', async () => {
    const { id, secret, ...alert } = await createCrossedAlert();
    await waitForDeliveries(id);
    await waitForAttempts(id, 1);
    const [delivery] = await listDeliveries(manager, id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }], threshold_percent: 80 });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    const [received] = receiver.received;
    expect(received!.id).toBe(delivery!.id);
    expect(received!.headers['content-type']).toBe('application/json');
    const month = new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth(), 1));
    const next = new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 1));
    expect(verifyDelivery(secret, received!)).toEqual({
      type: 'budget.threshold.crossed',
      timestamp: delivery!.created_at,
      data: {
        scope: 'user',
        subject_id: (alert as unknown as { subject_id: string }).subject_id,
        period: 'month',
        period_start: month.toISOString(),
        period_end: next.toISOString(),
        limit_usd: '100.000000000',
        used_usd: '85.000000000',
        reserved_usd: '0.000000000',
        threshold_percent: 80,
        alert_id: id,
        sequence: delivery!.sequence,
      },
    });
    expect(() => verifyDelivery(`whsec_${Buffer.alloc(32).toString('base64')}`, received!)).toThrow();
    expect(() => verifyDelivery(secret, { ...received!, text: received!.text.replace('85', '86') })).toThrow();
  });

  it('are attempted ten times by the schedule with the same body and a new signature, and can be resent after the failure', async () => {
    receiver.respondWith((response) => void response.writeHead(500).end('a secret of the target'));
    const { id, secret } = await createCrossedAlert();
    await waitForDeliveries(id);
    const waits = [5 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    for (const [at, wait] of waits.entries()) {
      await waitForAttempts(id, at + 1);
      const [row] = await readRows(id);
      expect(row!.state).toBe('pending');
      const waitMs = Date.parse(row!.next!) - clock.time;
      expect(waitMs).toBeGreaterThanOrEqual(wait);
      expect(waitMs).toBeLessThanOrEqual(wait * 1.1 + 1);
      clock.time = Date.parse(row!.next!);
    }
    await waitForAttempts(id, 10);
    const [failed] = await readRows(id);
    expect([failed!.state, failed!.next]).toEqual(['failed', null]);
    expect(failed!.attempts.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 10 }, () => [500, expect.stringMatching(/^127\.0\.0\.1:\d+ answers HTTP 500$/)]),
    );
    expect(JSON.stringify(failed)).not.toContain('a secret of the target');

    receiver.respondWith((response) => void response.writeHead(200).end());
    const path = { id, delivery_id: failed!.id };
    const resent = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect([resent.status, resent.body.state]).toEqual([202, 'pending']);
    await waitForAttempts(id, 11);
    expect(await readRows(id)).toMatchObject([{ state: 'delivered' }]);

    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map((delivery) => delivery.id))).toEqual(new Set([failed!.id]));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    for (const delivery of receiver.received)
      verifyDelivery(secret, delivery, Number(delivery.headers['webhook-timestamp']) * SECOND);

    const again = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect(again.status).toBe(202);
    await waitForAttempts(id, 12);
    expect(receiver.received[11]!.id).toBe(failed!.id);
  }, 120_000);

  it.each([
    [429, '600', 600 * SECOND],
    [503, '999999999', DAY],
    [503, '1', 5 * SECOND],
  ])('wait as a target requests with %d and Retry-After %s, within bounds', async (status, retryAfter, wait) => {
    receiver.respondWith((response) => void response.writeHead(status, { 'retry-after': retryAfter }).end());
    const { id } = await createCrossedAlert();
    await waitForDeliveries(id);
    await waitForAttempts(id, 1);
    const [row] = await readRows(id);
    const waitMs = Date.parse(row!.next!) - clock.time;
    expect(waitMs).toBeGreaterThanOrEqual(wait);
    expect(waitMs).toBeLessThanOrEqual(Math.max(wait, 5_500));
  });

  it('disable their alert after a 410, with an audit event; pending ones are sent when it is enabled again', async () => {
    receiver.respondWith((response) => void response.writeHead(410).end());
    const { id, secret } = await createCrossedAlert({ thresholds: [10, 20, 30, 40, 50] });
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alerts WHERE id = $1 AND NOT enabled', [id])).length === 1,
      'the alert is disabled',
    );
    await eventually(
      async () => (await readRows(id)).filter((row) => row.attempts.length > 0).length === receiver.received.length,
      'all outcomes are recorded',
    );
    const rows = await readRows(id);
    expect(rows).toHaveLength(5);
    const gone = rows.filter(({ state }) => state === 'failed');
    expect(gone.length).toBeGreaterThanOrEqual(1);
    expect(gone.length).toBeLessThan(5);
    expect(gone[0]!.attempts).toMatchObject([{ status: 410 }]);
    const events = await manager.sql(
      `SELECT issuer, subject, operation, changed_fields FROM audit_events WHERE object_id = $1 AND issuer = 'gatehouse'`,
      [id],
    );
    expect(events).toEqual([
      { issuer: 'gatehouse', subject: 'budget-alerts', operation: 'Disable budget alert', changed_fields: ['enabled'] },
    ]);
    const path = { id, delivery_id: gone[0]!.id };
    const refused = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('the alert is disabled')]);

    receiver.respondWith((response) => void response.writeHead(204).end());
    const body = { name: 'n', url: receiver.url, allow_private_ips: true, thresholds: [10] };
    await call('PUT /v1/budgets/alerts/{id}', { path: { id }, body });
    await eventually(
      async () => (await readRows(id)).every(({ state }) => state !== 'pending'),
      'the pending deliveries are sent',
    );
    await call('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    await eventually(
      async () => (await readRows(id)).find((row) => row.id === gone[0]!.id)!.state === 'delivered',
      'the resent delivery is delivered',
    );
    verifyDelivery(secret, receiver.received.at(-1)!, clock.time);
  });

  it('do not disable an alert whose target has changed', async () => {
    let sendGone: (() => void) | undefined;
    receiver.respondWith((response) => {
      sendGone = () => void response.writeHead(410).end();
    });
    const { id } = await createCrossedAlert();
    await eventually(() => sendGone !== undefined, 'the target has the request');
    const other = await startReceiver();
    others.push(other);
    const body = { name: 'n', url: other.url, allow_private_ips: true, thresholds: [80] };
    await call('PUT /v1/budgets/alerts/{id}', { path: { id }, body });
    sendGone!();
    await waitForAttempts(id, 1);
    expect((await call<{ enabled: boolean }>('GET /v1/budgets/alerts/{id}', { path: { id } })).body.enabled).toBe(true);
  });

  it('do not follow redirects', async () => {
    const other = await startReceiver();
    others.push(other);
    receiver.respondWith((response) => void response.writeHead(307, { location: other.url }).end());
    const { id } = await createCrossedAlert();
    await waitForDeliveries(id);
    await waitForAttempts(id, 1);
    expect(await readRows(id)).toMatchObject([
      { state: 'pending', attempts: [{ error: expect.stringContaining('redirect') as unknown }] },
    ]);
    expect(other.received).toEqual([]);
  });

  it('check the address of the target at each attempt', async () => {
    const { id } = await createCrossedAlert({ enabled: false });
    await manager.sql('UPDATE budget_alerts SET allow_private_ips = FALSE, enabled = TRUE WHERE id = $1', [id]);
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    await waitForDeliveries(id);
    await waitForAttempts(id, 1);
    expect(await readRows(id)).toMatchObject([
      { state: 'pending', attempts: [{ error: expect.stringMatching(/https|this machine/) as unknown }] },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('to a target that does not respond delay no other alert', async () => {
    let silent = 0;
    receiver.respondWith(() => {
      silent += 1;
    });
    const { id } = await createCrossedAlert({ thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
    await eventually(() => silent === 2, 'two attempts are running');
    const other = await startReceiver();
    others.push(other);
    const second = await createCrossedAlert({ url: other.url, thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
    await eventually(() => other.received.length === 12, 'all deliveries of the other alert are sent');
    await waitForAttempts(second.id, 1);
    expect(silent).toBe(2);
    expect((await readRows(id)).filter(({ attempts }) => attempts.length > 0)).toEqual([]);
  });

  it('have two signatures for 24 hours after a rotation, and then one', async () => {
    const { id, secret: first } = await createCrossedAlert({ enabled: false });
    const path = { id };
    const rotated = await call<{ secret: string }>('POST /v1/budgets/alerts/{id}/rotate-secret', { path });
    const second = rotated.body.secret;
    const sendTest = async () => {
      const before = receiver.received.length;
      await call('POST /v1/budgets/alerts/{id}/test', { path });
      await eventually(() => receiver.received.length === before + 1, 'the test is received');
      return receiver.received[before]!;
    };
    const during = await sendTest();
    expect(String(during.headers['webhook-signature'])).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [first, second])
      expect(verifyDelivery(secret, during)).toMatchObject({ data: { test: true } });
    clock.time += DAY - SECOND;
    const late = await sendTest();
    for (const secret of [first, second]) verifyDelivery(secret, late, clock.time);
    clock.time += SECOND;
    const after = await sendTest();
    expect(String(after.headers['webhook-signature'])).toMatch(/^v1,[^ ]+$/);
    verifyDelivery(second, after, clock.time);
    expect(() => verifyDelivery(first, after, clock.time)).toThrow();
    expect((await call('GET /v1/budgets/alerts/{id}', { path })).body).not.toHaveProperty(
      'previous_secret_valid_until',
    );
  });

  it('of a test are attempted once, also for a disabled alert, and are marked as a test', async () => {
    receiver.respondWith((response) => void response.writeHead(500).end());
    const { id, secret } = await createCrossedAlert({ enabled: false, thresholds: [70, 90] });
    const response = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/test', { path: { id } });
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      `/v1/budgets/alerts/${id}/deliveries/${response.body.id}`,
    ]);
    await waitForAttempts(id, 1);
    expect(await readRows(id)).toMatchObject([{ id: response.body.id, state: 'failed' }]);
    expect(verifyDelivery(secret, receiver.received[0]!)).toMatchObject({
      type: 'budget.threshold.crossed',
      data: { test: true, limit_usd: '100.000000000', used_usd: '70.000000000', threshold_percent: 70, alert_id: id },
    });
  });

  it('are kept for 90 days after their creation and after the end of their window, so that none is repeated', async () => {
    const subject_id = randomUUID();
    const year = `${clock.now().getUTCFullYear()}-01-01`;
    clock.time = Date.parse(`${year}T12:00:00Z`);
    for (const [period, limit_usd] of [
      ['year', '1'],
      ['day', '1'],
    ]) {
      await manager.sql('INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, $2, $3, $4)', [
        subject_id,
        'user',
        period,
        limit_usd,
      ]);
      await manager.sql(
        `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd) VALUES ($1, 'user', $2, $3, 5)`,
        [subject_id, period, year],
      );
    }
    const { id } = await createCrossedAlert({ subject_id, thresholds: [100] });
    const readPeriods = async () =>
      (
        await manager.sql<{ period: string }>(
          'SELECT period FROM budget_alert_deliveries WHERE alert_id = $1 ORDER BY 1',
          [id],
        )
      ).map(({ period }) => period);
    await eventually(async () => (await readPeriods()).length === 2, 'both are stored');
    clock.time += 90 * DAY + 11 * HOUR;
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    expect(await readPeriods()).toEqual(['day', 'year']);
    clock.time += 2 * HOUR;
    await eventually(async () => (await readPeriods()).length === 1, 'one is deleted');
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_looks WHERE asked = done')).length === 1,
      'the scan is done',
    );
    expect(await readPeriods()).toEqual(['year']);
    clock.time = Date.parse(`${year}T00:00:00Z`) + (366 + 91) * DAY;
    await eventually(async () => (await readPeriods()).length === 0, 'the other is deleted');
  });
});
