import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { LOOPBACK, makeAlert, type Receiver, startReceiver } from './alerts-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, limit, price, PRICES } from './usage-scene.ts';

/** The cost of one report in USD. */
const REPORT_COST = 0.0035;
const computeCost = (reports: number) => (REPORT_COST * reports).toFixed(9);

describe('thresholds of budget alerts', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];
  let receiver: Receiver;
  const gateway = new Gateway(() => manager);

  beforeAll(async () => {
    manager = await startManager({ environment: LOOPBACK });
    replicas = await Promise.all([
      startReplica(manager, { wired: true, environment: LOOPBACK }),
      startReplica(manager, { environment: LOOPBACK }),
    ]);
    receiver = await startReceiver();
    await price(manager);
  }, 60_000);
  afterEach(async () => {
    await manager.sql('DELETE FROM budget_alerts');
    await manager.sql('DELETE FROM budget_alert_deliveries');
    await manager.sql('DELETE FROM default_user_budget');
    await manager.sql('DELETE FROM budgets');
    await manager.sql('DELETE FROM budget_cells');
    receiver.received.splice(0);
  });
  afterAll(async () => {
    receiver.close();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  /** Reports usage to a replica and repeats it after a 503, as a gateway does. */
  const reportUsage = async (at: number, ...events: Record<string, unknown>[]) => {
    const report = () =>
      replicas[at % 2]!.call({
        method: 'POST',
        path: '/webhooks/budgets/usage',
        token: manager.tokens.gateway,
        body: { events },
      });
    let response = await report();
    while (response.status === 503) response = await report();
    expect(response.status).toBe(200);
    return (response.body['results'] as { status: string }[]).map(({ status }) => status);
  };
  const makeReport = (subject: string, more: Record<string, unknown> = {}) =>
    gateway.report({ principal: gateway.person(subject), ...more });
  const makeLargeReport = (subject: string) =>
    makeReport(subject, { raw_usage: { prompt_tokens: 100_000_000, completion_tokens: 0, total_tokens: 100_000_000 } });
  const readCrossings = async (alertId: string) =>
    manager.sql<{ subject_id: string; scope: string; period: string; threshold: number }>(
      `SELECT subject_id, scope, period, threshold_percent AS threshold FROM budget_alert_deliveries
       WHERE alert_id = $1 AND kind = 'crossing' ORDER BY subject_id COLLATE "C", period, threshold_percent`,
      [alertId],
    );
  const readThresholds = async (alertId: string) => (await readCrossings(alertId)).map(({ threshold }) => threshold);
  const waitForScans = () =>
    eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_looks WHERE asked = done')).length === 1,
      'all scans are done',
    );
  const createAlert = (more: object = {}) => makeAlert(manager, { url: receiver.url, ...more });
  const setLimit = async (subject: string, limit_usd: string, period = 'month') => {
    const path = `/v1/budgets/users/${encodeURIComponent(subject)}`;
    const response = await replicas[0].call({
      method: 'PUT',
      path,
      token: manager.tokens.admin,
      body: { limit_usd, period },
    });
    expect(response.status).toBe(204);
  };

  it('create one delivery each for parallel reports to two replicas, and reach the target once', async () => {
    const thresholds = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150];
    const alert = await createAlert({ thresholds, scope: 'user' });
    const users = Array.from({ length: 4 }, () => `user ${randomUUID()}`);
    for (const user of users) await limit(manager, 'user', user, computeCost(50));
    await Promise.all(
      users.flatMap((user) => Array.from({ length: 50 }, (_, at) => reportUsage(at, makeReport(user)))),
    );
    const rows = await readCrossings(alert.id);
    for (const user of users)
      expect(rows.filter(({ subject_id }) => subject_id === user).map(({ threshold }) => threshold)).toEqual(
        thresholds.slice(0, 10),
      );
    expect(rows).toHaveLength(40);
    await eventually(
      async () => (await manager.sql(`SELECT FROM budget_alert_deliveries WHERE state <> 'delivered'`)).length === 0,
      'all deliveries are sent',
    );
    expect(receiver.received).toHaveLength(40);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(40);
  }, 90_000);

  it('create all deliveries when one charge crosses them, and none for a repeat or further usage', async () => {
    const user = `user ${randomUUID()}`;
    await limit(manager, 'user', user, '100');
    const { id } = await createAlert({ thresholds: [1, 50, 100, 250, 300], scope: 'user', subject_id: user });
    const event = makeLargeReport(user);
    expect(await reportUsage(0, event)).toEqual(['charged']);
    expect(await readThresholds(id)).toEqual([1, 50, 100, 250]);
    expect(await reportUsage(1, event)).toEqual(['duplicate']);
    expect(await reportUsage(1, makeReport(user), makeReport(user))).toEqual(['charged', 'charged']);
    expect(await readThresholds(id)).toEqual([1, 50, 100, 250]);
  });

  it('are crossed at the exact amount', async () => {
    const [at, below] = [`user ${randomUUID()}`, `user ${randomUUID()}`];
    await limit(manager, 'user', at, '0.007');
    await limit(manager, 'user', below, '0.007000001');
    const { id } = await createAlert({ thresholds: [50], scope: 'user' });
    await reportUsage(0, makeReport(at), makeReport(below));
    expect((await readCrossings(id)).map(({ subject_id }) => subject_id)).toEqual([at]);
  });

  it('are detected once when a limit is lowered without usage', async () => {
    const user = `user ${randomUUID()}`;
    await setLimit(user, '100');
    const { id } = await createAlert({ thresholds: [50, 100], scope: 'user', subject_id: user });
    await reportUsage(0, makeReport(user));
    expect(await readThresholds(id)).toEqual([]);
    await setLimit(user, computeCost(2));
    await eventually(async () => (await readThresholds(id)).length === 1, 'the first threshold is detected');
    await setLimit(user, '100');
    await setLimit(user, computeCost(1));
    await eventually(async () => (await readThresholds(id)).length === 2, 'the second threshold is detected');
    await setLimit(user, '0');
    await reportUsage(1, makeReport(user));
    await waitForScans();
    expect(await readThresholds(id)).toEqual([50, 100]);
  });

  it('of a limit of 0 are all reached by the first usage', async () => {
    const [used, unused] = [`user ${randomUUID()}`, `user ${randomUUID()}`];
    await setLimit(used, '0');
    await setLimit(unused, '0');
    const { id } = await createAlert({ thresholds: [1, 1_000], scope: 'user' });
    await reportUsage(
      0,
      makeReport(used),
      makeReport(unused, { raw_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }),
    );
    await waitForScans();
    expect((await readCrossings(id)).map(({ subject_id, threshold }) => [subject_id, threshold])).toEqual([
      [used, 1],
      [used, 1_000],
    ]);
  });

  it('of the default budget apply to users without a budget of their own, also after its deletion', async () => {
    const [plain, own] = [`user a ${randomUUID()}`, `user b ${randomUUID()}`];
    const token = manager.tokens.admin;
    const body = { limit_usd: computeCost(2), period: 'month' };
    await manager.client.call('PUT /v1/budgets/default', { token, body });
    await setLimit(own, '100');
    const { id } = await createAlert({ thresholds: [50] });
    await reportUsage(0, makeReport(plain), makeReport(own));
    expect((await readCrossings(id)).map(({ subject_id, period }) => [subject_id, period])).toEqual([[plain, 'month']]);
    await manager.client.call('DELETE /v1/budgets/users/{id}', { token, path: { id: own } });
    await eventually(async () => (await readCrossings(id)).length === 2, 'the default budget applies');
    expect((await readCrossings(id)).map(({ subject_id }) => subject_id)).toEqual([plain, own]);
  });

  it('of a group budget are detected only by alerts that match the scope, subject and period', async () => {
    const group = await makeGroup(manager, 'alice');
    await limit(manager, 'group', group, computeCost(2), 'day');
    await limit(manager, 'group', group, computeCost(2), 'year');
    const alerts = {
      all: await createAlert({ thresholds: [50] }),
      groups: await createAlert({ thresholds: [50], scope: 'group' }),
      users: await createAlert({ thresholds: [50], scope: 'user' }),
      this: await createAlert({ thresholds: [50], scope: 'group', subject_id: group }),
      other: await createAlert({ thresholds: [50], scope: 'group', subject_id: await makeGroup(manager) }),
      years: await createAlert({ thresholds: [50], periods: ['year'] }),
      off: await createAlert({ thresholds: [50], enabled: false }),
    };
    await reportUsage(0, makeReport('alice'));
    const readTargets = async (alert: { id: string }) =>
      (await readCrossings(alert.id)).map(({ scope, subject_id, period }) => [scope, subject_id, period]);
    const [day, year] = [
      ['group', group, 'day'],
      ['group', group, 'year'],
    ];
    expect(await readTargets(alerts.all)).toEqual([day, year]);
    expect(await readTargets(alerts.groups)).toEqual([day, year]);
    expect(await readTargets(alerts.this)).toEqual([day, year]);
    expect(await readTargets(alerts.years)).toEqual([year]);
    for (const none of [alerts.users, alerts.other, alerts.off]) expect(await readTargets(none)).toEqual([]);
  });

  it('that were crossed before are detected for an alert that is created or enabled later', async () => {
    const user = `user ${randomUUID()}`;
    await limit(manager, 'user', user, computeCost(2));
    await reportUsage(0, makeReport(user));
    const created = await createAlert({ thresholds: [50], scope: 'user', subject_id: user });
    await eventually(async () => (await readCrossings(created.id)).length === 1, 'the crossing is detected');
    const later = await createAlert({ thresholds: [50], scope: 'user', subject_id: user, enabled: false });
    await waitForScans();
    expect(await readCrossings(later.id)).toEqual([]);
    await manager.client.call('PUT /v1/budgets/alerts/{id}', {
      token: manager.tokens.admin,
      path: { id: later.id },
      body: {
        name: 'n',
        url: receiver.url,
        allow_private_ips: true,
        thresholds: [50],
        scope: 'user',
        subject_id: user,
      },
    });
    await eventually(async () => (await readCrossings(later.id)).length === 1, 'the crossing is also detected');
  });

  describe('of a window that has ended', () => {
    /** A report of the last hour of the previous month. */
    const makeLateReport = (subject: string) => {
      const now = new Date();
      const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
      return makeReport(subject, { event_time: new Date(monthStart - 3_600_000).toISOString() });
    };
    const backdate = (table: string, column = 'set_at') =>
      manager.sql(`UPDATE ${table} SET ${column} = now() - interval '70 days'`);
    const putDefault = async (limit_usd: string) => {
      const token = manager.tokens.admin;
      const { status } = await manager.client.call('PUT /v1/budgets/default', {
        token,
        body: { limit_usd, period: 'month' },
      });
      expect(status).toBe(204);
    };
    const removeLimit = async (id: string) => {
      const token = manager.tokens.admin;
      const { status } = await manager.client.call('DELETE /v1/budgets/users/{id}', { token, path: { id } });
      expect(status).toBe(204);
    };

    it('are detected for a limit that was set before its end', async () => {
      const user = `user ${randomUUID()}`;
      await setLimit(user, computeCost(2));
      await backdate('budgets');
      const { id } = await createAlert({ thresholds: [50], scope: 'user', subject_id: user });
      await reportUsage(0, makeLateReport(user));
      expect(await readThresholds(id)).toEqual([50]);
    });

    it('are not detected for a limit that was set after its end', async () => {
      const [created, changed] = [`user ${randomUUID()}`, `user ${randomUUID()}`];
      await setLimit(changed, '100');
      await backdate('budgets');
      await setLimit(changed, computeCost(2));
      await setLimit(created, computeCost(2));
      const { id } = await createAlert({ thresholds: [50], scope: 'user', periods: ['month'] });
      await reportUsage(0, makeLateReport(created), makeLateReport(changed));
      expect(await readCrossings(id)).toEqual([]);
      await reportUsage(1, makeReport(created), makeReport(changed));
      expect((await readCrossings(id)).map(({ subject_id }) => subject_id)).toEqual([created, changed].sort());
    });

    it('are detected for a limit that was written again unchanged or for another period', async () => {
      const user = `user ${randomUUID()}`;
      await setLimit(user, computeCost(2));
      await backdate('budgets');
      await setLimit(user, computeCost(2));
      await setLimit(user, '100', 'year');
      const { id } = await createAlert({ thresholds: [50], scope: 'user', subject_id: user });
      await reportUsage(0, makeLateReport(user));
      expect(await readThresholds(id)).toEqual([50]);
    });

    it('are detected for the default budget only if it was set before its end', async () => {
      const [before, after] = [`user ${randomUUID()}`, `user ${randomUUID()}`];
      await putDefault(computeCost(3));
      await putDefault(computeCost(2));
      const { id } = await createAlert({ thresholds: [50], scope: 'user', periods: ['month'] });
      await reportUsage(0, makeLateReport(after));
      expect(await readCrossings(id)).toEqual([]);
      await backdate('default_user_budget');
      await putDefault(computeCost(2));
      await reportUsage(1, makeLateReport(before));
      expect((await readCrossings(id)).map(({ subject_id }) => subject_id)).toEqual([before]);
    });

    it('are detected for the default budget only if the limit of the user was deleted before its end', async () => {
      const user = `user ${randomUUID()}`;
      await putDefault(computeCost(2));
      await backdate('default_user_budget');
      await setLimit(user, '100');
      await removeLimit(user);
      const { id } = await createAlert({ thresholds: [50], scope: 'user', subject_id: user });
      await reportUsage(0, makeLateReport(user));
      expect(await readCrossings(id)).toEqual([]);
      await backdate('removed_user_budgets', 'removed_at');
      await reportUsage(1, makeLateReport(user));
      expect(await readThresholds(id)).toEqual([50]);
    });
  });

  it('are not lost when an alert is created during a crossing', async () => {
    const users = Array.from({ length: 30 }, () => `user ${randomUUID()}`);
    for (const user of users) await limit(manager, 'user', user, computeCost(1));
    const alerts: string[] = [];
    for (let at = 0; at < users.length; at += 3) {
      const created = users.slice(at, at + 3).map(async (user) => {
        const creation = createAlert({ thresholds: [100], scope: 'user', subject_id: user });
        const [alert] = await Promise.all([creation, reportUsage(at, makeReport(user))]);
        return alert.id;
      });
      alerts.push(...(await Promise.all(created)));
    }
    await waitForScans();
    for (const id of alerts) expect(await readThresholds(id)).toEqual([100]);
  }, 60_000);

  it('are not lost when an alert is created during a recharge', async () => {
    const [user, model] = [`user ${randomUUID()}`, `new-${randomUUID()}`];
    await limit(manager, 'user', user, computeCost(1));
    expect(await reportUsage(0, makeReport(user), makeReport(user, { model }))).toEqual(['charged', 'unpriceable']);
    await limit(manager, 'user', user, computeCost(2));
    await price(manager, [...PRICES, { ...PRICES[0], model }], new Date().toISOString());
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM budget_cells WHERE subject_id = $1 FOR UPDATE', [user]);
      const recharged = gateway.recharge({ model });
      await waitForLockedStatements(manager, 'INTO budget_cells');
      // Either the creation of the alert waits for the recharge, or its scan ends before the
      // recharge.
      const created = createAlert({ thresholds: [100], scope: 'user', subject_id: user });
      await Promise.race([created.then(waitForScans), waitForLockedStatements(manager, 'pg_advisory_xact_lock')]);
      await holder.query('COMMIT');
      expect((await recharged).body).toMatchObject({ charged_count: 1 });
      const { id } = await created;
      await waitForScans();
      expect(await readThresholds(id)).toEqual([100]);
    } finally {
      await holder.end();
    }
  });

  it('do not block a settlement when their alert is deleted at the same time', async () => {
    const user = `user ${randomUUID()}`;
    await limit(manager, 'user', user, computeCost(1));
    const token = manager.tokens.admin;
    for (let round = 0; round < 20; round += 1) {
      const { id } = await createAlert({ thresholds: [1, 2, 3], scope: 'user', subject_id: user });
      const [settled] = await Promise.all([
        reportUsage(round, makeReport(user)),
        manager.client.call('DELETE /v1/budgets/alerts/{id}', { token, path: { id } }),
      ]);
      expect(settled).toEqual(['charged']);
    }
    await waitForScans();
    expect(await manager.sql('SELECT FROM budget_alert_deliveries')).toEqual([]);
  }, 60_000);

  it('need one query of an empty table without alerts', async () => {
    const user = `user ${randomUUID()}`;
    await limit(manager, 'user', user, computeCost(1));
    const wire = replicas[0].wire!;
    wire.forget();
    await reportUsage(0, ...Array.from({ length: 100 }, () => makeReport(user)));
    const statements = wire.statements().filter((text) => text.includes('budget_alert') && !text.startsWith('/*'));
    expect(new Set(statements)).toEqual(new Set(['SELECT 1 AS found FROM budget_alerts WHERE enabled LIMIT 1']));
  });
});
