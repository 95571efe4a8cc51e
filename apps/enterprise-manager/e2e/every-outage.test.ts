import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Call, type DocumentedOperation, readDocument } from '@gatehouse/testing/contract-client';
import type { RunningService } from '@gatehouse/testing/contract-runner';
import { eventually } from '@gatehouse/testing/eventually';
import { type DatabaseWire, startWire } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSamples } from './samples.ts';

type OperationWithRoles = DocumentedOperation & { 'x-roles'?: string[] };

/**
 * Operations that a replica answers from memory: health, discovery documents and the key set. The
 * suite calls each of them without a database. An operation with a role needs the database, which
 * knows whether the caller is active.
 */
const WITHOUT_DATABASE = [
  'GET /.well-known/gatehouse-configuration',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/{path}',
  'GET /healthz',
];

const operations = Object.entries(readDocument('enterprise-manager').paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, documented]) => ({ operation: `${method.toUpperCase()} ${path}`, documented })),
  )
  .map(({ operation, documented }) => ({ operation, roles: (documented as OperationWithRoles)['x-roles'] ?? [] }));
const needsDatabase = operations.filter(({ operation }) => !WITHOUT_DATABASE.includes(operation));

describe('an operation while the database cannot be reached', () => {
  let manager: TestManager;
  let wire: DatabaseWire;
  const calls = new Map<string, Call>();

  beforeAll(async () => {
    manager = await startManager({
      discoverable: true,
      between: async (url) => {
        wire = await startWire(url);
        return wire.url;
      },
    });
    const { admin, auditor, gateway, alice } = manager.tokens;
    const service: RunningService = {
      client: manager.client,
      tokens: { admin, auditor, gateway, user: alice },
      foreignToken: '',
    };
    const samples = createSamples(() => manager);
    for (const { operation, roles } of operations) {
      const token = roles.includes('gateway') ? gateway : roles.includes('admin') ? admin : alice;
      calls.set(operation, { token, ...(await samples[operation]?.(service)) });
    }
    wire.cut();
    // The service caches for half a second that a caller is active. This operation reads nothing
    // else.
    await eventually(
      async () => (await manager.client.call('GET /v1/policy-schema', { token: admin })).status === 503,
      'the service reads the activity of the caller from the database',
    );
  }, 120_000);
  afterAll(async () => {
    await manager.close();
    wire.cut();
  });

  it.each(needsDatabase)('$operation answers 503 with Retry-After', async ({ operation }) => {
    const response = await manager.client.call<Record<string, unknown>>(operation, calls.get(operation) ?? {});
    expect([response.status, response.body]).toEqual([503, expect.anything()]);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const text = JSON.stringify(response.body);
    expect(text).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|postgres/i);
  });

  it.each(WITHOUT_DATABASE)('%s answers as usual', async (operation) => {
    const { status } = await manager.client.call(operation, calls.get(operation) ?? {});
    // The path below the well-known document has no resource.
    expect(status).toBe(operation.includes('{path}') ? 404 : 200);
  });
});
