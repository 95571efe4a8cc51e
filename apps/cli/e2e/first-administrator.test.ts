import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';
import { Gatehouse } from './gatehouse.ts';

jest.setTimeout(60_000);

const gatehouse = new Gatehouse();
let issuer: TestIssuer;
let database: TestDatabase;
beforeAll(async () => {
  issuer = await startIssuer();
  database = await createDatabase({ name: 'cli_first_administrator' });
});
afterAll(async () => {
  await issuer.close();
  await database.drop();
  rmSync(gatehouse.home, { recursive: true, force: true });
});

/**
 * Starts the enterprise manager with a mapping of claims to roles, and runs commands of a user in
 * the group `platform-owners`.
 */
async function withRoles(
  roles: object | undefined,
  work: (run: typeof gatehouse.call) => Promise<void>,
): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`;
  await using manager = await startProcess({
    app: 'enterprise-manager',
    readyUrl: `${url}/readyz`,
    env: {
      PORT: new URL(url).port,
      METRICS_PORT: '0',
      AUDIENCE: issuer.audience,
      ISSUERS: JSON.stringify([
        { id: 'corp', issuer: issuer.issuer, just_in_time: true, ...(roles !== undefined && { roles }) },
      ]),
      CURSOR_KEY: 'a cursor key for tests, long enough',
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
    },
  });
  expect(manager.pid).toBeGreaterThan(0);
  const token = await issuer.token({
    subject: 'dana',
    name: 'Dana',
    email: 'dana@example.test',
    groups: ['platform-owners'],
  });
  await work((args) => gatehouse.call([...args, '--url', url], { GATEHOUSE_TOKEN: token }));
}

describe('the first administrator', () => {
  it('exists when the configuration maps a claim to the role, and not before', async () => {
    await withRoles(undefined, async (run) => {
      expect(JSON.parse((await run(['whoami', '--json'])).stdout)).toMatchObject({ subject: 'dana' });
      const { code, stdout, stderr } = await run(['admin', 'groups', 'create', 'Engineers']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^Error: admin auth not yet configured\nTry: set `roles` in ISSUERS of the service at http:\S+ to map claims to the role admin\n$/,
      );
    });
    await withRoles({ claim: 'groups', values: { admin: ['another-group'] } }, async (run) => {
      expect(await run(['admin', 'groups', 'list'])).toMatchObject({ code: 5 });
    });
    await withRoles({ claim: 'groups', values: { admin: ['platform-owners'] } }, async (run) => {
      expect((await run(['admin', 'groups', 'create', 'Engineers'])).code).toBe(0);
      expect((await run(['admin', 'groups', 'list'])).stdout).toContain('Engineers');
    });
  });
});
