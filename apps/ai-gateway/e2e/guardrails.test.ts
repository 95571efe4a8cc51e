import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { type FolderBackend, startFolderBackend } from '@gatehouse/testing/folder-backend';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, createPolicy, type RunningGateway, startService } from './support/service.ts';

/** The bodies that the provider and the webhook have received, by path. */
const received = new Map<string, string[]>();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    received.set(path, [...(received.get(path) ?? []), Buffer.concat(chunks).toString()]);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(path === '/webhook' ? '{"verdict":"allow"}' : '{"input_tokens":5}');
  });
});

let backend: FolderBackend;
let issuer: TestIssuer;
let service: RunningGateway;
let metricsPort: number;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  [issuer, metricsPort] = await Promise.all([startIssuer(), freePort()]);
  backend = startFolderBackend();
  await backend.apply('AIPolicy', createPolicy(issuer.audience));
  service = await startService(backend, {
    PORT: '0',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'silent',
    ALLOW_LOOPBACK_PROVIDERS: 'true',
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await issuer.close();
  await backend.close();
  server.closeAllConnections();
  server.close();
});

test('guardrails of an AIGateway hold and end with its file, and calls are in the metrics', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const apply = (guardrails?: object) =>
    backend.apply(
      'AIGateway',
      createGateway(issuer, {
        providers: [{ name: 'main', kind: 'anthropic', endpoint: origin }],
        routes: [{ match: { model: 'sample' }, backends: [{ provider: 'main', weight: 1, priority: 0 }] }],
        ...(guardrails && { guardrails }),
      }),
    );
  const token = await issuer.token({ roles: ['user'] });
  const call = async () => {
    const response = await fetch(`${service.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': token },
      body: JSON.stringify({ model: 'sample', messages: [{ role: 'user', content: 'my key is AKIA1234' }] }),
    });
    return { status: response.status, text: await response.text() };
  };
  const callProvider = async () => {
    const result = await call();
    return result.status === 200 ? received.get('/v1/messages/count_tokens')?.at(-1) : JSON.stringify(result);
  };

  // The webhook has the time limit and the failure mode of the CRD.
  await apply({ redaction: { patterns: ['AKIA[0-9]{4}'] }, requestWebhook: { url: `${origin}/webhook` } });
  await eventually(async () => (await callProvider())?.includes('my key is [redacted]'), 'the prompt is redacted');
  expect(received.get('/webhook')?.at(-1)).toContain('my key is [redacted]');
  await apply();
  await eventually(async () => (await callProvider())?.includes('AKIA1234'), 'the redaction has ended');

  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(
    /gatehouse_model_calls_attempts_total\{gen_ai_operation_name="count_tokens",gen_ai_provider_name="anthropic",gen_ai_request_model="sample",gatehouse_provider="main",gatehouse_route="sample",outcome="delivered"/,
  );
  expect(metrics).not.toContain('AKIA');
}, 60_000);
