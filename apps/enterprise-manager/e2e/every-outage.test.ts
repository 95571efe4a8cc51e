import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Call, type DocumentedOperation, readDocument } from '@gatehouse/testing/contract-client';
import type { RunningService } from '@gatehouse/testing/contract-runner';
import { type DatabaseWire, wireTo } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { samplesOf } from './samples.ts';

type Documented = DocumentedOperation & { 'x-roles'?: string[] };

/**
 * Operations that a replica answers from memory: health, discovery documents and the key set, by
 * which clients verify what was signed before. Each is answered without a database, so that no
 * operation that needs one can hide here. An operation with a role needs one: the directory says
 * whether the caller is active.
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
  .map(({ operation, documented }) => ({ operation, roles: (documented as Documented)['x-roles'] ?? [] }));
const needing = operations.filter(({ operation }) => !WITHOUT_DATABASE.includes(operation));

describe('every operation while the database is away', () => {
  let manager: TestManager;
  let wire: DatabaseWire;
  const calls = new Map<string, Call>();

  beforeAll(async () => {
    manager = await startManager({
      discoverable: true,
      between: async (url) => {
        wire = await wireTo(url);
        return wire.url;
      },
    });
    const { admin, auditor, gateway, alice } = manager.tokens;
    const service: RunningService = {
      client: manager.client,
      tokens: { admin, auditor, gateway, user: alice },
      foreignToken: '',
    };
    const samples = samplesOf(() => manager);
    for (const { operation, roles } of operations) {
      const token = roles.includes('gateway') ? gateway : roles.includes('admin') ? admin : alice;
      calls.set(operation, { token, ...(await samples[operation]?.(service)) });
    }
    wire.cut();
  }, 120_000);
  afterAll(async () => {
    await manager.close();
    wire.cut();
  });

  it.each(needing)('$operation answers 503 and when to come again', async ({ operation }) => {
    const answer = await manager.client.call<Record<string, unknown>>(operation, calls.get(operation) ?? {});
    expect([answer.status, answer.body]).toEqual([503, expect.anything()]);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const said = JSON.stringify(answer.body);
    expect(said).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|postgres/i);
  });

  it.each(WITHOUT_DATABASE)('%s is answered as ever', async (operation) => {
    const { status } = await manager.client.call(operation, calls.get(operation) ?? {});
    // Where nothing is below a path, that is the answer.
    expect(status).toBe(operation.includes('{path}') ? 404 : 200);
  });
});
