import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Moment } from '@gatehouse/testing/postgres-wire';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  eventually,
  LOOPBACK,
  makeAlert,
  type MadeAlert,
  type Receiver,
  startReceiver,
  usedBefore,
  verified,
} from './alerts-scene.ts';
import { waitForPendingTransactions } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';
import { limit } from './usage-scene.ts';

const KEYS = '1:5PdWlOEymF9BCvVJ1ur8yhgHPd3GYkCxeXwyGEJ6lI0=';

/** The statements of a delivery, by what they do. */
const STEPS = { 'keeps the body': /SET body = COALESCE/, 'writes down what came of it': /attempts = CASE/ };

describe('a replica that is killed with -9 while it delivers', () => {
  let manager: TestManager;
  let receiver: Receiver;
  const alerts: MadeAlert[] = [];
  const texts = new Map<string, string>();

  const start = (more: { environment?: Record<string, string>; unready?: true } = {}): Promise<Replica> =>
    startReplica(manager, { wired: true, ...more, environment: { ...LOOPBACK, ...more.environment } });

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
    receiver = await startReceiver();
    for (let at = 0; at < 8; at += 1) {
      const subject_id = randomUUID();
      await limit(manager, 'user', subject_id, '100');
      await usedBefore(manager, subject_id, '85');
      const about = { url: receiver.url, scope: 'user', subject_id, thresholds: [80], enabled: false };
      alerts.push(await makeAlert(manager, about));
    }
    // Nobody but the replicas of the test delivers.
    await manager.stop();
    const clean = await start();
    const { id } = await begin();
    await eventually(async () => (await rowOf(id)).state === 'delivered', 'an undisturbed delivery');
    for (const [step, pattern] of Object.entries(STEPS))
      texts.set(step, clean.wire!.statements().find((text) => pattern.test(text)) ?? '');
    await clean.kill();
  }, 90_000);
  afterAll(async () => {
    receiver.close();
    await manager.close();
  });

  const rowOf = async (alertId: string) => {
    const [row] = await manager.sql<{ id: string; state: string; attempts: object[] }>(
      'SELECT id, state, attempts FROM budget_alert_deliveries WHERE alert_id = $1',
      [alertId],
    );
    return row ?? { id: '', state: 'none', attempts: [] };
  };
  /** Lets the next alert begin: its threshold is crossed and due. */
  const begin = async (): Promise<MadeAlert> => {
    const alert = alerts.pop()!;
    receiver.received.splice(0);
    await manager.sql('UPDATE budget_alerts SET enabled = TRUE WHERE id = $1', [alert.id]);
    await manager.sql('UPDATE budget_alert_looks SET asked = asked + 1');
    return alert;
  };
  /** What the next replica makes of it when the lease is over. */
  const goOn = async (alert: MadeAlert) => {
    await waitForPendingTransactions(manager);
    await manager.sql(
      `UPDATE budget_alert_deliveries SET next_attempt_at = now() WHERE alert_id = $1 AND state = 'pending'`,
      [alert.id],
    );
    await manager.sql('UPDATE budget_alert_looks SET taken_until = NULL');
    const next = await start();
    await eventually(async () => (await rowOf(alert.id)).state === 'delivered', 'it is delivered');
    await next.kill();
    for (const got of receiver.received) verified(alert.secret, got);
    const { id } = await rowOf(alert.id);
    expect(new Set(receiver.received.map((got) => got.id))).toEqual(new Set([id]));
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    return receiver.received.length;
  };

  it.each<[keyof typeof STEPS, Moment, number[]]>([
    ['keeps the body', 'before', [1]],
    ['keeps the body', 'after', [1]],
    ['writes down what came of it', 'before', [2]],
    ['writes down what came of it', 'sent', [1, 2]],
    ['writes down what came of it', 'after', [1]],
  ])(
    'as it %s (%s) delivers at least once, always under the same id and to the byte',
    async (step, moment, expected) => {
      const doomed = await start();
      const sprung = doomed.wire!.arm({ text: texts.get(step)!, occurrence: 1, moment }, () =>
        doomed.process.signal('SIGKILL'),
      );
      const alert = await begin();
      await sprung;
      await doomed.kill();
      expect(expected).toContain(await goOn(alert));
    },
    60_000,
  );

  it('as the target has it and has not answered delivers it again', async () => {
    const doomed = await start();
    let got: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      got = resolve;
    });
    receiver.answer(() => got?.());
    const alert = await begin();
    await arrived;
    await doomed.kill();
    expect(await rowOf(alert.id)).toMatchObject({ state: 'pending', attempts: [] });
    receiver.answer((response) => void response.writeHead(204).end());
    expect(await goOn(alert)).toBe(2);
  }, 60_000);

  it('leaves secrets that come under the next key-encryption key, and sign as before', async () => {
    const next = await start({
      environment: { KEY_ENCRYPTION_KEYS: `${KEYS}\n2:${randomBytes(32).toString('base64')}` },
    });
    await eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_secrets WHERE key_version <> 2')).length === 0,
      'all secrets lie under version 2',
    );
    const status = await next.call({ method: 'GET', path: '/v1/key-encryption', token: manager.tokens.admin });
    expect(status.body['versions']).toEqual([
      { version: 1, state: 'opens', values: 0 },
      // Two more are keys that sign configuration.
      { version: 2, state: 'current', values: 8 + 2 },
    ]);
    const alert = await begin();
    await eventually(async () => (await rowOf(alert.id)).state === 'delivered', 'it is delivered');
    verified(alert.secret, receiver.received[0]!);
    await next.kill();
  }, 60_000);

  it('whose key is missing sends nothing unsigned, and counts no attempt', async () => {
    // It knows version 1 alone, and is not ready for that.
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
      'it is put off',
    );
    expect(await rowOf(alert_id)).toMatchObject({ state: 'pending', attempts: [] });
    expect(receiver.received).toEqual([]);
    await without.kill();
  }, 60_000);
});
