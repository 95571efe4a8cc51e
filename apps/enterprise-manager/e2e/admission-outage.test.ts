import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresWire, startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { type Admitted, admission, makePeople, makePrices, setBudget, wrongCells } from './admission-scene.ts';
import { type DatabaseWire, wireTo } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const ADMIT = 'POST /webhooks/budgets/admission';

describe('admission while the database goes away', () => {
  let manager: TestManager;
  let wire: DatabaseWire;

  beforeAll(async () => {
    manager = await startManager({
      between: async (url) => {
        wire = await wireTo(url);
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

  it('answers 503 with Retry-After to all who wait, holds nothing for them, and goes on afterwards', async () => {
    const alice = { issuer: manager.issuer.issuer, subject: 'alice' };
    const token = manager.tokens.gateway;
    const requests = Array.from({ length: 250 }, () => admission(alice));
    const all = () => Promise.all(requests.map((body) => manager.client.call<Admitted>(ADMIT, { token, body })));
    wire.cut();
    const refused = await all();
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await wire.restore();
    expect(await manager.sql('SELECT 1 FROM reservations')).toEqual([]);
    const served = await all();
    expect(new Set(served.map(({ body }) => body.decision))).toEqual(new Set(['admitted']));
    expect(await wrongCells(manager)).toEqual([]);
  }, 60_000);
});

describe('admission whose connection breaks at any of its statements', () => {
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

  it('has admitted all of a batch or nothing; a repeat is admitted once either way', async () => {
    const token = manager.tokens.gateway;
    const by = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
    const once = async (): Promise<string[]> => {
      const [person = ''] = await makePeople(manager, 1);
      await setBudget(manager, 'user', person, '100');
      wire.forget();
      const answer = await manager.client.call<Admitted>(ADMIT, { token, body: admission(by(person)) });
      expect(answer.body.decision).toBe('admitted');
      return wire.statements().filter((text) => !text.includes('SKIP LOCKED'));
    };
    // Prices are read once in a process.
    await once();
    const statements = (await once()).filter((text, at, list) => list.indexOf(text) === at);
    const writing = statements.filter((text) => /^\s*(?:WITH|INSERT|COMMIT|START|SELECT)/.test(text));
    expect(writing.length).toBeGreaterThan(8);
    let broken = 0;
    for (const text of writing) {
      // Before a statement is where the one before it has ended.
      for (const moment of text === 'COMMIT' ? (['before', 'sent', 'after'] as const) : (['after'] as const)) {
        const [person = ''] = await makePeople(manager, 1);
        await setBudget(manager, 'user', person, '100');
        const bodies = [admission(by(person)), admission(by(person)), admission(by(person))];
        const held = wire.hold({ text, occurrence: 1, moment });
        const all = () => bodies.map((body) => manager.client.call<Admitted>(ADMIT, { token, body }));
        const answers = all();
        await held;
        // What stands still is ended by the server, as by an administrator or a failover.
        await manager.sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'enterprise-manager'`,
        );
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        expect([text, moment, statuses.filter((status) => status !== 200 && status !== 503)]).toEqual([
          text,
          moment,
          [],
        ]);
        if (statuses.includes(503)) broken += 1;
        expect(await wrongCells(manager)).toEqual([]);
        // A connection of the pool that the server ended as well may not be known to be dead yet.
        const repeated = async (): Promise<Admitted[]> => {
          const again = await Promise.all(all());
          return again.some(({ status }) => status === 503) ? repeated() : again.map(({ body }) => body);
        };
        expect([text, moment, (await repeated()).map(({ decision }) => decision)]).toEqual([
          ...[text, moment],
          ['admitted', 'admitted', 'admitted'],
        ]);
        const [row] = await manager.sql<{ count: number }>(
          'SELECT count(*)::int AS count FROM reservations WHERE subject_id = $1',
          [person],
        );
        expect([text, moment, row?.count]).toEqual([text, moment, 3]);
        expect(await wrongCells(manager)).toEqual([]);
      }
    }
    expect(broken).toBeGreaterThanOrEqual(writing.length - 1);
  }, 300_000);
});
