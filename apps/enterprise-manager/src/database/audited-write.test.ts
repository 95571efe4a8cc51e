import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { migrations } from './migrations.ts';
import { AuditEventRow } from '@gatehouse/audit/audit-event.entity';
import { AuditRepository } from '@gatehouse/audit/audit.repository';
import { AuditService } from '@gatehouse/audit/audit.service';
import { type AuditedWrite, createAuditedWrite } from '@gatehouse/audit/audited-write';

const ACTOR = { issuer: 'https://issuer.example', subject: 'ann', requestId: 'request-1' };
const TAKEN = 'name: another secret has this name already';

describe('createAuditedWrite', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let write: AuditedWrite;

  beforeAll(async () => {
    database = await createDatabase({ name: 'audited-write', prepare: (ownerUrl) => migrate(ownerUrl, migrations) });
    dataSource = await createDataSource({ url: database.url, entities: [AuditEventRow], poolSize: 2 }).initialize();
    const cursors = new CursorCodec('0'.repeat(32));
    const audit = new AuditService(new AuditRepository(dataSource), cursors, new Clock(), []);
    write = createAuditedWrite(
      { dataSource, audit },
      { kind: 'managed_secret', unique: { managed_secrets_name_unique: TAKEN } },
    );
  }, 60_000);
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const insert = async (manager: EntityManager, name: string): Promise<string> => {
    const id = uuidv7();
    await manager.query(
      `INSERT INTO managed_secrets (id, name, name_key, version, key_version, wrapped_key, ciphertext, created_at, updated_at)
       VALUES ($1, $2, $2, 1, 1, '', '', now(), now())`,
      [id, name],
    );
    return id;
  };
  const readEvents = (id: string): Promise<unknown[]> =>
    dataSource.query('SELECT operation, object_kind, changed_fields, subject FROM audit_events WHERE object_id = $1', [
      id,
    ]);
  const countRows = async (name: string): Promise<number> =>
    (await dataSource.query<unknown[]>('SELECT FROM managed_secrets WHERE name = $1', [name])).length;

  it('stores the change and its audit event', async () => {
    const id = await write(ACTOR, 'Create managed secret', async (manager, recordChange) => {
      const created = await insert(manager, 'one');
      await recordChange(created, ['name', 'value']);
      return created;
    });
    expect(await countRows('one')).toBe(1);
    expect(await readEvents(id)).toEqual([
      {
        operation: 'Create managed secret',
        object_kind: 'managed_secret',
        changed_fields: ['name', 'value'],
        subject: 'ann',
      },
    ]);
  });

  it('stores neither when the work fails after both', async () => {
    let id = '';
    const failing = write(ACTOR, 'Create managed secret', async (manager, recordChange) => {
      id = await insert(manager, 'two');
      await recordChange(id, ['name']);
      throw new TypeError('too late');
    });
    await expect(failing).rejects.toThrow(TypeError);
    expect([await countRows('two'), await readEvents(id)]).toEqual([0, []]);
  });

  it('refuses a violation of a named unique constraint with 409 and its message', async () => {
    const create = () => write(ACTOR, 'Create managed secret', (manager) => insert(manager, 'three'));
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'already_exists', message: TAKEN });
  });

  it('passes other errors of the database on', async () => {
    await expect(
      write(ACTOR, 'Create managed secret', (manager) => manager.query('INSERT INTO no_such_table VALUES (1)')),
    ).rejects.toThrow(/no_such_table/);
  });

  it('runs the work again after a serialization failure', async () => {
    let runs = 0;
    const result = await write(ACTOR, 'Create managed secret', async (manager) => {
      runs += 1;
      if (runs < 3) await manager.query(`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`);
      return 'done';
    });
    expect([result, runs]).toEqual(['done', 3]);
  });
});
