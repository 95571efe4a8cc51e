import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import {
  deliveriesOf,
  eventually,
  LOOPBACK,
  makeAlert,
  type Receiver,
  startReceiver,
  usedBefore,
} from './alerts-scene.ts';
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

/** The value of a metric, by the beginning of its line; undefined where it has none yet. */
const metric = async (name: string, labels = ''): Promise<number | undefined> => {
  const line = (await (await fetch(url)).text())
    .split('\n')
    .find((text) => text.startsWith(name) && text.includes(labels));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};
const attempts = (result: string) => metric('gatehouse_budget_alerts_deliveries', `result="${result}"`);
const age = async () => (await metric('gatehouse_budget_alerts_outbox_age')) ?? NaN;
const test = (id: string) =>
  manager.client.call('POST /v1/budgets/alerts/{id}/test', { token: manager.tokens.admin, path: { id } });

it('attempts are counted by what came of them', async () => {
  const { id } = await makeAlert(manager, { url: receiver.url, scope: 'user', subject_id: 'nobody' });
  await test(id);
  await eventually(async () => (await attempts('delivered')) === 1, 'a delivery is counted');
  receiver.answer((response) => void response.writeHead(500).end());
  await test(id);
  await eventually(async () => (await attempts('failed')) === 1, 'a failure is counted');
  await manager.sql(
    `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('metered', 'user', 'month', 100)`,
  );
  await usedBefore(manager, 'metered', '85');
  const crossing = await makeAlert(manager, {
    ...{ url: receiver.url, scope: 'user', subject_id: 'metered', thresholds: [80] },
  });
  await eventually(async () => (await attempts('retried')) === 1, 'an attempt that is repeated is counted');
  receiver.answer((response) => void response.writeHead(204).end());
  await eventually(async () => (await attempts('delivered')) === 2, 'the repeat is counted');
  expect(await attempts('failed')).toBe(1);
  expect((await deliveriesOf(manager, crossing.id)).map(({ state }) => state)).toEqual(['delivered']);
}, 120_000);

it('the age of what waits longest grows while a target does not answer, and ends with it', async () => {
  const { id } = await makeAlert(manager, { url: receiver.url });
  expect(await age()).toBe(0);
  const open: (() => void)[] = [];
  receiver.answer((response) => void open.push(() => response.writeHead(204).end()));
  for (let at = 0; at < 3; at += 1) await test(id);
  // Two are sent at once; the third one waits.
  await eventually(() => open.length === 2, 'two are being sent');
  await eventually(async () => (await age()) > 0, 'what waits has an age');
  const before = await age();
  await eventually(async () => (await age()) > before, 'the age grows');
  receiver.answer((response) => void response.writeHead(204).end());
  for (const answer of open) answer();
  await eventually(async () => (await age()) === 0, 'nothing waits any more');
}, 120_000);
