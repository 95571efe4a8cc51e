import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { startManager, type TestManager } from './enterprise-manager.ts';

let manager: TestManager;
beforeAll(async () => {
  manager = await startManager();
}, 60_000);
afterAll(() => manager.close());

/** Begins a batch that does not tell its length, so that it counts as 8 MiB, and never ends. */
function begin(open: ClientRequest[], path = '/webhooks/budgets/usage', token = manager.tokens.gateway) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' };
  const batch = request(new URL(path, manager.baseUrl), { method: 'POST', headers, agent: false });
  batch.on('error', () => undefined).flushHeaders();
  batch.write('{');
  open.push(batch);
  return batch;
}

it('large batches that are worked on have 256 MiB together; more is 503 before it is read, and small requests go on', async () => {
  const open: ClientRequest[] = [];
  const refused = new Promise<IncomingMessage>((resolve) => {
    for (let count = 0; count < 33; count += 1)
      begin(open, count % 2 === 0 ? '/webhooks/budgets/usage' : '/gateway/v1/gateways/local/tool-calls').once(
        'response',
        resolve,
      );
  });
  const answer = await refused;
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  expect(await manager.client.call('GET /v1/me', { token: manager.tokens.admin })).toMatchObject({ status: 200 });

  // Who may not report takes no room.
  const stranger = begin(open, '/webhooks/budgets/usage', manager.tokens.admin);
  const [turnedAway] = (await once(stranger, 'response')) as [IncomingMessage];
  expect(turnedAway.statusCode).toBe(403);

  for (const batch of open) batch.destroy();
  const report = () =>
    manager.client.call('POST /webhooks/budgets/usage', { token: manager.tokens.gateway, body: { events: [{}] } });
  while ((await report()).status === 503);
  expect((await report()).status).toBe(200);
});
