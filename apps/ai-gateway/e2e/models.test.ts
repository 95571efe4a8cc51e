import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '@gatehouse/service-kit/start';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { describeEveryOperation, type RunningService } from '@gatehouse/testing/contract-runner';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ai-gateway-'));
const names = Array.from({ length: 5 }, () => `model-${Math.random().toString(36).slice(2, 10)}`);
let issuer: TestIssuer;
let service: Service;
let running: RunningService;

beforeAll(async () => {
  issuer = await startIssuer();
  const file = join(folder, 'gateway.yaml');
  const routes = names.map((name) => ({
    match: { model: name },
    contextWindow: 1000,
    backends: [{ provider: 'main' }],
  }));
  const gateway = {
    apiVersion: 'gatehouse.dev/v1alpha1',
    kind: 'AIGateway',
    metadata: { name: 'test' },
    spec: {
      auth: { oidc: { issuer: 'https://login.example.com', audience: 'gatehouse' } },
      providers: [{ name: 'main', kind: 'openai', endpoint: 'https://api.openai.com' }],
      routes,
      defaultRoute: { backends: [{ provider: 'main' }] },
    },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(gateway));
  service = await startService({ ...serviceEnvironment(issuer), GATEWAY_FILE: file });
  running = {
    client: createContractClient({ service: 'ai-gateway', baseUrl: service.url }),
    tokens: {
      admin: await issuer.token({ roles: ['admin'] }),
      auditor: await issuer.token({ roles: ['auditor'] }),
      gateway: await issuer.token({ roles: ['gateway'] }),
      user: await issuer.token(),
    },
    foreignToken: await issuer.token({ audience: 'https://elsewhere.test' }),
  };
});
afterAll(async () => {
  await service.close();
  await issuer.close();
  rmSync(folder, { recursive: true });
});

describeEveryOperation('ai-gateway', () => running, {
  'GET /v1/models': () => ({}),
  'GET /.well-known/oauth-protected-resource': () => ({}),
  'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
  'GET /healthz': () => ({}),
  'GET /readyz': () => ({}),
});

describe('GET /v1/models', () => {
  it('lists the models of the gateway file, sorted, in the format of OpenAI', async () => {
    const { status, body } = await running.client.call('GET /v1/models', { token: running.tokens.user });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      data: [...names].sort().map((id) => ({
        id,
        object: 'model',
        created: expect.any(Number),
        owned_by: 'openai',
        context_window: 1000,
      })),
    });
  });

  it('answers 401 without a token', async () => {
    const { status, body } = await running.client.call('GET /v1/models', {});
    expect([status, body]).toEqual([401, { error: expect.any(String) }]);
  });
});
