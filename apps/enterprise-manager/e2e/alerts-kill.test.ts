import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  LOOPBACK,
  makeAlert,
  type MadeAlert,
  type Receiver,
  startReceiver,
  setUsage,
  verifyDelivery,
} from './alerts-scene.ts';
import { waitForPendingTransactions } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';
import { limit } from './usage-scene.ts';

const KEYS = '1:5PdWlOEymF9BCvVJ1ur8yhgHPd3GYkCxeXwyGEJ6lI0=';

/** The statements of a delivery. */
const STEPS = { 'stores the body': /SET body = COALESCE/, 'records the outcome': /attempts = CASE/ };

describe('a replica that is killed (SIGKILL) during a delivery', () => {
  let manager: TestManager;
  let receiver: Receiver;
  const alerts: MadeAlert[] = [];
  /** The running replica. Each test kills it, and its successor serves the next test. */
  let replica: Replica;
  const texts = new Map<string, string>();

  const start = (more: { environment?: Record<string, string>; unready?: true } = {}): Promise<Replica> =>
    startReplica(manager, { wired: true, ...more, environment: { ...LOOPBACK, ...more.environment } });

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
    receiver = await startReceiver();
    for (let at = 0; at < 8; at += 1) {
      const subject_id = randomUUID();
      await limit(manager, 'user', subject_id, '100');
      await setUsage(manager, subject_id, '85');
      const settings = { url: receiver.url, scope: 'user', subject_id, thresholds: [80], enabled: false };
      alerts.push(await makeAlert(manager, settings));
    }
    // Only the replicas of the test may send deliveries.
    await manager.stop();
    replica = await start();
    const { id } = await startDelivery();
    await eventually(async () => (await readRow(id)).state === 'delivered', 'an undisturbed delivery');
    for (const [step, pattern] of Object.entries(STEPS))
      texts.set(step, replica.wire!.statements().find((text) => pattern.test(text)) ?? '');
  }, 90_000);
  afterAll(async () => {
    receiver.close();
    await manager.close();
  });

  const readRow = async (alertId: string) => {
    const [row] = await manager.sql<{ id: string; state: string; attempts: object[] }>(
      'SELECT id, state, attempts FROM budget_alert_deliveries WHERE alert_id = $1',
      [alertId],
    );
    return row ?? { id: '', state: 'none', attempts: [] };
  };
  /** Enables the next alert, so that its crossed threshold is due. */
  const startDelivery = async (): Promise<MadeAlert> => {
    const alert = alerts.pop()!;
    receiver.received.splice(0);
    await manager.sql('UPDATE budget_alerts SET enabled = TRUE WHERE id = $1', [alert.id]);
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    return alert;
  };
  /**
   * Ends the claim, and starts a replica that delivers. @returns the number of received requests
   */
  const deliverAfterClaim = async (alert: MadeAlert) => {
    await waitForPendingTransactions(manager);
    await manager.sql(
      `UPDATE budget_alert_deliveries SET next_attempt_at = now() WHERE alert_id = $1 AND state = 'pending'`,
      [alert.id],
    );
    await manager.sql('UPDATE budget_alert_looks SET taken_until = NULL');
    replica = await start();
    await eventually(async () => (await readRow(alert.id)).state === 'delivered', 'the delivery is sent');
    for (const delivery of receiver.received) verifyDelivery(alert.secret, delivery);
    const { id } = await readRow(alert.id);
    expect(new Set(receiver.received.map((delivery) => delivery.id))).toEqual(new Set([id]));
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    return receiver.received.length;
  };

  it.each<[keyof typeof STEPS, Moment, number[]]>([
    ['stores the body', 'before', [1]],
    ['stores the body', 'after', [1]],
    ['records the outcome', 'before', [2]],
    ['records the outcome', 'sent', [1, 2]],
    ['records the outcome', 'after', [1]],
  ])(
    'when it %s (%s) leads to at least one delivery, always with the same id and body',
    async (step, moment, expected) => {
      const killed = replica.wire!.arm({ text: texts.get(step)!, occurrence: 1, moment }, () =>
        replica.process.signal('SIGKILL'),
      );
      const alert = await startDelivery();
      await killed;
      await replica.kill();
      expect(expected).toContain(await deliverAfterClaim(alert));
    },
    60_000,
  );

  it('before the target responds leads to a second delivery', async () => {
    let notify: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      notify = resolve;
    });
    receiver.respondWith(() => notify?.());
    const alert = await startDelivery();
    await arrived;
    await replica.kill();
    expect(await readRow(alert.id)).toMatchObject({ state: 'pending', attempts: [] });
    receiver.respondWith((response) => void response.writeHead(204).end());
    expect(await deliverAfterClaim(alert)).toBe(2);
  }, 60_000);

  it('leaves secrets that can be rewrapped with the next key-encryption key and still sign', async () => {
    await replica.kill();
    const next = await start({
      environment: { KEY_ENCRYPTION_KEYS: `${KEYS}\n2:${randomBytes(32).toString('base64')}` },
    });
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_secrets WHERE key_version <> 2')).length === 0,
      'all secrets use version 2',
    );
    const status = await next.call({ method: 'GET', path: '/v1/key-encryption', token: manager.tokens.admin });
    expect(status.body['versions']).toEqual([
      { version: 1, state: 'opens', values: 0 },
      // The two others are keys that sign configuration.
      { version: 2, state: 'current', values: 8 + 2 },
    ]);
    const alert = await startDelivery();
    await eventually(async () => (await readRow(alert.id)).state === 'delivered', 'the delivery is sent');
    verifyDelivery(alert.secret, receiver.received[0]!);
    await next.kill();
  }, 60_000);

  it('without the key-encryption key sends nothing and counts no attempt', async () => {
    // This replica has only version 1 and is therefore not ready.
    const without = await start({ unready: true });
    const [{ alert_id }] = (await manager.sql<{ alert_id: string }>(
      `UPDATE budget_alert_deliveries SET state = 'pending', tries = 0, attempts = '[]', next_attempt_at = now() - interval '1 second'
       WHERE id = (SELECT id FROM budget_alert_deliveries LIMIT 1) RETURNING alert_id`,
    )) as [{ alert_id: string }];
    receiver.received.splice(0);
    await eventually(
      async () =>
        (
          await manager.sql(
            `SELECT FROM budget_alert_deliveries WHERE alert_id = $1 AND lease_id IS NULL AND next_attempt_at > now() + interval '30 seconds'`,
            [alert_id],
          )
        ).length === 1,
      'the delivery is postponed',
    );
    expect(await readRow(alert_id)).toMatchObject({ state: 'pending', attempts: [] });
    expect(receiver.received).toEqual([]);
    await without.kill();
  }, 60_000);
});
