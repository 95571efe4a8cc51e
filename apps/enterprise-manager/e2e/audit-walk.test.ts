import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '@gatehouse/testing/contract-client';
import type { CommonPersona, RunningService } from '@gatehouse/testing/contract-runner';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { createSamples } from './samples.ts';
import { readDatabaseState } from './state.ts';

interface AuditRow {
  operation: string;
  outcome: string;
  subject: string;
  request_id: string;
}

/** Every operation of the contract with its allowed roles. */
const operations = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, documented]) => ({
    operation: `${method.toUpperCase()} ${path}`,
    summary: documented.summary ?? '',
    roles: (documented as { 'x-roles'?: string[] })['x-roles'] ?? [],
  })),
);
const administration = operations.filter(
  ({ operation, roles }) => roles.includes('admin') && !operation.startsWith('GET '),
);
/** The administrative operations that auditors may call are reads with a request body. */
const [bodyReads, writes] = [true, false].map((isRead) =>
  administration.filter(({ roles }) => roles.includes('auditor') === isRead),
) as [typeof operations, typeof operations];
const restricted = operations.filter(({ roles }) => roles.length > 0);

describe('the audit trail', () => {
  let manager: TestManager;
  let service: RunningService;
  const samples = createSamples(() => manager);
  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
    const { admin, auditor, gateway, alice } = manager.tokens;
    service = { client: manager.client, tokens: { admin, auditor, gateway, user: alice }, foreignToken: '' };
  }, 60_000);
  afterAll(() => manager.close());

  const listRows = (requestId: string) =>
    manager.sql<AuditRow>('SELECT operation, outcome, subject, request_id FROM audit_events WHERE request_id = $1', [
      requestId,
    ]);
  const call = async (operation: string, persona: CommonPersona, requestId: string) => {
    const sample = await samples[operation]?.(service);
    const headers = { ...sample?.headers, 'x-request-id': requestId };
    return {
      sample,
      send: () => manager.client.call(operation, { ...sample, headers, token: service.tokens[persona] }),
    };
  };

  it('has at least 12 writes of administrators to test', () => {
    expect(writes.length).toBeGreaterThanOrEqual(12);
  });

  describe.each(writes)('$operation', ({ operation, summary }) => {
    it('writes one audit event', async () => {
      const requestId = `write ${summary}`;
      const { send } = await call(operation, 'admin', requestId);
      expect((await send()).status).toBeLessThan(300);
      expect(await listRows(requestId)).toEqual([
        { operation: summary, outcome: 'succeeded', subject: 'admin', request_id: requestId },
      ]);
    });

    it('is rolled back if its audit event cannot be written', async () => {
      const { sample } = await call(operation, 'admin', 'unwritten');
      const before = await readDatabaseState(manager);
      await manager.sql(
        "CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$",
      );
      await manager.sql('CREATE TRIGGER refuse_line BEFORE INSERT ON audit_events EXECUTE FUNCTION refuse_line()');
      try {
        const path = operation
          .split(' ')[1]
          ?.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sample?.path?.[name])));
        const response = await fetch(`${manager.baseUrl}${path}`, {
          method: operation.split(' ')[0] ?? '',
          headers: {
            authorization: `Bearer ${manager.tokens.admin}`,
            ...(sample?.body !== undefined && { 'content-type': 'application/json' }),
            ...sample?.headers,
          },
          ...(sample?.body !== undefined && { body: JSON.stringify(sample.body) }),
        });
        expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('no room')]);
      } finally {
        await manager.sql('DROP FUNCTION refuse_line CASCADE');
      }
      expect(await readDatabaseState(manager)).toBe(before);
    });
  });

  it.each(bodyReads)('has no event of $operation, which changes nothing', async ({ operation, summary }) => {
    const requestId = `read ${summary}`;
    const { send } = await call(operation, 'admin', requestId);
    const before = await readDatabaseState(manager);
    expect((await send()).status).toBeLessThan(300);
    expect([await listRows(requestId), await readDatabaseState(manager)]).toEqual([[], before]);
  });

  it.each(restricted)('has an event of a caller that $operation refuses', async ({ operation, summary, roles }) => {
    const persona =
      roles.includes('gateway') || !roles.some((role) => ['user', 'any'].includes(role)) ? 'user' : 'gateway';
    const requestId = `refused ${summary}`;
    const { send } = await call(operation, persona, requestId);
    expect((await send()).status).toBe(403);
    const subject = persona === 'user' ? 'alice' : 'connector-gateway';
    expect(await listRows(requestId)).toEqual([
      { operation: summary, outcome: 'forbidden', subject, request_id: requestId },
    ]);
  });
});
