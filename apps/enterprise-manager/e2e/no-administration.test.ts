import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DocumentedOperation, readDocument } from '@gatehouse/testing/contract-client';
import { startManager, type TestManager } from './enterprise-manager.ts';

const operations = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, documented]) => ({
    operation: `${method.toUpperCase()} ${path}`,
    roles: (documented as DocumentedOperation & { 'x-roles'?: string[] })['x-roles'] ?? [],
    params: Object.fromEntries(
      [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => [name, '00000000-0000-4000-8000-000000000000']),
    ),
  })),
);
const administrative = operations.filter(({ roles }) => roles.includes('admin') || roles.includes('auditor'));
const others = operations.filter((operation) => !administrative.includes(operation));

describe('a deployment without configured administrators', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ administration: false });
  }, 60_000);
  afterAll(() => manager.close());

  it('has operations for administrators and operations for other callers', () => {
    expect([administrative.length > 30, others.length > 20]).toEqual([true, true]);
  });

  it.each(administrative)(
    'answers $operation with 503 and the reason to every valid token',
    async ({ operation, params: path }) => {
      // The claim alone does not make an administrator; the configuration must map it to the role.
      for (const token of Object.values(manager.tokens)) {
        const response = await manager.client.call(operation, { token, path });
        expect([response.status, response.body]).toEqual([503, { error: 'admin auth not yet configured' }]);
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      expect((await manager.client.call(operation, { path })).status).toBe(401);
      const foreign = await manager.issuer.token({ subject: 'admin', roles: ['admin'], audience: 'elsewhere' });
      expect((await manager.client.call(operation, { path, token: foreign })).status).toBe(401);
    },
  );

  it.each(others)('serves $operation as usual', async ({ operation, roles, params: path }) => {
    const { gateway, alice } = manager.tokens;
    const response = await manager.client.call(operation, { token: roles.includes('gateway') ? gateway : alice, path });
    expect(JSON.stringify(response.body ?? '')).not.toContain('not yet configured');
    // Operations with their own credentials do not accept these tokens.
    if (roles.length > 0) expect([401, 403]).not.toContain(response.status);
    expect(response.status).not.toBe(503);
  });

  it('refuses administrative writes, while users create keys and read their profiles', async () => {
    const body = { display_name: 'Early birds' };
    await manager.client.call('POST /v1/groups', { token: manager.tokens.admin, body });
    expect(await manager.sql('SELECT 1 FROM groups')).toEqual([]);
    const key = await manager.client.call<{ secret: string }>('POST /v1/keys', {
      token: manager.tokens.alice,
      body: { name: 'early' },
    });
    expect(key.status).toBe(201);
    const { status } = await manager.client.call('GET /v1/me', { token: manager.tokens.alice });
    expect(status).toBe(200);
  });
});
