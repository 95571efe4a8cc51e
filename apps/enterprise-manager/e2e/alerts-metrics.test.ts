import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { freePort } from '@gatehouse/testing/ports';
import { listDeliveries, LOOPBACK, makeAlert, type Receiver, startReceiver, setUsage } from './alerts-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

let manager: TestManager;
let receiver: Receiver;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/metrics`;
  manager = await startManager({ environment: { ...LOOPBACK, METRICS_PORT: String(port) } });
  receiver = await startReceiver();
}, 60_000);
afterAll(async () => {
  receiver.close();
  await manager.close();
});

/** Reads the value of a metric by the start of its line; undefined without a value. */
const readMetric = async (name: string, labels = ''): Promise<number | undefined> => {
  const line = (await (await fetch(url)).text())
    .split('\n')
    .find((text) => text.startsWith(name) && text.includes(labels));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};
const readAttempts = (result: string) => readMetric('gatehouse_budget_alerts_deliveries', `result="${result}"`);
const readAge = async () => (await readMetric('gatehouse_budget_alerts_outbox_age')) ?? NaN;
const sendTest = (id: string) =>
  manager.client.call('POST /v1/budgets/alerts/{id}/test', { token: manager.tokens.admin, path: { id } });

it('counts attempts by result', async () => {
  const { id } = await makeAlert(manager, { url: receiver.url, scope: 'user', subject_id: 'unused' });
  await sendTest(id);
  await eventually(async () => (await readAttempts('delivered')) === 1, 'a delivery is counted');
  receiver.respondWith((response) => void response.writeHead(500).end());
  await sendTest(id);
  await eventually(async () => (await readAttempts('failed')) === 1, 'a failure is counted');
  await manager.sql(
    `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('metered', 'user', 'month', 100)`,
  );
  await setUsage(manager, 'metered', '85');
  const crossing = await makeAlert(manager, {
    ...{ url: receiver.url, scope: 'user', subject_id: 'metered', thresholds: [80] },
  });
  await eventually(async () => (await readAttempts('retried')) === 1, 'a retried attempt is counted');
  receiver.respondWith((response) => void response.writeHead(204).end());
  await eventually(async () => (await readAttempts('delivered')) === 2, 'the second attempt is counted');
  expect(await readAttempts('failed')).toBe(1);
  expect((await listDeliveries(manager, crossing.id)).map(({ state }) => state)).toEqual(['delivered']);
}, 120_000);

it('reports the age of the oldest due delivery while a target does not respond', async () => {
  const { id } = await makeAlert(manager, { url: receiver.url });
  expect(await readAge()).toBe(0);
  const open: (() => void)[] = [];
  receiver.respondWith((response) => void open.push(() => response.writeHead(204).end()));
  for (let at = 0; at < 3; at += 1) await sendTest(id);
  // Two are sent in parallel; the third one is due.
  await eventually(() => open.length === 2, 'two attempts are running');
  await eventually(async () => (await readAge()) > 0, 'the due delivery has an age');
  const before = await readAge();
  await eventually(async () => (await readAge()) > before, 'the age grows');
  receiver.respondWith((response) => void response.writeHead(204).end());
  for (const send of open) send();
  await eventually(async () => (await readAge()) === 0, 'no delivery is due');
}, 120_000);
