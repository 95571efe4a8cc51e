import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type DatabaseUrls, provisionDatabase } from './provision.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let folder: string;
let server: PostgresServer;
let urls: DatabaseUrls;
const REQUEST = {
  database: 'ledger',
  ownerRole: 'ledger_owner',
  runtimeRole: 'ledger_runtime',
  // These passwords need escapes in a URL and in a statement.
  passwords: { owner: "o'w/n@e:r%", runtime: 'run?time#"' },
};

async function run(url: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let last: pg.QueryResult | undefined;
    for (const statement of statements) last = await client.query(statement);
    return last;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-provision-'));
  chmodSync(folder, 0o755);
  server = await startPostgres({ directory: join(folder, 'home'), settings: { fsync: 'off', shared_buffers: '16MB' } });
  urls = await provisionDatabase(server.adminUrl, REQUEST);
  await run(urls.ownerUrl, 'CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY, text text)');
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('provisionDatabase', () => {
  it('allows the runtime role to use later tables of the owner', async () => {
    await run(
      urls.url,
      "INSERT INTO entry (text) VALUES ('a')",
      "UPDATE entry SET text = 'b'",
      'SELECT * FROM entry',
      'DELETE FROM entry',
    );
    await run(urls.ownerUrl, 'CREATE SCHEMA IF NOT EXISTS more', 'CREATE TABLE more.thing (id int)');
    await run(urls.url, 'INSERT INTO more.thing VALUES (1)');
  });

  it.each([
    'CREATE TABLE own (id int)',
    'ALTER TABLE entry ADD COLUMN more text',
    'TRUNCATE entry',
    'DROP TABLE entry',
    'CREATE ROLE another',
    'SET ROLE ledger_owner',
  ])('forbids the runtime role: %s', async (statement) => {
    await expect(run(urls.url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('keeps an append-only table append-only', async () => {
    await run(
      urls.ownerUrl,
      'CREATE TABLE audit (id int)',
      'REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM ledger_runtime',
    );
    await run(urls.url, 'INSERT INTO audit VALUES (1)');
    await expect(run(urls.url, 'DELETE FROM audit')).rejects.toThrow(/permission denied/);
    // A repeated call, as at every start, must not restore the rights.
    await provisionDatabase(server.adminUrl, REQUEST);
    await expect(run(urls.url, 'UPDATE audit SET id = 2')).rejects.toThrow(/permission denied/);
  });

  it('refuses the roles of other databases', async () => {
    const other = await server.database('other');
    const foreign = new URL(other.url);
    foreign.pathname = '/ledger';
    await expect(run(foreign.href, 'SELECT 1')).rejects.toThrow(/permission denied for database/);
  });

  it('accepts concurrent calls', async () => {
    const request = { ...REQUEST, database: 'raced', ownerRole: 'raced_owner', runtimeRole: 'raced_runtime' };
    const results = await Promise.all(Array.from({ length: 6 }, () => provisionDatabase(server.adminUrl, request)));
    expect(new Set(results.map((result) => result.url)).size).toBe(1);
    await run(results[0]!.url, 'SELECT 1');
  });

  it('sets a new password', async () => {
    const changed = await provisionDatabase(server.adminUrl, {
      ...REQUEST,
      passwords: { ...REQUEST.passwords, runtime: 'new' },
    });
    await run(changed.url, 'SELECT 1');
    await expect(run(urls.url, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    await provisionDatabase(server.adminUrl, REQUEST);
  });
});
