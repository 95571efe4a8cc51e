import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let owner: pg.Client;
let service: pg.Client;
let gateway: Gateway | undefined;

beforeAll(async () => {
  world = await World.start();
  [owner, service] = [world.database.ownerUrl, world.database.url].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client];
  await Promise.all([owner.connect(), service.connect()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await world.close();
});

/** Adds an event. @param days its age */
const add = (days: number) =>
  service.query(
    `INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, outcome, changed_fields)
     VALUES (now() - $1 * interval '1 day', $2, 'r', 'i', $3, 'End session', 'succeeded', '{}')`,
    [days, randomUUID(), `${days} days`],
  );

const listSubjects = async (): Promise<string[]> =>
  (await service.query<{ subject: string }>('SELECT subject FROM audit_events ORDER BY occurred_at')).rows.map(
    ({ subject }) => subject,
  );

/** Restarts the gateway, and waits until exactly these events are left. */
async function restart(settings: Record<string, string>, ...left: string[]): Promise<void> {
  await gateway?.close();
  gateway = await world.gateway(settings);
  await eventually(async () => (await listSubjects()).join() === left.join() || undefined, `${left.join()} are left`);
}

describe('the audit trail of a gateway', () => {
  it('keeps events for 400 days, or as long as its configuration says', async () => {
    for (const days of [401, 399, 31, 29]) await add(days);
    await restart({}, '399 days', '31 days', '29 days');
    await restart({ AUDIT_RETENTION_DAYS: '30' }, '29 days');
  });

  it('cannot be shortened by the role of the service', async () => {
    await add(10);
    for (const statement of [
      'DELETE FROM audit_events',
      'UPDATE audit_retention SET days = 30',
      'DELETE FROM audit_retention',
      'ALTER TABLE audit_events DISABLE TRIGGER ALL',
    ])
      await expect(service.query(statement)).rejects.toThrow(/denied|owner/);
    await service.query('SELECT delete_expired_audit_events()');
    expect(await listSubjects()).toContain('10 days');
    await expect(owner.query('DELETE FROM audit_events')).rejects.toThrow('never changed');
  });
});
