import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { commandsAfter, DocumentShell } from '@gatehouse/testing/document';
import { available, describeWhen, unavailable } from '@gatehouse/testing/fixture';
import { type PlainPostgres, plainPostgresPrograms, startPlainPostgres } from '@gatehouse/testing/plain-postgres';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startManager, type TestManager } from './enterprise-manager.ts';

const DOCUMENT = 'backup-and-restore.md';
const programs = plainPostgresPrograms();
const fixture =
  programs !== undefined && existsSync(join(programs, 'pg_dump'))
    ? available(programs)
    : unavailable('pg_dump and its server are not installed: install the Debian package postgresql');

describeWhen(fixture, 'docs/backup-and-restore.md', (folder) => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
  let server: PlainPostgres;
  let manager: TestManager;

  beforeAll(async () => {
    chmodSync(home, 0o755);
    server = await startPlainPostgres(folder, join(home, 'postgres'), { fsync: 'off' });
    process.env['GATEHOUSE_TEST_POSTGRES'] = server.adminUrl;
    manager = await startManager();
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    delete process.env['GATEHOUSE_TEST_POSTGRES'];
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Runs commands of the document with the owner's URL of a database. */
  const runFor = async (databaseUrl: string, mark: string) => {
    const owner = new URL(databaseUrl);
    [owner.username, owner.password] = ['test_owner', 'owner'];
    const shell = new DocumentShell(home, { PATH: `${folder}:${process.env['PATH']}`, DATABASE_OWNER_URL: owner.href });
    await shell.run(commandsAfter(DOCUMENT, mark));
    await shell.close();
  };

  it('restores a database completely, and the service works with it', async () => {
    const { client, tokens } = manager;
    await client.call('POST /v1/managed-secrets', { token: tokens.admin, body: { name: 'Kept', value: 'planted' } });
    await client.call('POST /v1/groups', { token: tokens.admin, body: { display_name: 'Kept' } });
    await runFor(manager.database.url, 'dump');
    await client.call('POST /v1/groups', { token: tokens.admin, body: { display_name: 'Too late' } });

    const restored = await startManager({
      prepare: () => Promise.resolve(),
      between: async (url) => {
        await runFor(url, 'restore');
        return url;
      },
    });
    try {
      const read = async (operation: string) =>
        (await restored.client.call<{ items: object[] }>(operation, { token: restored.tokens.admin })).body.items;
      expect(await read('GET /v1/groups')).toEqual([expect.objectContaining({ display_name: 'Kept' })]);
      expect(await read('GET /v1/managed-secrets')).toEqual([expect.objectContaining({ name: 'Kept' })]);
      expect((await read('GET /v1/audit-events')).length).toBeGreaterThan(1);
      const made = await restored.client.call('POST /v1/groups', {
        token: restored.tokens.admin,
        body: { display_name: 'New' },
      });
      expect(made.status).toBe(201);
      expect((await restored.client.call('GET /readyz')).status).toBe(200);
      const readKeySet = (one: TestManager) => one.client.call('GET /.well-known/jwks.json');
      expect((await readKeySet(restored)).body).toEqual((await readKeySet(manager)).body);
    } finally {
      await restored.close();
    }
  }, 120_000);
});
