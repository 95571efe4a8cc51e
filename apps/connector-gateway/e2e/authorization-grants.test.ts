import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { EmbeddedServerWorld, type Replica } from './support/embedded-server.ts';
import { decide, openConsent } from './support/mcp-sign-in.ts';
import { eventually } from './support/world.ts';
import { createAuthorization, redeem, refresh, registerClient, signInClient } from './support/raw-authorization.ts';

let world: EmbeddedServerWorld;
let first: Replica;
let second: Replica;

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  world = await EmbeddedServerWorld.start();
  first = await world.replica();
  second = await world.replica();
}, 60_000);
afterEach(() => {
  world.clockOffset = 0;
  world.corporate.authorization.answerToken = () => undefined;
  world.corporate.authorization.beforeToken = () => Promise.resolve();
  world.corporate.authorization.accessTokenSeconds = 300;
  world.corporate.authorization.keepsNewestOnly = false;
});
afterAll(() => world.close());

/** Requests for the corporate token endpoint with a refresh token. */
const countCorporateRefreshes = () =>
  world.corporate.authorization.requests.filter(
    ({ path, parameters }) => path === '/token' && parameters.get('grant_type') === 'refresh_token',
  ).length;

const countGrants = async () => (await world.sql('SELECT id FROM corporate_grants WHERE revoke_at IS NULL')).length;

describe('a refresh token', () => {
  it('is exchanged at any replica', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const { status, body } = await refresh(second.address, clientId, refreshToken);
    expect(status).toBe(200);
    expect((await refresh(first.address, clientId, body['refresh_token'] ?? '')).status).toBe(200);
  });

  it('that is used again when its grace of 10 s is over ends the grant', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const { body } = await refresh(first.address, clientId, refreshToken);
    const before = await countGrants();
    await world.sql(`UPDATE oidc_payloads SET consumed_at = consumed_at - interval '10 seconds'`);
    expect((await refresh(second.address, clientId, refreshToken)).body['error']).toBe('invalid_grant');
    expect(await countGrants()).toBe(before - 1);
    expect((await refresh(first.address, clientId, body['refresh_token'] ?? '')).body['error']).toBe('invalid_grant');
  });

  it('that many callers use at the same time gives each of them tokens', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => refresh([first, second][at % 2]!.address, clientId, refreshToken)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const issued = answers.map(({ body }) => body['refresh_token'] ?? '');
    expect(new Set(issued).size).toBe(answers.length);
    for (const token of issued) expect((await refresh(first.address, clientId, token)).status).toBe(200);
  });

  it('ends the other tokens of its repetitions with the next refresh, so that a second holder is found out', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const own = await refresh(first.address, clientId, refreshToken);
    const stolen = await refresh(second.address, clientId, refreshToken);
    await world.sql(`UPDATE oidc_payloads SET created_at = created_at - interval '61 seconds'`);
    const next = await refresh(first.address, clientId, own.body['refresh_token'] ?? '');
    expect(next.status).toBe(200);
    const before = await countGrants();
    const answer = await refresh(second.address, clientId, stolen.body['refresh_token'] ?? '');
    expect(answer.body['error']).toBe('invalid_grant');
    expect(await countGrants()).toBe(before - 1);
    expect((await refresh(first.address, clientId, next.body['refresh_token'] ?? '')).body['error']).toBe(
      'invalid_grant',
    );
  });

  it('keeps its grace of 10 s from the first use, however often it is used', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    for (const at of [0, 1]) {
      expect([at, (await refresh(first.address, clientId, refreshToken)).status]).toEqual([at, 200]);
      await world.sql(`UPDATE oidc_payloads SET consumed_at = consumed_at - interval '5 seconds'`);
    }
    expect((await refresh(first.address, clientId, refreshToken)).body['error']).toBe('invalid_grant');
  });

  it('belongs to its client', async () => {
    const { refreshToken, clientId } = await signInClient(first.address);
    const other = await registerClient(first.address, { client_name: 'Other' });
    expect((await refresh(first.address, other, refreshToken)).body['error']).toBe('invalid_grant');
    expect((await refresh(first.address, clientId, refreshToken)).status).toBe(200);
  });
});

describe('an authorization', () => {
  it('can begin at one replica and end at another', async () => {
    const clientId = await registerClient(first.address);
    const { url, verifier } = createAuthorization(second.address, clientId);
    const redirect = await decide(await openConsent(url));
    const code = redirect.searchParams.get('code') ?? '';
    expect((await redeem(second.address, { clientId, code, verifier })).status).toBe(200);
  });

  it('stores nothing that a thief of the database could present', async () => {
    const clientId = await registerClient(first.address);
    const { url, verifier } = createAuthorization(first.address, clientId);
    const code = (await decide(await openConsent(url))).searchParams.get('code') ?? '';
    const { body } = await redeem(first.address, { clientId, code, verifier });
    const tables = ['oidc_payloads', 'corporate_grants', 'as_signing_keys'];
    const rows = await Promise.all(
      tables.map((table) => world.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
    );
    const stored = rows
      .flat()
      .map(({ row }) => row)
      .join('\n');
    const corporate = world.corporate.authorization.requests.flatMap(({ parameters }) => [
      parameters.get('code'),
      parameters.get('refresh_token'),
    ]);
    const secrets = [code, body['refresh_token'], body['access_token'], clientId, ...corporate].filter(
      (text) => text != null,
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('the corporate sign-in behind a grant', () => {
  it('is refreshed before the tokens of the client, once for each refresh', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const before = countCorporateRefreshes();
    expect((await refresh(first.address, clientId, refreshToken)).status).toBe(200);
    expect(countCorporateRefreshes()).toBe(before + 1);
  });

  it('holds no database connection while the provider answers slowly', async () => {
    const clients = [];
    for (let count = 0; count < 15; count += 1) clients.push(await signInClient(first.address));
    const before = countCorporateRefreshes();
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    world.corporate.authorization.beforeToken = () => opened;
    const answers = clients.map(({ clientId, refreshToken }) => refresh(first.address, clientId, refreshToken));
    await eventually(() => countCorporateRefreshes() === before + 15 || undefined, 'all refreshes wait');
    expect(await first.server.findCorporateTokens(decodeJwt(clients[0]!.accessToken))).toBeDefined();
    open(undefined);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(clients.map(() => 200));
  });

  it('is not refreshed for each exchange after an answer without a lifetime', async () => {
    const { accessToken } = await signInClient(first.address);
    world.corporate.authorization.answerToken = ({ expires_in: _, ...response }) => ({
      status: 200,
      type: 'application/json',
      body: JSON.stringify(response),
    });
    world.clockOffset = HOUR_MS;
    const before = countCorporateRefreshes();
    const claims = decodeJwt(accessToken);
    const found = [await first.server.findCorporateTokens(claims), await second.server.findCorporateTokens(claims)];
    expect(found[0]?.accessToken).toBeDefined();
    expect(found[1]).toEqual(found[0]);
    expect(countCorporateRefreshes()).toBe(before + 1);
  });

  it('gives the claims of its last refresh', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    expect(decodeJwt(accessToken)['groups']).toBeUndefined();
    world.corporate.authorization.answerToken = (response) => {
      const [header, , signature] = String(response['id_token']).split('.');
      const claims = { ...decodeJwt(String(response['id_token'])), groups: ['engineering'] };
      const id_token = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
      return { status: 200, type: 'application/json', body: JSON.stringify({ ...response, id_token }) };
    };
    const { body } = await refresh(first.address, clientId, refreshToken);
    expect(decodeJwt(body['access_token'] ?? '')['groups']).toEqual(['engineering']);
  });

  it('is the newest one of the person, where the provider keeps no other', async () => {
    world.corporate.authorization.keepsNewestOnly = true;
    const grants = [
      await signInClient(first.address),
      await signInClient(second.address),
      await signInClient(first.address),
    ];
    for (let round = 0; round < 3; round += 1)
      for (const grant of grants) {
        const { status, body } = await refresh(first.address, grant.clientId, grant.refreshToken);
        expect([round, status]).toEqual([round, 200]);
        grant.refreshToken = body['refresh_token'] ?? '';
      }
  });

  it('serves grants that are refreshed at the same time, or ends all of them', async () => {
    world.corporate.authorization.keepsNewestOnly = true;
    const grants = [await signInClient(first.address), await signInClient(first.address)];
    const refreshAll = () =>
      Promise.all(grants.map((grant, at) => refresh([first, second][at]!.address, grant.clientId, grant.refreshToken)));
    const answers = await refreshAll();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const [at, { body }] of answers.entries()) grants[at]!.refreshToken = body['refresh_token'] ?? '';
    world.corporate.authorization.revokeAll();
    expect((await refreshAll()).map(({ body }) => body['error'])).toEqual(['invalid_grant', 'invalid_grant']);
  });

  it('is never that of another person', async () => {
    world.corporate.authorization.user = 'carol';
    const { clientId, refreshToken } = await signInClient(first.address);
    world.corporate.authorization.revokeAll();
    world.corporate.authorization.user = 'alice';
    await signInClient(first.address);
    expect((await refresh(first.address, clientId, refreshToken)).body['error']).toBe('invalid_grant');
  });

  it('ends the grant when the provider refuses the refresh', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const before = await countGrants();
    world.corporate.authorization.revokeAll();
    expect(await refresh(first.address, clientId, refreshToken)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await countGrants()).toBe(before - 1);
  });

  it.each([
    ['does not answer', { status: 503, type: 'text/plain', body: 'down' }],
    ['answers HTML', { status: 200, type: 'text/html', body: '<html></html>' }],
    ['refuses the gateway as a client', { status: 401, type: 'application/json', body: '{"error":"invalid_client"}' }],
  ])('leaves the grant as it is when the provider %s', async (_what, failure) => {
    const { clientId, refreshToken } = await signInClient(first.address);
    world.corporate.authorization.answerToken = () => failure;
    world.corporate.authorization.rotates = false;
    const refused = await refresh(first.address, clientId, refreshToken);
    expect(refused.body['error']).toBe('temporarily_unavailable');
    world.corporate.authorization.answerToken = () => undefined;
    world.corporate.authorization.rotates = true;
    expect((await refresh(second.address, clientId, refreshToken)).status).toBe(200);
  });

  it('ends the grant when the provider returns another person', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    world.corporate.authorization.answerToken = (response) => {
      const [header, , signature] = String(response['id_token']).split('.');
      const claims = { ...decodeJwt(String(response['id_token'])), sub: 'mallory' };
      const id_token = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
      return { status: 200, type: 'application/json', body: JSON.stringify({ ...response, id_token }) };
    };
    const { status, body } = await refresh(first.address, clientId, refreshToken);
    expect([status, body['access_token']]).toEqual([expect.any(Number), undefined]);
    world.corporate.authorization.answerToken = () => undefined;
  });

  it.each([
    ['with the corporate token', 3600, 0.9, 1.1],
    ['after 12 hours at the latest', 48 * 3600, 11.9, 12.1],
  ])('without a refresh token ends the grant %s', async (_what, seconds, before, after) => {
    world.corporate.authorization.accessTokenSeconds = seconds;
    world.corporate.authorization.answerToken = ({ refresh_token: _none, ...response }) => ({
      status: 200,
      type: 'application/json',
      body: JSON.stringify(response),
    });
    const signedIn = await signInClient(first.address);
    world.clockOffset = before * HOUR_MS;
    const { status, body } = await refresh(first.address, signedIn.clientId, signedIn.refreshToken);
    expect(status).toBe(200);
    expect(Number(body['expires_in'])).toBeLessThanOrEqual(600);
    world.clockOffset = after * HOUR_MS;
    expect((await refresh(first.address, signedIn.clientId, body['refresh_token'] ?? '')).body['error']).toBe(
      'invalid_grant',
    );
  });
});

describe('the corporate tokens of an access token', () => {
  it('are found at any replica and refreshed when they have expired', async () => {
    const claims = decodeJwt((await signInClient(first.address)).accessToken);
    const tokens = await first.server.findCorporateTokens(claims);
    expect(decodeJwt(tokens?.accessToken ?? '')).toMatchObject({ iss: world.corporate.issuer, sub: 'alice' });
    expect(await second.server.findCorporateTokens(claims)).toEqual(tokens);
    world.clockOffset = 301_000;
    const before = countCorporateRefreshes();
    const [one, other] = await Promise.all([
      first.server.findCorporateTokens(claims),
      second.server.findCorporateTokens(claims),
    ]);
    expect(countCorporateRefreshes()).toBe(before + 1);
    expect(one?.accessToken).not.toBe(tokens?.accessToken);
    expect(other).toEqual(one);
  });

  it('end with the grant', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    const body = new URLSearchParams({ client_id: clientId, token: refreshToken });
    await fetch(`${first.address}/oauth/revoke`, { method: 'POST', body });
    expect(await second.server.findCorporateTokens(decodeJwt(accessToken))).toBeUndefined();
    expect(await second.server.findCorporateTokens({})).toBeUndefined();
  });
});

describe('the end of a grant', () => {
  const revoke = (clientId: string, token: string) =>
    fetch(`${first.address}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, token }),
    });

  /** The corporate tokens for which the provider has got a revocation. */
  const listRevoked = () =>
    world.corporate.authorization.requests
      .filter(({ path }) => path === '/revoke')
      .map(({ parameters }) => parameters.get('token'));

  const findCorporateTokens = async (accessToken: string) =>
    (await first.server.findCorporateTokens(decodeJwt(accessToken)))?.refreshToken;

  const waitForRemoval = () =>
    eventually(
      async () =>
        (await world.sql('SELECT id FROM corporate_grants WHERE revoke_at IS NOT NULL')).length === 0 || undefined,
      'the tokens of ended grants are removed',
    );

  it('by its client revokes the corporate refresh token', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    const corporate = await findCorporateTokens(accessToken);
    await revoke(clientId, refreshToken);
    await eventually(() => listRevoked().includes(corporate!) || undefined, 'the provider has the revocation');
    await waitForRemoval();
  });

  it('by a second use of a refresh token revokes the newest corporate refresh token', async () => {
    const { clientId, refreshToken } = await signInClient(first.address);
    const { body } = await refresh(first.address, clientId, refreshToken);
    const corporate = await findCorporateTokens(body['access_token'] ?? '');
    await world.sql(`UPDATE oidc_payloads SET consumed_at = consumed_at - interval '10 seconds'`);
    await refresh(second.address, clientId, refreshToken);
    await eventually(() => listRevoked().includes(corporate!) || undefined, 'the provider has the revocation');
    await waitForRemoval();
  });

  it('waits for a refresh in progress and revokes its token', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    const old = await findCorporateTokens(accessToken);
    const before = countCorporateRefreshes();
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    world.corporate.authorization.beforeToken = () => opened;
    const answer = refresh(second.address, clientId, refreshToken);
    await eventually(() => countCorporateRefreshes() === before + 1 || undefined, 'the refresh waits');
    await revoke(clientId, refreshToken);
    open(undefined);
    expect((await answer).status).toBe(400);
    await waitForRemoval();
    expect(listRevoked()).not.toContain(old);
    expect(listRevoked().length).toBeGreaterThan(0);
  });

  it('is sent to the provider again after an outage', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    const corporate = await findCorporateTokens(accessToken);
    world.corporate.authorization.isRevocationDown = true;
    await revoke(clientId, refreshToken);
    await eventually(() => listRevoked().includes(corporate!) || undefined, 'the provider has the first attempt');
    world.corporate.authorization.isRevocationDown = false;
    const isWaiting = async () =>
      (await world.sql('SELECT id FROM corporate_grants WHERE revoke_at > now()')).length === 1 || undefined;
    await eventually(isWaiting, 'the second attempt is planned');
    await world.sql('UPDATE corporate_grants SET revoke_at = now() WHERE revoke_at IS NOT NULL');
    const other = await signInClient(second.address);
    const body = new URLSearchParams({ client_id: other.clientId, token: other.refreshToken });
    await fetch(`${second.address}/oauth/revoke`, { method: 'POST', body });
    await waitForRemoval();
    expect(listRevoked().filter((token) => token === corporate)).toHaveLength(2);
  });

  it('is known at another replica within a second', async () => {
    const { clientId, accessToken, refreshToken } = await signInClient(first.address);
    const isActive = async () => second.server.isGrantActive(decodeJwt(accessToken));
    expect(await isActive()).toBe(true);
    await revoke(clientId, refreshToken);
    await eventually(async () => !(await isActive()) || undefined, 'the other replica knows the end', 80);
    expect(await first.server.isGrantActive({})).toBe(false);
  });
});

describe('the signing keys', () => {
  const readKids = async ({ address }: Replica) => {
    const { keys } = (await (await fetch(`${address}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };

  it('are created once by replicas that start at the same time', async () => {
    const other = await EmbeddedServerWorld.start();
    try {
      const replicas = await Promise.all([other.replica(), other.replica(), other.replica()]);
      const [one, ...others] = await Promise.all(replicas.map(readKids));
      expect(one).toHaveLength(2);
      for (const kids of others) expect(kids).toEqual(one);
    } finally {
      await other.close();
    }
  });

  it('change after 30 days to the key that was published before, and the old key stays published', async () => {
    const [current = '', next = ''] = await readKids(first);
    expect(decodeProtectedHeader((await signInClient(first.address)).accessToken).kid).toBe(current);
    world.clockOffset = 30 * 24 * HOUR_MS + 60_000;
    expect((await readKids(first)).slice(0, 1)).toEqual([next]);
    expect(await readKids(second)).toEqual(await readKids(first));
    expect(await readKids(second)).toContain(current);
  });
});
