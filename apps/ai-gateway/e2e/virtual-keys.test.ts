import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateApiKey } from '@gatehouse/auth/api-key';
import { eventually } from '@gatehouse/testing/eventually';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { randomBytes } from 'node:crypto';
import { type RealManager, startRealManager } from './support/real-manager.ts';
import { createGateway, createPolicy, type RunningGateway, startService } from './support/service.ts';

interface MadeKey {
  key: { id: string };
  secret: string;
}

/** The promised second, with a margin for a slow machine. */
const PROMISED_MS = 3_000;

describe('a virtual key', () => {
  let manager: RealManager;
  let service: RunningGateway;
  /** A key that was created before all tests. */
  let known: MadeKey;
  const backend = startFolderBackend();
  beforeAll(async () => {
    manager = await startRealManager();
    await backend.apply('AIGateway', createGateway(manager.issuer));
    service = await startService(backend, { ...serviceEnvironment(manager.issuer), ...manager.environment });
    const isReady = async () => (await fetch(`${service.url}/readyz`)).ok;
    await eventually(isReady, 'the gateway is ready');
    known = await makeKey();
  }, 60_000);
  afterAll(async () => {
    await service.close();
    await manager.close();
    await backend.close();
  });

  const getStatus = async (key: string) => {
    const response = await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };
  const becomes = (key: string, status: number) =>
    eventually(async () => (await getStatus(key)) === status, `the key is answered ${status}`, PROMISED_MS);
  const makeKey = (user = 'alice') => manager.call<MadeKey>(user, 'POST', '/v1/keys', {});
  const findUserId = async (name: string) => {
    const { items } = await manager.call<{ items: { id: string; user_name: string }[] }>('admin', 'GET', '/v1/users');
    return items.find(({ user_name }) => user_name === name)?.id ?? '';
  };

  it('is accepted from its creation on, and no other text', async () => {
    const { secret } = await makeKey();
    expect(await getStatus(secret)).toBe(200);
    expect(await getStatus(generateApiKey(randomBytes).text)).toBe(401);
    expect(await getStatus(`${secret.slice(0, -1)}!`)).toBe(401);
  });

  it('is refused within a second after it was disabled or revoked, while others are accepted', async () => {
    const [{ key, secret }, other] = [await makeKey(), await makeKey()];
    expect([await getStatus(secret), await getStatus(other.secret)]).toEqual([200, 200]);
    await manager.call('alice', 'POST', `/v1/keys/${key.id}/disable`);
    await becomes(secret, 401);
    await manager.call('alice', 'POST', `/v1/keys/${key.id}/enable`);
    await becomes(secret, 200);
    await manager.call('alice', 'DELETE', `/v1/keys/${key.id}`);
    await becomes(secret, 401);
    expect(await getStatus(other.secret)).toBe(200);
  });

  it('is refused within a second after the deactivation of its owner', async () => {
    const { secret } = await makeKey('bob');
    expect(await getStatus(secret)).toBe(200);
    const id = await findUserId('bob');
    await manager.call('admin', 'POST', `/v1/users/${id}/deactivate`);
    await becomes(secret, 401);
    await manager.call('admin', 'POST', `/v1/users/${id}/activate`);
    await becomes(secret, 200);
  });

  it('has the models of the groups of its owner, also after a new membership and a new name', async () => {
    const { secret } = await makeKey();
    const group = await manager.call<{ id: string }>('admin', 'POST', '/v1/groups', { display_name: 'Research' });
    const listModels = async (credential = secret) => {
      const response = await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${credential}` } });
      const { data } = (await response.json()) as { data: { id: string }[] };
      return data.map(({ id }) => id).join();
    };
    const hasModels = (models: string, credential?: string) =>
      eventually(async () => (await listModels(credential)) === models, `the models are ${models}`, PROMISED_MS);
    const { spec } = createPolicy('');
    await backend.apply('AIPolicy', {
      metadata: { name: 'researchers' },
      spec: { ...(spec as object), principalMatchers: [{ claims: { groups: 'Research' } }] },
    });
    const backends = [{ provider: 'main', weight: 1, priority: 0 }];
    const routes = [{ match: { model: 'gpt-5' }, backends }];
    await backend.apply('AIGateway', createGateway(manager.issuer, { routes }));
    const person = await manager.issuer.token({ subject: 'bob', groups: ['Research'] });
    await hasModels('gpt-5', person);
    expect(await listModels()).toBe('');
    await manager.call('admin', 'PUT', `/v1/groups/${group.id}/users/${await findUserId('alice')}`);
    await hasModels('gpt-5');
    await manager.call('admin', 'PATCH', `/v1/groups/${group.id}`, { display_name: 'Sales' });
    await hasModels('');
    await manager.call('admin', 'PATCH', `/v1/groups/${group.id}`, { display_name: 'Research' });
    await hasModels('gpt-5');
  });

  it('is refused while the AIGateway does not accept virtual keys', async () => {
    const { secret } = await makeKey();
    await backend.apply('AIGateway', createGateway(manager.issuer, { virtualKeys: { enabled: false } }));
    await becomes(secret, 401);
    await backend.apply('AIGateway', createGateway(manager.issuer));
    await becomes(secret, 200);
  });

  it('is accepted without the enterprise manager if it is known, and otherwise answered 503', async () => {
    const unknown = await makeKey();
    expect(await getStatus(known.secret)).toBe(200);
    await manager.stop();
    expect(await getStatus(unknown.secret)).toBe(503);
    await becomes(known.secret, 200);
    await manager.restart();
    await eventually(async () => (await getStatus(unknown.secret)) === 200, 'the other key is resolved', 10_000);
    await manager.call('alice', 'DELETE', `/v1/keys/${known.key.id}`);
    await becomes(known.secret, 401);
  }, 60_000);
});
