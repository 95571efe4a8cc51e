import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hiddenField } from '@gatehouse/testing/form-browser';
import { freePorts } from '@gatehouse/testing/ports';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { CLIENT_REDIRECT, decide, openConsent } from './support/mcp-sign-in.ts';
import { createAuthorization, redeem, refresh, registerClient, signInClient } from './support/raw-authorization.ts';
import { eventually, type Gateway, World } from './support/world.ts';

jest.setTimeout(90_000);

/** The advisory lock at which the tests stop a statement. */
const FAULT_POINT = 4713;

let world: World;
let survivor: Gateway;
let settings: Record<string, string>;
let database: pg.Client;
let clientId: string;

beforeAll(async () => {
  world = await World.start();
  const [port] = await freePorts(1);
  const publicUrl = `http://127.0.0.1:${port}`;
  const redirectUris = [`${publicUrl}/oauth/sign-in/callback`];
  world.issuer.authorization.clients.push({ clientId: 'gateway-pages', redirectUris });
  world.manager.addUser({ subject: 'alice' });
  settings = {
    PUBLIC_URL: publicUrl,
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'local', client_id: 'gateway-pages' }]),
  };
  survivor = await world.gateway({ PORT: String(port), ...settings });
  clientId = await registerClient(survivor.url);
  database = new pg.Client({ connectionString: world.database.adminUrl });
  await database.connect();
  await database.query(`
    CREATE FUNCTION wait_at_fault_point() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(${FAULT_POINT}); RETURN NEW; END $$`);
});
afterAll(async () => {
  await database.end();
  await world.close();
});

let killed: Awaited<ReturnType<World['startApart']>>;
beforeEach(async () => {
  killed = await world.startApart(settings);
});

/**
 * Kills the other replica while a statement of it waits, and ends the statement.
 * @param change the event and the table of the statement, for example `INSERT ON audit_events`
 * @param when the rows at which it waits
 */
async function killAt(change: string, when: string, act: (url: string) => Promise<unknown>): Promise<void> {
  await database.query(`SELECT pg_advisory_lock(${FAULT_POINT})`);
  await database.query(
    `CREATE TRIGGER fault_point BEFORE ${change} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION wait_at_fault_point()`,
  );
  const acting = act(killed.url).catch(() => undefined);
  const pid = await eventually(async () => {
    const { rows } = await database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
    );
    return rows[0]?.pid;
  }, 'the statement waits');
  await killed.process.killHard();
  await acting;
  await database.query('SELECT pg_terminate_backend($1)', [pid]);
  await database.query(`SELECT pg_advisory_unlock(${FAULT_POINT})`);
  const table = change.split(' ').at(-1);
  await eventually(() => database.query(`DROP TRIGGER fault_point ON ${table}`).then(() => true), 'the table is free');
}

const countGrants = async () => (await world.sql('SELECT id FROM corporate_grants')).length;

/** A client can refresh twice. */
async function expectLivingGrant(refreshToken: string): Promise<void> {
  const { status, body } = await refresh(survivor.url, clientId, refreshToken);
  expect(status).toBe(200);
  expect((await refresh(survivor.url, clientId, body['refresh_token'] ?? '')).status).toBe(200);
}

describe('a replica that is killed', () => {
  it('in the transaction of a consent leaves no grant, and the user can consent again', async () => {
    const { url, verifier } = createAuthorization(survivor.url, clientId);
    const opened = await openConsent(url);
    const before = await countGrants();
    const fields = { form_token: hiddenField(opened.page.html, 'form_token'), decision: 'allow' };
    await killAt('INSERT ON audit_events', `NEW.operation = 'Authorize an MCP client'`, (url) =>
      opened.browser.submit(opened.page.url.replace(survivor.url, url), fields, CLIENT_REDIRECT),
    );
    expect(await countGrants()).toBe(before);
    const code = (await decide(opened)).searchParams.get('code') ?? '';
    const { status, body } = await redeem(survivor.url, { clientId, code, verifier });
    expect(status).toBe(200);
    expect(await countGrants()).toBe(before + 1);
    await expectLivingGrant(body['refresh_token'] ?? '');
  });

  it('before it stores a code leaves a user who can begin again', async () => {
    const opened = await openConsent(createAuthorization(survivor.url, clientId).url);
    const fields = { form_token: hiddenField(opened.page.html, 'form_token'), decision: 'allow' };
    const { url: resume } = await opened.browser.submit(opened.page.url, fields, `${survivor.url}/oauth/authorize/`);
    await killAt('INSERT ON oidc_payloads', `NEW.model = 'AuthorizationCode'`, (url) =>
      opened.browser.open(resume.replace(survivor.url, url), CLIENT_REDIRECT),
    );
    await opened.browser.open(resume, CLIENT_REDIRECT);
    const { url, verifier } = createAuthorization(survivor.url, clientId);
    const code = (await decide(await openConsent(url, opened.browser))).searchParams.get('code') ?? '';
    expect((await redeem(survivor.url, { clientId, code, verifier })).status).toBe(200);
  });

  it('between the use of a code and its tokens leaves the code unused', async () => {
    const { url, verifier } = createAuthorization(survivor.url, clientId);
    const code = (await decide(await openConsent(url))).searchParams.get('code') ?? '';
    await killAt('INSERT ON oidc_payloads', `NEW.model = 'RefreshToken'`, (origin) =>
      redeem(origin, { clientId, code, verifier }),
    );
    const { status, body } = await redeem(survivor.url, { clientId, code, verifier });
    expect(status).toBe(200);
    await expectLivingGrant(body['refresh_token'] ?? '');
  });

  it('between the use of a refresh token and its successor leaves the token unused', async () => {
    const { refreshToken } = await signInClient(survivor.url);
    await killAt('INSERT ON oidc_payloads', `NEW.model = 'RefreshToken'`, (origin) =>
      refresh(origin, clientId, refreshToken),
    );
    await expectLivingGrant(refreshToken);
  });

  it('between the new corporate refresh token and the other new tokens leaves the former', async () => {
    const { refreshToken } = await signInClient(survivor.url);
    await killAt('UPDATE ON corporate_grants', 'NEW.version = 3', (origin) => refresh(origin, clientId, refreshToken));
    expect(await world.sql('SELECT version FROM corporate_grants WHERE version = 2')).toHaveLength(1);
    await expectLivingGrant(refreshToken);
  });

  it('after the commit of a refresh lets the client repeat it', async () => {
    const { refreshToken } = await signInClient(survivor.url);
    // The connection is cut before the answer: the client has the old token only.
    expect((await refresh(killed.url, clientId, refreshToken)).status).toBe(200);
    await killed.process.killHard();
    await expectLivingGrant(refreshToken);
  });

  it('while it ends a grant leaves the grant, and the next attempt ends it', async () => {
    const { refreshToken } = await signInClient(survivor.url);
    const before = await countGrants();
    const end = (origin: string) =>
      fetch(`${origin}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, token: refreshToken }),
      });
    await killAt('UPDATE ON corporate_grants', 'NEW.revoke_at IS NOT NULL', end);
    expect(await world.sql('SELECT id FROM corporate_grants WHERE revoke_at IS NULL')).toHaveLength(before);
    expect((await end(survivor.url)).status).toBe(200);
    await eventually(async () => (await countGrants()) === before - 1 || undefined, 'the tokens are revoked');
    expect((await refresh(survivor.url, clientId, refreshToken)).body['error']).toBe('invalid_grant');
  });

  it('while it creates signing keys leaves none, and another replica creates them', async () => {
    const before = (await database.query('DELETE FROM as_signing_keys RETURNING *')).rows;
    await killAt('INSERT ON as_signing_keys', 'true', (origin) => fetch(`${origin}/oauth/jwks`));
    expect((await database.query('SELECT id FROM as_signing_keys')).rows).toEqual([]);
    const other = await world.startApart(settings);
    const { keys } = (await (await fetch(`${other.url}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
    expect(keys).toHaveLength(2);
    expect(keys.map(({ kid }) => kid)).not.toContain(before[0]?.id);
  });
});
