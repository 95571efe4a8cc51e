import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';

jest.setTimeout(120_000);

const PAGE = fileURLToPath(new URL('../../../docs/second-identity-provider.md', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));
const ID = '9f8d3c1e-5a53-4f0e-8f0b-2f6d6f3b7a11';

/** The commands of the document, in order. */
const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const [issuersBlock = '', tokenBlock = '', userBlock = '', whoamiBlock = '', compareBlock = '', patchBlock = ''] =
  blocks;

interface Profile {
  active: boolean;
  source?: string;
  user_name?: string;
}

describe('docs/second-identity-provider.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-second-'));
  const issuers: Record<string, TestIssuer> = {};
  let database: TestDatabase;
  let manager: Awaited<ReturnType<typeof startProcess>>;
  let url: string;
  let admin: string;

  /** Runs commands of the document in a shell, as an administrator. */
  const shell = async (commands: string, more: Record<string, string> = {}): Promise<string> => {
    const prelude = `set -euo pipefail\ngatehouse() { ${process.execPath} -- ${BIN} "$@"; }\n`;
    const { stdout } = await promisify(execFile)('bash', ['-c', prelude + commands], {
      cwd: folder,
      env: {
        ...process.env,
        GATEHOUSE_HOME: join(folder, 'home'),
        GATEHOUSE_URL: url,
        GATEHOUSE_TOKEN: admin,
        ...more,
      },
    });
    return stdout;
  };
  const createToken = (id: string, claims: Record<string, string | string[]>, subject = `subject-at-${id}`) => {
    const issuer = issuers[id];
    if (!issuer) throw new Error(`there is no issuer ${id}`);
    return issuer.token({ subject, claims });
  };
  const fetchProfile = async (token: string): Promise<Profile> => {
    const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Profile;
  };
  const provision = async (id: string, attributes: object): Promise<number> => {
    const secret = (await shell(`gatehouse admin scim-tokens create ${id}-client --issuer ${id}`)).trim();
    const response = await fetch(`${url}/scim/${id}/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...attributes }),
    });
    await response.text();
    return response.status;
  };

  beforeAll(async () => {
    database = await createDatabase({ name: 'cli_second_identity_provider' });
    const { stdout } = await promisify(execFile)('bash', ['-c', `${issuersBlock}\nprintf '%s' "$ISSUERS"`]);
    const documented = JSON.parse(stdout) as { id: string; issuer: string }[];
    expect(documented.map(({ id }) => id)).toEqual(['corp', 'entra', 'okta', 'keycloak']);
    const [first, ...others] = await Promise.all(documented.map(() => startIssuer()));
    if (!first) throw new Error('there is no issuer');
    for (const [at, { id }] of documented.entries()) issuers[id] = [first, ...others][at] ?? first;
    url = `http://127.0.0.1:${await freePort()}`;
    manager = await startProcess({
      app: 'enterprise-manager',
      readyUrl: `${url}/readyz`,
      env: {
        PORT: new URL(url).port,
        METRICS_PORT: '0',
        AUDIENCE: first.audience,
        // The settings are those of the document, except for the addresses.
        ISSUERS: JSON.stringify(documented.map((entry) => ({ ...entry, issuer: issuers[entry.id]?.issuer }))),
        CURSOR_KEY: 'a cursor key for tests, long enough',
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
      },
    });
    admin = await createToken('corp', { groups: ['platform-owners'] });
  });
  afterAll(async () => {
    await manager[Symbol.asyncDispose]();
    await Promise.all(Object.values(issuers).map((issuer) => issuer.close()));
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has six blocks of commands', () => {
    expect(blocks).toHaveLength(6);
  });

  it('binds a provisioned user to tokens, and shows the reason of a failed binding', async () => {
    expect(await shell(tokenBlock)).toContain('entra');
    expect(JSON.parse(await shell(userBlock))).toMatchObject({ userName: 'ella@example.com', externalId: ID });
    const whoami = async (ELLA_TOKEN: string) =>
      JSON.parse(await shell(whoamiBlock, { ELLA_TOKEN })) as Profile & { groups: unknown[]; subject: string };
    const bound = await createToken('entra', { oid: ID });
    expect(await whoami(bound)).toMatchObject({ active: true, source: 'scim', user_name: 'ella@example.com' });

    const other = await createToken('entra', { oid: 'another-id' }, 'another-subject');
    expect(await whoami(other)).toMatchObject({ active: false, groups: [], subject: 'another-subject' });
    const compared = await shell(compareBlock, { ELLA_TOKEN: other });
    expect(compared).toContain('ella@example.com');
    expect(compared).toContain('"oid": "another-id"');
    expect(compared).toContain(`"externalId": "${ID}"`);
  });

  it('finds the user again after the mapping is corrected', async () => {
    const secret = readFileSync(join(folder, 'scim-token.txt'), 'utf8').trim();
    const at = `${url}/scim/entra/v2/Users`;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' };
    const body = (externalId: string) =>
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{ userName: 'ella@example.com', externalId },
      });
    const found = await fetch(`${at}?filter=${encodeURIComponent('userName eq "ella@example.com"')}`, { headers });
    const { Resources } = (await found.json()) as { Resources: { id: string }[] };
    await fetch(`${at}/${Resources[0]?.id}`, { method: 'PUT', headers, body: body('ella') });
    const fresh = await createToken('entra', { oid: ID }, 'subject-of-ella');
    expect((await fetchProfile(fresh)).active).toBe(false);
    await shell(patchBlock);
    expect((await fetchProfile(await createToken('entra', { oid: ID }))).active).toBe(true);
  });

  it.each([
    ['okta', { userName: 'omar@example.com', externalId: '00u1omar' }, { uid: '00u1omar' }, { uid: 'other' }],
    ['keycloak', { userName: 'Kim' }, { preferred_username: 'kim' }, { preferred_username: 'kimberly' }],
  ])('binds users of %s as documented in the table', async (id, attributes, claims, others) => {
    expect(await provision(id, attributes)).toBe(201);
    expect(await fetchProfile(await createToken(id, others, 'unknown'))).toMatchObject({ active: false });
    expect(await fetchProfile(await createToken(id, claims))).toMatchObject({ active: true, source: 'scim' });
    expect(await provision(id, { ...attributes, userName: `${attributes.userName}-2` })).toBe(
      'externalId' in attributes ? 409 : 201,
    );
  });
});
