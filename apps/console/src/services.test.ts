import { describe, expect, it } from '@jest/globals';
import { loadSettings } from './config.ts';
import { readServiceState, listServices, watchServices } from './services.ts';

const SERVICE = { name: 'x', title: 'X', url: 'http://127.0.0.1:1', page: 'http://127.0.0.1:1/api/doc' };
const answering =
  (status: number, body: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, { status }));

describe('the state of a service', () => {
  it('is ready when the service reports that it is ready', async () => {
    expect(await readServiceState(SERVICE, answering(200, '{"status":"ready"}'))).toEqual({
      ...SERVICE,
      state: 'ready',
    });
  });

  it('is not_ready, with the reason of the service, when a dependency is down', async () => {
    const response = await readServiceState(SERVICE, answering(503, '{"error":"not ready: database"}'));
    expect(response).toEqual({ ...SERVICE, state: 'not_ready', detail: 'not ready: database' });
  });

  it.each(['', 'x', '[]', 'null', '{"error":7}'])('has no reason after the response %j', async (body) => {
    expect(await readServiceState(SERVICE, answering(503, body))).toEqual({ ...SERVICE, state: 'not_ready' });
  });

  it('limits the length of the reason', async () => {
    const { detail } = await readServiceState(SERVICE, answering(503, JSON.stringify({ error: 'x'.repeat(10_000) })));
    expect(detail).toHaveLength(300);
  });

  it('is down without a response', async () => {
    expect((await readServiceState(SERVICE, () => Promise.reject(new TypeError('refused')))).state).toBe('down');
    expect((await readServiceState(SERVICE)).state).toBe('down');
  });
});

describe('concurrent reads of the states', () => {
  it('request each state once a second', async () => {
    const requested: string[] = [];
    let now = 0;
    const states = watchServices(
      [SERVICE, { ...SERVICE, name: 'y' }],
      (service) => {
        requested.push(service.name);
        return Promise.resolve({ ...service, state: 'ready' });
      },
      () => now,
    );
    const responses = await Promise.all(Array.from({ length: 100 }, states));
    expect(responses.every(([first]) => first?.state === 'ready')).toBe(true);
    expect(requested).toEqual(['x', 'y']);
    now = 999;
    await states();
    expect(requested).toHaveLength(2);
    now = 1000;
    await states();
    expect(requested).toHaveLength(4);
  });
});

describe('listServices', () => {
  const env = {
    ISSUER: 'http://127.0.0.1:8090/',
    ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:8080',
    CONNECTOR_GATEWAY_URL: 'http://127.0.0.1:8091',
    AI_GATEWAY_MGMT_URL: 'http://127.0.0.1:8082',
    AI_GATEWAY_URL: 'http://127.0.0.1:8083',
  };

  it('returns the four services, and the identity provider if it has an address', () => {
    expect(listServices(loadSettings(env))).toHaveLength(4);
    const all = listServices(loadSettings({ ...env, IDENTITY_PROVIDER_URL: 'http://127.0.0.1:8090' }));
    expect(all.map(({ name }) => name)).toContain('identity-provider');
  });

  it('requires an address of each service, and reports all missing ones at once', () => {
    expect(() => loadSettings({})).toThrow(/ISSUER[\s\S]*ENTERPRISE_MANAGER_URL[\s\S]*AI_GATEWAY_URL/);
  });
});
