import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { randomUUID } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrations } from './migrations.ts';
import { CreateScimTokenHolders } from './migrations/1763683235100-create-scim-token-holders.ts';

const ISSUER = 'https://id.example.test';
const OTHER = 'https://other.example.test';
const USER = `
  INSERT INTO users (id, issuer, subject, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
  VALUES (gen_random_uuid(), $1, $2, $3, $2, $2, $2, 'scim', TRUE, $2, now(), now())`;
const TOKEN = `
  INSERT INTO scim_tokens (id, issuer_id, name, lookup, secret_hash, created_by_issuer, created_by_subject, created_at, updated_at)
  VALUES ($1, 'local', 'Directory', $2, decode('00', 'hex'), $3, $4, now(), now())`;
const EVENT = `
  INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, object_kind, object_id, outcome, changed_fields)
  VALUES (now(), gen_random_uuid(), 'r', $1, $2, $3, 'scim_token', $4, $5, '{secret}')`;

describe('CreateScimTokenHolders, for existing tokens', () => {
  const change = new CreateScimTokenHolders();
  const [created, rotated] = [randomUUID(), randomUUID()];
  let database: TestDatabase;
  let owner: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    database = await createDatabase({ name: 'holders-of-scim-tokens' });
    await migrate(database.ownerUrl, migrations.slice(0, migrations.indexOf(CreateScimTokenHolders)));
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 2 }).initialize();
    runner = owner.createQueryRunner();
    await runner.query(USER, [ISSUER, 'root', 'root@corp.example']);
    await runner.query(USER, [ISSUER, 'plain', null]);
    await runner.query(USER, [OTHER, 'guest', 'guest@corp.example']);
    await runner.query(TOKEN, [created, 'aaaaaaaa', ISSUER, 'root']);
    await runner.query(TOKEN, [rotated, 'bbbbbbbb', ISSUER, 'gone']);
    const rotations: [string, string, string, string, string][] = [
      [ISSUER, 'root', 'Rotate SCIM token', rotated, 'succeeded'],
      [ISSUER, 'root', 'Rotate SCIM token', rotated, 'succeeded'],
      [ISSUER, 'plain', 'Rotate SCIM token', rotated, 'succeeded'],
      [ISSUER, 'guest', 'Rotate SCIM token', rotated, 'succeeded'],
      [ISSUER, 'refused', 'Rotate SCIM token', rotated, 'forbidden'],
      [ISSUER, 'reader', 'Revoke SCIM token', rotated, 'succeeded'],
      [ISSUER, 'elsewhere', 'Rotate SCIM token', randomUUID(), 'succeeded'],
      [ISSUER, 'nowhere', 'Rotate SCIM token', 'not a token', 'succeeded'],
    ];
    for (const rotation of rotations) await runner.query(EVENT, rotation);
    await change.up(runner);
  }, 60_000);
  afterAll(async () => {
    await runner.release();
    await owner.destroy();
    await database.drop();
  });

  const readHolders = async (id: string): Promise<unknown[]> =>
    (await runner.query(
      'SELECT issuer, subject, binding_key FROM scim_token_holders WHERE token_id = $1 ORDER BY subject COLLATE "C"',
      [id],
    )) as unknown[];

  it('stores the creator, with the binding key of the entry', async () => {
    expect(await readHolders(created)).toEqual([{ issuer: ISSUER, subject: 'root', binding_key: 'root@corp.example' }]);
  });

  it('stores each user once that rotated the token according to the audit trail', async () => {
    expect(await readHolders(rotated)).toEqual([
      { issuer: ISSUER, subject: 'gone', binding_key: null },
      { issuer: ISSUER, subject: 'guest', binding_key: null },
      { issuer: ISSUER, subject: 'plain', binding_key: null },
      { issuer: ISSUER, subject: 'root', binding_key: 'root@corp.example' },
    ]);
  });

  it('stores no other token and no other user', async () => {
    expect(await runner.query('SELECT count(*)::int AS count FROM scim_token_holders')).toEqual([{ count: 5 }]);
  });
});
