import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Service } from '@gatehouse/service-kit/start';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { describeEveryOperation, type RunningService } from '@gatehouse/testing/contract-runner';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { loadSettings } from '../src/config/config.ts';
import { startService } from './service.ts';

let issuer: TestIssuer;
let service: Service;
let running: RunningService;

beforeAll(async () => {
  issuer = await startIssuer();
  service = await startService(serviceEnvironment(issuer));
  running = {
    client: createContractClient({ service: 'ai-gateway-mgmt', baseUrl: service.url }),
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
});

const info = (token?: string, requestId?: string) =>
  running.client.call('GET /v1/info', {
    ...(token === undefined ? {} : { token }),
    ...(requestId === undefined ? {} : { headers: { 'x-request-id': requestId } }),
  });

describeEveryOperation('ai-gateway-mgmt', () => running, {
  'GET /v1/info': () => ({}),
  'GET /.well-known/oauth-protected-resource': () => ({}),
  'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
  'GET /healthz': () => ({}),
  'GET /readyz': () => ({}),
});

describe('GET /v1/info', () => {
  it('returns the configured name and namespace to every verified caller', async () => {
    for (const token of [running.tokens.user, running.tokens.admin]) {
      const answer = await info(token);
      expect([answer.status, answer.body]).toEqual([200, { name: 'gateway-a', namespace: 'team-a' }]);
    }
  });

  it('returns the request id of the caller, or a new one', async () => {
    expect((await info(running.tokens.user, 'caller-1')).headers.get('x-request-id')).toBe('caller-1');
    expect((await info(running.tokens.user)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers 401 with a machine code and the request id', async () => {
    const answer = await info(undefined, 'caller-2');
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ error: 'unauthenticated', requestId: 'caller-2' });
    expect(answer.headers.get('x-request-id')).toBe('caller-2');
  });
});

describe('public paths', () => {
  it.each(['/healthz', '/readyz', '/api/doc', '/api/doc/openapi.json'])(
    'respond at %s without a token',
    async (path) => {
      const answer = await fetch(`${service.url}${path}`);
      await answer.text();
      expect(answer.status).toBe(200);
    },
  );

  it('answer an unknown path with a machine code', async () => {
    const answer = await fetch(`${service.url}/v1/nothing`, {
      headers: { authorization: `Bearer ${running.tokens.admin}` },
    });
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })]);
  });
});

describe('loadSettings', () => {
  const issuers = JSON.stringify([{ id: 'x', issuer: 'http://127.0.0.1:1' }]);

  it('names every problem at once', () => {
    expect(() => loadSettings({ NAMESPACE: 'Not A Label', GATEWAY_NAME: '-x', PORT: 'x' })).toThrow(
      /NAMESPACE[\s\S]*GATEWAY_NAME|GATEWAY_NAME[\s\S]*NAMESPACE/,
    );
  });

  it.each(['a', 'a-b', 'a'.repeat(63)])('accepts the namespace %j', (NAMESPACE) => {
    expect(loadSettings({ NAMESPACE, GATEWAY_NAME: 'a.b', AUDIENCE: 'x', ISSUERS: issuers }).NAMESPACE).toBe(NAMESPACE);
  });

  it.each(['', 'A', '-a', 'a-', 'a.b', 'a'.repeat(64)])('refuses the namespace %j', (NAMESPACE) => {
    expect(() => loadSettings({ NAMESPACE, GATEWAY_NAME: 'a', AUDIENCE: 'x', ISSUERS: issuers })).toThrow('NAMESPACE');
  });
});
