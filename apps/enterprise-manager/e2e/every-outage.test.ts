import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Call, type DocumentedOperation, readDocument } from '@gatehouse/testing/contract-client';
import type { RunningService } from '@gatehouse/testing/contract-runner';
import { type DatabaseWire, wireTo } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { samplesOf } from './samples.ts';

type Documented = DocumentedOperation & { 'x-roles'?: string[] };

/** The key set is what a replica holds: clients verify what was signed before, also while the database is away. */
const HELD = ['GET /.well-known/jwks.json'];

const operations = Object.entries(readDocument('enterprise-manager').paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, documented]) => ({ operation: `${method.toUpperCase()} ${path}`, documented })),
  )
  .filter(({ operation, documented }) => '503' in documented.responses && !HELD.includes(operation))
  .map(({ operation, documented }) => ({ operation, roles: (documented as Documented)['x-roles'] ?? [] }));

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

  it.each(operations)('$operation answers 503 and when to come again', async ({ operation }) => {
    const answer = await manager.client.call<Record<string, unknown>>(operation, calls.get(operation) ?? {});
    expect([answer.status, answer.body]).toEqual([503, expect.anything()]);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const said = JSON.stringify(answer.body);
    expect(said).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|postgres/i);
  });
});
