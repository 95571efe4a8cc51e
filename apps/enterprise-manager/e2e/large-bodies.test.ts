import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { startManager, type TestManager } from './enterprise-manager.ts';

let manager: TestManager;
beforeAll(async () => {
  manager = await startManager();
}, 60_000);
afterAll(() => manager.close());

/** Starts a batch without Content-Length, which counts as 8 MiB, and never ends it. */
function startBatch(open: ClientRequest[], path = '/webhooks/budgets/usage', token = manager.tokens.gateway) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' };
  const batch = request(new URL(path, manager.baseUrl), { method: 'POST', headers, agent: false });
  batch.on('error', () => undefined).flushHeaders();
  batch.write('{');
  open.push(batch);
  return batch;
}

it('the service refuses large batches above 256 MiB in total with 503 before it reads them, and serves small requests', async () => {
  const open: ClientRequest[] = [];
  const refused = new Promise<IncomingMessage>((resolve) => {
    for (let count = 0; count < 33; count += 1)
      startBatch(open, count % 2 === 0 ? '/webhooks/budgets/usage' : '/gateway/v1/gateways/local/tool-calls').once(
        'response',
        resolve,
      );
  });
  const response = await refused;
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1']);
  expect(await manager.client.call('GET /v1/me', { token: manager.tokens.admin })).toMatchObject({ status: 200 });

  // A caller without the role does not count.
  const forbidden = startBatch(open, '/webhooks/budgets/usage', manager.tokens.admin);
  const [denied] = (await once(forbidden, 'response')) as [IncomingMessage];
  expect(denied.statusCode).toBe(403);

  for (const batch of open) batch.destroy();
  const report = () =>
    manager.client.call('POST /webhooks/budgets/usage', { token: manager.tokens.gateway, body: { events: [{}] } });
  while ((await report()).status === 503);
  expect((await report()).status).toBe(200);
});
