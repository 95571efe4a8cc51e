import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  deliveriesOf,
  eventually,
  LOOPBACK,
  makeAlert,
  type MadeDelivery,
  type Receiver,
  startReceiver,
  usedBefore,
  verified,
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
  /** A person who has used 85 of 100 USD this month, and an alert about it. */
  const crossed = async (more: object = {}) => {
    const subject_id = randomUUID();
    await call('PUT /v1/budgets/users/{id}', { path: { id: subject_id }, body: { limit_usd: '100', period: 'month' } });
    await usedBefore(manager, subject_id, '85');
    return makeAlert(manager, { url: receiver.url, scope: 'user', subject_id, thresholds: [80], ...more });
  };
  const rowsOf = (alertId: string) =>
    manager.sql<MadeDelivery & { next: string | null; body: string }>(
      `SELECT id, state, attempts, body, to_char(next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MSZ') AS next
       FROM budget_alert_deliveries WHERE alert_id = $1 ORDER BY sequence`,
      [alertId],
    );
  const attempted = (alertId: string, attempts: number) =>
    eventually(
      async () => (await rowsOf(alertId)).every((row) => row.attempts.length === attempts),
      `${attempts} attempts of each delivery`,
    );
  const made = (alertId: string, deliveries = 1) =>
    eventually(async () => (await rowsOf(alertId)).length === deliveries, `${deliveries} deliveries were made`);

  it('are signed as Standard Webhooks says, and tell whose budget is used how far', async () => {
    const { id, secret, ...alert } = await crossed();
    await made(id);
    await attempted(id, 1);
    const [delivery] = await deliveriesOf(manager, id);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }], threshold_percent: 80 });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    const [got] = receiver.received;
    expect(got!.id).toBe(delivery!.id);
    expect(got!.headers['content-type']).toBe('application/json');
    const month = new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth(), 1));
    const next = new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 1));
    expect(verified(secret, got!)).toEqual({
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
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, got!)).toThrow();
    expect(() => verified(secret, { ...got!, text: got!.text.replace('85', '86') })).toThrow();
  });

  it('are tried ten times by the schedule, each time the same to the byte and signed for its time, then failed, and can be resent', async () => {
    receiver.answer((response) => void response.writeHead(500).end('a secret of the target'));
    const { id, secret } = await crossed();
    await made(id);
    const waits = [5 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    for (const [at, wait] of waits.entries()) {
      await attempted(id, at + 1);
      const [row] = await rowsOf(id);
      expect(row!.state).toBe('pending');
      const waited = Date.parse(row!.next!) - clock.time;
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * 1.1 + 1);
      clock.time = Date.parse(row!.next!);
    }
    await attempted(id, 10);
    const [failed] = await rowsOf(id);
    expect([failed!.state, failed!.next]).toEqual(['failed', null]);
    expect(failed!.attempts.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 10 }, () => [500, expect.stringMatching(/^127\.0\.0\.1:\d+ answers HTTP 500$/)]),
    );
    expect(JSON.stringify(failed)).not.toContain('a secret of the target');

    receiver.answer((response) => void response.writeHead(200).end());
    const path = { id, delivery_id: failed!.id };
    const resent = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect([resent.status, resent.body.state]).toEqual([202, 'pending']);
    await attempted(id, 11);
    expect(await rowsOf(id)).toMatchObject([{ state: 'delivered' }]);

    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map((got) => got.id))).toEqual(new Set([failed!.id]));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    for (const got of receiver.received) verified(secret, got, Number(got.headers['webhook-timestamp']) * SECOND);

    const again = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect(again.status).toBe(202);
    await attempted(id, 12);
    expect(receiver.received[11]!.id).toBe(failed!.id);
  }, 120_000);

  it.each([
    [429, '600', 600 * SECOND],
    [503, '999999999', DAY],
    [503, '1', 5 * SECOND],
  ])('wait as long as a target asks for with %d and Retry-After %s, within bounds', async (status, asked, wait) => {
    receiver.answer((response) => void response.writeHead(status, { 'retry-after': asked }).end());
    const { id } = await crossed();
    await made(id);
    await attempted(id, 1);
    const [row] = await rowsOf(id);
    const waited = Date.parse(row!.next!) - clock.time;
    expect(waited).toBeGreaterThanOrEqual(wait);
    expect(waited).toBeLessThanOrEqual(Math.max(wait, 5_500));
  });

  it('switch their alert off when the target is gone, which the trail shows; what waits is sent when it is on again', async () => {
    receiver.answer((response) => void response.writeHead(410).end());
    const { id, secret } = await crossed({ thresholds: [10, 20, 30, 40, 50] });
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alerts WHERE id = $1 AND NOT enabled', [id])).length === 1,
      'the alert is off',
    );
    await eventually(
      async () => (await rowsOf(id)).filter((row) => row.attempts.length > 0).length === receiver.received.length,
      'all is written',
    );
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(5);
    const gone = rows.filter(({ state }) => state === 'failed');
    expect(gone.length).toBeGreaterThanOrEqual(1);
    expect(gone.length).toBeLessThan(5);
    expect(gone[0]!.attempts).toMatchObject([{ status: 410 }]);
    const trail = await manager.sql(
      `SELECT issuer, subject, operation, changed_fields FROM audit_events WHERE object_id = $1 AND issuer = 'gatehouse'`,
      [id],
    );
    expect(trail).toEqual([
      { issuer: 'gatehouse', subject: 'budget-alerts', operation: 'Disable budget alert', changed_fields: ['enabled'] },
    ]);
    const path = { id, delivery_id: gone[0]!.id };
    const refused = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('the alert is disabled')]);

    receiver.answer((response) => void response.writeHead(204).end());
    const body = { name: 'n', url: receiver.url, allow_private_ips: true, thresholds: [10] };
    await call('PUT /v1/budgets/alerts/{id}', { path: { id }, body });
    await eventually(async () => (await rowsOf(id)).every(({ state }) => state !== 'pending'), 'the rest is sent');
    await call('POST /v1/budgets/alerts/{id}/deliveries/{delivery_id}/resend', { path });
    await eventually(
      async () => (await rowsOf(id)).find((row) => row.id === gone[0]!.id)!.state === 'delivered',
      'the one is sent',
    );
    verified(secret, receiver.received.at(-1)!, clock.time);
  });

  it('do not switch an alert off that has got another target meanwhile', async () => {
    let answerNow: (() => void) | undefined;
    receiver.answer((response) => {
      answerNow = () => void response.writeHead(410).end();
    });
    const { id } = await crossed();
    await eventually(() => answerNow !== undefined, 'the target is asked');
    const other = await startReceiver();
    others.push(other);
    const body = { name: 'n', url: other.url, allow_private_ips: true, thresholds: [80] };
    await call('PUT /v1/budgets/alerts/{id}', { path: { id }, body });
    answerNow!();
    await attempted(id, 1);
    expect((await call<{ enabled: boolean }>('GET /v1/budgets/alerts/{id}', { path: { id } })).body.enabled).toBe(true);
  });

  it('do not follow a redirect', async () => {
    const other = await startReceiver();
    others.push(other);
    receiver.answer((response) => void response.writeHead(307, { location: other.url }).end());
    const { id } = await crossed();
    await made(id);
    await attempted(id, 1);
    expect(await rowsOf(id)).toMatchObject([
      { state: 'pending', attempts: [{ error: expect.stringContaining('redirect') as unknown }] },
    ]);
    expect(other.received).toEqual([]);
  });

  it('have their address judged at each attempt, whatever was allowed when it was saved', async () => {
    const { id } = await crossed({ enabled: false });
    await manager.sql('UPDATE budget_alerts SET allow_private_ips = FALSE, enabled = TRUE WHERE id = $1', [id]);
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    await made(id);
    await attempted(id, 1);
    expect(await rowsOf(id)).toMatchObject([
      { state: 'pending', attempts: [{ error: expect.stringMatching(/https|this machine/) as unknown }] },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('to a target that never answers keep no other waiting', async () => {
    let silent = 0;
    receiver.answer(() => {
      silent += 1;
    });
    const { id } = await crossed({ thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
    await eventually(() => silent === 2, 'two are under way');
    const other = await startReceiver();
    others.push(other);
    const second = await crossed({ url: other.url, thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] });
    await eventually(() => other.received.length === 12, 'all of the other are sent');
    await attempted(second.id, 1);
    expect(silent).toBe(2);
    expect((await rowsOf(id)).filter(({ attempts }) => attempts.length > 0)).toEqual([]);
  });

  it('carry two signatures for a day after a rotation, and then one', async () => {
    const { id, secret: first } = await crossed({ enabled: false });
    const path = { id };
    const rotated = await call<{ secret: string }>('POST /v1/budgets/alerts/{id}/rotate-secret', { path });
    const second = rotated.body.secret;
    const tested = async () => {
      const before = receiver.received.length;
      await call('POST /v1/budgets/alerts/{id}/test', { path });
      await eventually(() => receiver.received.length === before + 1, 'a test came');
      return receiver.received[before]!;
    };
    const during = await tested();
    expect(String(during.headers['webhook-signature'])).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [first, second]) expect(verified(secret, during)).toMatchObject({ data: { test: true } });
    clock.time += DAY - SECOND;
    const late = await tested();
    for (const secret of [first, second]) verified(secret, late, clock.time);
    clock.time += SECOND;
    const after = await tested();
    expect(String(after.headers['webhook-signature'])).toMatch(/^v1,[^ ]+$/);
    verified(second, after, clock.time);
    expect(() => verified(first, after, clock.time)).toThrow();
    expect((await call('GET /v1/budgets/alerts/{id}', { path })).body).not.toHaveProperty(
      'previous_secret_valid_until',
    );
  });

  it('of a test are tried once, also while the alert is off, and say that they are one', async () => {
    receiver.answer((response) => void response.writeHead(500).end());
    const { id, secret } = await crossed({ enabled: false, thresholds: [70, 90] });
    const asked = await call<MadeDelivery>('POST /v1/budgets/alerts/{id}/test', { path: { id } });
    expect([asked.status, asked.headers.get('location')]).toEqual([
      202,
      `/v1/budgets/alerts/${id}/deliveries/${asked.body.id}`,
    ]);
    await attempted(id, 1);
    expect(await rowsOf(id)).toMatchObject([{ id: asked.body.id, state: 'failed' }]);
    expect(verified(secret, receiver.received[0]!)).toMatchObject({
      type: 'budget.threshold.crossed',
      data: { test: true, limit_usd: '100.000000000', used_usd: '70.000000000', threshold_percent: 70, alert_id: id },
    });
  });

  it('are kept for 90 days after they were made and after their window has ended, so that nothing is told twice', async () => {
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
    const { id } = await crossed({ subject_id, thresholds: [100] });
    const periods = async () =>
      (
        await manager.sql<{ period: string }>(
          'SELECT period FROM budget_alert_deliveries WHERE alert_id = $1 ORDER BY 1',
          [id],
        )
      ).map(({ period }) => period);
    await eventually(async () => (await periods()).length === 2, 'both are made');
    clock.time += 90 * DAY + 11 * HOUR;
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    expect(await periods()).toEqual(['day', 'year']);
    clock.time += 2 * HOUR;
    await eventually(async () => (await periods()).length === 1, 'one is removed');
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_looks WHERE asked = done')).length === 1,
      'a look was taken',
    );
    expect(await periods()).toEqual(['year']);
    clock.time = Date.parse(`${year}T00:00:00Z`) + (366 + 91) * DAY;
    await eventually(async () => (await periods()).length === 0, 'the other is removed');
  });
});
