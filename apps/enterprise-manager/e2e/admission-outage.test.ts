import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresWire, startPostgresWire } from '@gatehouse/testing/postgres-wire';
import {
  type AdmissionResponse,
  admission,
  makeUsers,
  makePrices,
  setBudget,
  findWrongCells,
} from './admission-scene.ts';
import { type DatabaseWire, startWire } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const ADMIT = 'POST /webhooks/budgets/admission';

describe('POST /webhooks/budgets/admission during a database outage', () => {
  let manager: TestManager;
  let wire: DatabaseWire;

  beforeAll(async () => {
    manager = await startManager({
      between: async (url) => {
        wire = await startWire(url);
        return wire.url;
      },
    });
    await makePrices(manager);
    await setBudget(manager, 'user', 'alice', '1000');
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    wire.cut();
  });

  it('answers 503 with Retry-After, reserves nothing, and admits requests after the outage', async () => {
    const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
    const token = manager.tokens.gateway;
    const requests = Array.from({ length: 250 }, () => admission(alice));
    const admitAll = () =>
      Promise.all(requests.map((body) => manager.client.call<AdmissionResponse>(ADMIT, { token, body })));
    wire.cut();
    const refused = await admitAll();
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await wire.restore();
    expect(await manager.sql('SELECT 1 FROM reservations')).toEqual([]);
    const served = await admitAll();
    expect(new Set(served.map(({ body }) => body.decision))).toEqual(new Set(['admitted']));
    expect(await findWrongCells(manager)).toEqual([]);
  }, 60_000);
});

describe('POST /webhooks/budgets/admission with a connection that breaks at a statement', () => {
  let manager: TestManager;
  let wire: PostgresWire;

  beforeAll(async () => {
    manager = await startManager({
      between: async (url) => {
        wire = await startPostgresWire(url);
        return wire.url;
      },
    });
    await makePrices(manager);
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    await wire.close();
  });

  it('admits all requests of a batch or none, and each repeated request once', async () => {
    const token = manager.tokens.gateway;
    const toPrincipal = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
    const recordStatements = async (): Promise<string[]> => {
      const [user = ''] = await makeUsers(manager, 1);
      await setBudget(manager, 'user', user, '100');
      wire.forget();
      const response = await manager.client.call<AdmissionResponse>(ADMIT, {
        token,
        body: admission(toPrincipal(user)),
      });
      expect(response.body.decision).toBe('admitted');
      return wire.statements().filter((text) => !text.includes('SKIP LOCKED'));
    };
    // A process reads prices only once.
    await recordStatements();
    const statements = (await recordStatements()).filter((text, at, list) => list.indexOf(text) === at);
    const writing = statements.filter((text) => /^\s*(?:WITH|INSERT|COMMIT|START|SELECT)/.test(text));
    expect(writing.length).toBeGreaterThan(8);
    let broken = 0;
    for (const text of writing) {
      // Only COMMIT needs `before`: for other statements it equals the end of the previous one.
      for (const moment of text === 'COMMIT' ? (['before', 'sent', 'after'] as const) : (['after'] as const)) {
        const [user = ''] = await makeUsers(manager, 1);
        await setBudget(manager, 'user', user, '100');
        const bodies = [admission(toPrincipal(user)), admission(toPrincipal(user)), admission(toPrincipal(user))];
        const stopped = wire.hold({ text, occurrence: 1, moment });
        const sendAll = () => bodies.map((body) => manager.client.call<AdmissionResponse>(ADMIT, { token, body }));
        const responses = sendAll();
        await stopped;
        // The server ends the stopped connection, as an administrator or a failover would.
        await manager.sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'enterprise-manager'`,
        );
        const statuses = (await Promise.all(responses)).map(({ status }) => status);
        expect([text, moment, statuses.filter((status) => status !== 200 && status !== 503)]).toEqual([
          text,
          moment,
          [],
        ]);
        if (statuses.includes(503)) broken += 1;
        expect(await findWrongCells(manager)).toEqual([]);
        // The pool may still contain other connections that the server ended.
        const repeatAll = async (): Promise<AdmissionResponse[]> => {
          const again = await Promise.all(sendAll());
          return again.some(({ status }) => status === 503) ? repeatAll() : again.map(({ body }) => body);
        };
        expect([text, moment, (await repeatAll()).map(({ decision }) => decision)]).toEqual([
          ...[text, moment],
          ['admitted', 'admitted', 'admitted'],
        ]);
        const [row] = await manager.sql<{ count: number }>(
          'SELECT count(*)::int AS count FROM reservations WHERE subject_id = $1',
          [user],
        );
        expect([text, moment, row?.count]).toEqual([text, moment, 3]);
        expect(await findWrongCells(manager)).toEqual([]);
      }
    }
    expect(broken).toBeGreaterThanOrEqual(writing.length - 1);
  }, 300_000);
});
