import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { eventually, LOOPBACK, makeAlert, type Receiver, startReceiver } from './alerts-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, limit, price, PRICES } from './usage-scene.ts';

/** What one report costs. */
const ONE = 0.0035;
const times = (reports: number) => (ONE * reports).toFixed(9);

describe('thresholds of budgets', () => {
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

  /** Reports to a replica, again while it has no connection to spare, as a gateway does. */
  const use = async (at: number, ...events: Record<string, unknown>[]) => {
    const report = () =>
      replicas[at % 2]!.call({
        method: 'POST',
        path: '/webhooks/budgets/usage',
        token: manager.tokens.gateway,
        body: { events },
      });
    let answer = await report();
    while (answer.status === 503) answer = await report();
    expect(answer.status).toBe(200);
    return (answer.body['results'] as { status: string }[]).map(({ status }) => status);
  };
  const report = (subject: string, more: Record<string, unknown> = {}) =>
    gateway.report({ principal: gateway.person(subject), ...more });
  const large = (subject: string) =>
    report(subject, { raw_usage: { prompt_tokens: 100_000_000, completion_tokens: 0, total_tokens: 100_000_000 } });
  const crossed = async (alertId: string) =>
    manager.sql<{ subject_id: string; scope: string; period: string; threshold: number }>(
      `SELECT subject_id, scope, period, threshold_percent AS threshold FROM budget_alert_deliveries
       WHERE alert_id = $1 AND kind = 'crossing' ORDER BY subject_id COLLATE "C", period, threshold_percent`,
      [alertId],
    );
  const thresholdsOf = async (alertId: string) => (await crossed(alertId)).map(({ threshold }) => threshold);
  const looked = () =>
    eventually(
      async () => (await manager.sql('SELECT FROM budget_alert_looks WHERE asked = done')).length === 1,
      'all looks were taken',
    );
  const alertOn = (more: object = {}) => makeAlert(manager, { url: receiver.url, ...more });
  const setLimit = async (subject: string, limit_usd: string, period = 'month') => {
    const path = `/v1/budgets/users/${encodeURIComponent(subject)}`;
    const answer = await replicas[0].call({
      method: 'PUT',
      path,
      token: manager.tokens.admin,
      body: { limit_usd, period },
    });
    expect(answer.status).toBe(204);
  };

  it('are told once each, however many report at once to whichever replica, and reach the target once', async () => {
    const thresholds = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150];
    const alert = await alertOn({ thresholds, scope: 'user' });
    const people = Array.from({ length: 4 }, () => `person ${randomUUID()}`);
    for (const person of people) await limit(manager, 'user', person, times(50));
    await Promise.all(people.flatMap((person) => Array.from({ length: 50 }, (_, at) => use(at, report(person)))));
    const rows = await crossed(alert.id);
    for (const person of people)
      expect(rows.filter(({ subject_id }) => subject_id === person).map(({ threshold }) => threshold)).toEqual(
        thresholds.slice(0, 10),
      );
    expect(rows).toHaveLength(40);
    await eventually(
      async () => (await manager.sql(`SELECT FROM budget_alert_deliveries WHERE state <> 'delivered'`)).length === 0,
      'all are delivered',
    );
    expect(receiver.received).toHaveLength(40);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(40);
  }, 90_000);

  it('are told all at once when one charge crosses them, and not again by a repeat or by more use', async () => {
    const person = `person ${randomUUID()}`;
    await limit(manager, 'user', person, '100');
    const { id } = await alertOn({ thresholds: [1, 50, 100, 250, 300], scope: 'user', subject_id: person });
    const event = large(person);
    expect(await use(0, event)).toEqual(['charged']);
    expect(await thresholdsOf(id)).toEqual([1, 50, 100, 250]);
    expect(await use(1, event)).toEqual(['duplicate']);
    expect(await use(1, report(person), report(person))).toEqual(['charged', 'charged']);
    expect(await thresholdsOf(id)).toEqual([1, 50, 100, 250]);
  });

  it('are crossed at the very amount, and not a billionth of a dollar before', async () => {
    const [at, below] = [`person ${randomUUID()}`, `person ${randomUUID()}`];
    await limit(manager, 'user', at, '0.007');
    await limit(manager, 'user', below, '0.007000001');
    const { id } = await alertOn({ thresholds: [50], scope: 'user' });
    await use(0, report(at), report(below));
    expect((await crossed(id)).map(({ subject_id }) => subject_id)).toEqual([at]);
  });

  it('of a limit that is lowered are told without any use, and once, however often it moves', async () => {
    const person = `person ${randomUUID()}`;
    await setLimit(person, '100');
    const { id } = await alertOn({ thresholds: [50, 100], scope: 'user', subject_id: person });
    await use(0, report(person));
    expect(await thresholdsOf(id)).toEqual([]);
    await setLimit(person, times(2));
    await eventually(async () => (await thresholdsOf(id)).length === 1, 'the first is told');
    await setLimit(person, '100');
    await setLimit(person, times(1));
    await eventually(async () => (await thresholdsOf(id)).length === 2, 'the second is told');
    await setLimit(person, '0');
    await use(1, report(person));
    await looked();
    expect(await thresholdsOf(id)).toEqual([50, 100]);
  });

  it('of a limit of nothing are all reached by the first use, and none without', async () => {
    const [used, unused] = [`person ${randomUUID()}`, `person ${randomUUID()}`];
    await setLimit(used, '0');
    await setLimit(unused, '0');
    const { id } = await alertOn({ thresholds: [1, 1_000], scope: 'user' });
    await use(
      0,
      report(used),
      report(unused, { raw_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }),
    );
    await looked();
    expect((await crossed(id)).map(({ subject_id, threshold }) => [subject_id, threshold])).toEqual([
      [used, 1],
      [used, 1_000],
    ]);
  });

  it('of the default budget hold for everybody without one of their own, also when one’s own goes', async () => {
    const [plain, own] = [`person a ${randomUUID()}`, `person b ${randomUUID()}`];
    const token = manager.tokens.admin;
    const body = { limit_usd: times(2), period: 'month' };
    await manager.client.call('PUT /v1/budgets/default', { token, body });
    await setLimit(own, '100');
    const { id } = await alertOn({ thresholds: [50] });
    await use(0, report(plain), report(own));
    expect((await crossed(id)).map(({ subject_id, period }) => [subject_id, period])).toEqual([[plain, 'month']]);
    await manager.client.call('DELETE /v1/budgets/users/{id}', { token, path: { id: own } });
    await eventually(async () => (await crossed(id)).length === 2, 'the default one holds');
    expect((await crossed(id)).map(({ subject_id }) => subject_id)).toEqual([plain, own]);
  });

  it('of a group that pays are its own, and each alert watches what it names', async () => {
    const group = await makeGroup(manager, 'alice');
    await limit(manager, 'group', group, times(2), 'day');
    await limit(manager, 'group', group, times(2), 'year');
    const alerts = {
      all: await alertOn({ thresholds: [50] }),
      groups: await alertOn({ thresholds: [50], scope: 'group' }),
      people: await alertOn({ thresholds: [50], scope: 'user' }),
      this: await alertOn({ thresholds: [50], scope: 'group', subject_id: group }),
      other: await alertOn({ thresholds: [50], scope: 'group', subject_id: await makeGroup(manager) }),
      years: await alertOn({ thresholds: [50], periods: ['year'] }),
      off: await alertOn({ thresholds: [50], enabled: false }),
    };
    await use(0, report('alice'));
    const told = async (alert: { id: string }) =>
      (await crossed(alert.id)).map(({ scope, subject_id, period }) => [scope, subject_id, period]);
    const [day, year] = [
      ['group', group, 'day'],
      ['group', group, 'year'],
    ];
    expect(await told(alerts.all)).toEqual([day, year]);
    expect(await told(alerts.groups)).toEqual([day, year]);
    expect(await told(alerts.this)).toEqual([day, year]);
    expect(await told(alerts.years)).toEqual([year]);
    for (const none of [alerts.people, alerts.other, alerts.off]) expect(await told(none)).toEqual([]);
  });

  it('that were crossed before are told of an alert that is made, or switched on, later', async () => {
    const person = `person ${randomUUID()}`;
    await limit(manager, 'user', person, times(2));
    await use(0, report(person));
    const made = await alertOn({ thresholds: [50], scope: 'user', subject_id: person });
    await eventually(async () => (await crossed(made.id)).length === 1, 'it is told');
    const later = await alertOn({ thresholds: [50], scope: 'user', subject_id: person, enabled: false });
    await looked();
    expect(await crossed(later.id)).toEqual([]);
    await manager.client.call('PUT /v1/budgets/alerts/{id}', {
      token: manager.tokens.admin,
      path: { id: later.id },
      body: {
        name: 'n',
        url: receiver.url,
        allow_private_ips: true,
        thresholds: [50],
        scope: 'user',
        subject_id: person,
      },
    });
    await eventually(async () => (await crossed(later.id)).length === 1, 'it is told too');
  });

  describe('of a window that has ended', () => {
    /** A report of the last hour of the previous month. */
    const lateReport = (subject: string) => {
      const now = new Date();
      const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
      return report(subject, { event_time: new Date(monthStart - 3_600_000).toISOString() });
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

    it('are compared with a limit that was set before its end', async () => {
      const person = `person ${randomUUID()}`;
      await setLimit(person, times(2));
      await backdate('budgets');
      const { id } = await alertOn({ thresholds: [50], scope: 'user', subject_id: person });
      await use(0, lateReport(person));
      expect(await thresholdsOf(id)).toEqual([50]);
    });

    it('are not compared with a limit that was set after its end', async () => {
      const [made, changed] = [`person ${randomUUID()}`, `person ${randomUUID()}`];
      await setLimit(changed, '100');
      await backdate('budgets');
      await setLimit(changed, times(2));
      await setLimit(made, times(2));
      const { id } = await alertOn({ thresholds: [50], scope: 'user', periods: ['month'] });
      await use(0, lateReport(made), lateReport(changed));
      expect(await crossed(id)).toEqual([]);
      await use(1, report(made), report(changed));
      expect((await crossed(id)).map(({ subject_id }) => subject_id)).toEqual([made, changed].sort());
    });

    it('are compared with a limit that was written again unchanged, or for another period', async () => {
      const person = `person ${randomUUID()}`;
      await setLimit(person, times(2));
      await backdate('budgets');
      await setLimit(person, times(2));
      await setLimit(person, '100', 'year');
      const { id } = await alertOn({ thresholds: [50], scope: 'user', subject_id: person });
      await use(0, lateReport(person));
      expect(await thresholdsOf(id)).toEqual([50]);
    });

    it('are compared with the default budget only where that one was set before its end', async () => {
      const [before, after] = [`person ${randomUUID()}`, `person ${randomUUID()}`];
      await putDefault(times(3));
      await putDefault(times(2));
      const { id } = await alertOn({ thresholds: [50], scope: 'user', periods: ['month'] });
      await use(0, lateReport(after));
      expect(await crossed(id)).toEqual([]);
      await backdate('default_user_budget');
      await putDefault(times(2));
      await use(1, lateReport(before));
      expect((await crossed(id)).map(({ subject_id }) => subject_id)).toEqual([before]);
    });

    it('are compared with the default budget only where an own limit was removed before its end', async () => {
      const person = `person ${randomUUID()}`;
      await putDefault(times(2));
      await backdate('default_user_budget');
      await setLimit(person, '100');
      await removeLimit(person);
      const { id } = await alertOn({ thresholds: [50], scope: 'user', subject_id: person });
      await use(0, lateReport(person));
      expect(await crossed(id)).toEqual([]);
      await backdate('removed_user_budgets', 'removed_at');
      await use(1, lateReport(person));
      expect(await thresholdsOf(id)).toEqual([50]);
    });
  });

  it('are not lost when an alert is made while somebody crosses them', async () => {
    const people = Array.from({ length: 30 }, () => `person ${randomUUID()}`);
    for (const person of people) await limit(manager, 'user', person, times(1));
    const alerts: string[] = [];
    for (let at = 0; at < people.length; at += 3) {
      const made = people.slice(at, at + 3).map(async (person) => {
        const watching = alertOn({ thresholds: [100], scope: 'user', subject_id: person });
        const [alert] = await Promise.all([watching, use(at, report(person))]);
        return alert.id;
      });
      alerts.push(...(await Promise.all(made)));
    }
    await looked();
    for (const id of alerts) expect(await thresholdsOf(id)).toEqual([100]);
  }, 60_000);

  it('are not lost when an alert is made while what waited for a price is charged', async () => {
    const [person, model] = [`person ${randomUUID()}`, `new-${randomUUID()}`];
    await limit(manager, 'user', person, times(1));
    expect(await use(0, report(person), report(person, { model }))).toEqual(['charged', 'unpriceable']);
    await limit(manager, 'user', person, times(2));
    await price(manager, [...PRICES, { ...PRICES[0], model }], new Date().toISOString());
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM budget_cells WHERE subject_id = $1 FOR UPDATE', [person]);
      const recharged = gateway.recharge({ model });
      await waitForLockedStatements(manager, 'INTO budget_cells');
      // Either the alert waits for the charges, or it is there and has looked for what was crossed,
      // before they are.
      const made = alertOn({ thresholds: [100], scope: 'user', subject_id: person });
      await Promise.race([made.then(looked), waitForLockedStatements(manager, 'pg_advisory_xact_lock')]);
      await holder.query('COMMIT');
      expect((await recharged).body).toMatchObject({ charged_count: 1 });
      const { id } = await made;
      await looked();
      expect(await thresholdsOf(id)).toEqual([100]);
    } finally {
      await holder.end();
    }
  });

  it('do not keep a settlement from its end when their alert is deleted at the same time', async () => {
    const person = `person ${randomUUID()}`;
    await limit(manager, 'user', person, times(1));
    const token = manager.tokens.admin;
    for (let round = 0; round < 20; round += 1) {
      const { id } = await alertOn({ thresholds: [1, 2, 3], scope: 'user', subject_id: person });
      const [settled] = await Promise.all([
        use(round, report(person)),
        manager.client.call('DELETE /v1/budgets/alerts/{id}', { token, path: { id } }),
      ]);
      expect(settled).toEqual(['charged']);
    }
    await looked();
    expect(await manager.sql('SELECT FROM budget_alert_deliveries')).toEqual([]);
  }, 60_000);

  it('cost one look into an empty table where nobody wants to be told', async () => {
    const person = `person ${randomUUID()}`;
    await limit(manager, 'user', person, times(1));
    const wire = replicas[0].wire!;
    wire.forget();
    await use(0, ...Array.from({ length: 100 }, () => report(person)));
    const asked = wire.statements().filter((text) => text.includes('budget_alert') && !text.startsWith('/*'));
    expect(new Set(asked)).toEqual(new Set(['SELECT 1 AS found FROM budget_alerts WHERE enabled LIMIT 1']));
  });
});
