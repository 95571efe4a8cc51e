import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SealedTableStore } from '@gatehouse/key-encryption/sealed-table-store';
import { parseKeyRing } from '@gatehouse/envelope/key-ring';
import { rewrapAll } from '@gatehouse/envelope/rewrap';
import { InvalidProviderError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { createLog } from '@gatehouse/service-kit/log';
import { eventually } from '@gatehouse/testing/eventually';
import { randomBytes } from 'node:crypto';
import { NeedsAuthError } from '../src/mcp/ports/personal-credentials.ts';
import { UnusableTokenError } from '../src/vault/token-rules.ts';
import { TokenSweep, type TokenSweepParts } from '../src/vault/token-sweep.ts';
import { type VaultReplica, VaultScene } from './support/vault.ts';

const HOUR_MS = 3_600_000;

let scene: VaultScene;
let one: VaultReplica;
let other: VaultReplica;
let third: VaultReplica;
beforeAll(async () => {
  scene = await VaultScene.start();
  [one, other, third] = [await scene.replica(), await scene.replica(), await scene.replica()];
}, 60_000);
afterAll(() => scene.close());
let subject = '';
let before = 0;
beforeEach(() => {
  subject = `user-${randomBytes(6).toString('hex')}`;
  Object.assign(scene.provider, { rotates: true, expiresIn: 3_600 });
  before = scene.provider.refreshes;
});
afterEach(() => {
  scene.provider.script.length = 0;
  scene.aheadMs = 0;
});

const countRefreshes = () => scene.provider.refreshes - before;
const getToken = (replica: VaultReplica, refused?: string) =>
  replica.vault.getAccessToken(scene.request(subject, refused));
const connectExpired = async (more: { scope?: string } = {}) => {
  const tokens = await scene.connect(one, subject, more);
  scene.aheadMs += 2 * HOUR_MS;
  return tokens;
};
const findRow = async () => {
  const [row] = await one.dataSource.query<Record<string, unknown>[]>(
    'SELECT * FROM upstream_tokens WHERE subject = $1',
    [subject],
  );
  return row;
};
const expectNeedsAuth = async (work: Promise<unknown>, reason: string) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NeedsAuthError);
  expect((error as NeedsAuthError).reason).toBe(reason);
};

describe('the access token of a user', () => {
  it('is returned on every replica without a request while it has not expired', async () => {
    const { accessToken } = await scene.connect(one, subject);
    expect(await Promise.all([getToken(one), getToken(other)])).toEqual([accessToken, accessToken]);
    expect(countRefreshes()).toBe(0);
  });

  it('is refreshed once for 200 parallel calls on three replicas', async () => {
    await connectExpired();
    const replicas = [one, other, third];
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, at) => getToken(replicas[at % 3]!)));
    expect(new Set(tokens).size).toBe(1);
    expect(scene.provider.accepted.has(tokens[0]!)).toBe(true);
    expect(countRefreshes()).toBe(1);
  });

  it('is refreshed once for 200 parallel calls that the upstream refused', async () => {
    const { accessToken } = await scene.connect(one, subject);
    const replicas = [one, other, third];
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, at) => getToken(replicas[at % 3]!, accessToken)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(accessToken);
    expect(countRefreshes()).toBe(1);
  });

  it('is used without a lifetime until the upstream refuses it', async () => {
    scene.provider.expiresIn = undefined;
    await connectExpired();
    const fresh = await getToken(one);
    scene.aheadMs += 1_000 * HOUR_MS;
    expect(await getToken(one)).toBe(fresh);
    expect(countRefreshes()).toBe(1);
    expect(await getToken(one, fresh)).not.toBe(fresh);
    expect(countRefreshes()).toBe(2);
  });

  it('is used with a lifetime of 0 until the upstream refuses it', async () => {
    scene.provider.expiresIn = 0;
    await connectExpired();
    expect(await getToken(one)).toBe(await getToken(one));
    expect(countRefreshes()).toBe(1);
  });

  it('is refreshed with the old refresh token if the server returns none', async () => {
    scene.provider.rotates = false;
    await connectExpired();
    const first = await getToken(one);
    scene.aheadMs += 2 * HOUR_MS;
    const second = await getToken(one);
    expect(second).not.toBe(first);
    expect(countRefreshes()).toBe(2);
  });

  it('is used while the authorization server is unavailable and it has not expired', async () => {
    const { accessToken } = await scene.connect(one, subject, { expiresAt: scene.clock.now().getTime() + 5_000 });
    scene.provider.script.push({ status: 503, body: {} });
    expect(await getToken(one)).toBe(accessToken);
    expect(countRefreshes()).toBe(1);
  });

  it('is not returned for another origin than that of its sign-in', async () => {
    await scene.connect(one, subject);
    const request = { ...scene.request(subject), upstreamOrigin: 'https://other.test' };
    await expectNeedsAuth(one.vault.getAccessToken(request), 'never_connected');
    const origins = new Map([['connector-1', 'https://other.test']]);
    expect([...(await one.vault.listStates(scene.owner(subject), origins)).values()]).toEqual(['needs_auth']);
  });

  it('is not returned to another user, also not from a copied row', async () => {
    await scene.connect(one, subject);
    const thief = `thief-of-${subject}`;
    await expectNeedsAuth(one.vault.getAccessToken(scene.request(thief)), 'never_connected');
    await one.dataSource.query(
      `INSERT INTO upstream_tokens SELECT gen_random_uuid(), issuer, $2, connector_id, provider_issuer, client_id,
         upstream_origin, key_version, wrapped_key, ciphertext, scope, access_expires_at, status, reason, version, updated_at
       FROM upstream_tokens WHERE subject = $1`,
      [subject, thief],
    );
    await expectNeedsAuth(other.vault.getAccessToken(scene.request(thief)), 'never_connected');
  });

  it('is not returned after a change of the origin in the database', async () => {
    await scene.connect(one, subject);
    await one.dataSource.query("UPDATE upstream_tokens SET upstream_origin = 'https://evil.test' WHERE subject = $1", [
      subject,
    ]);
    const request = { ...scene.request(subject), upstreamOrigin: 'https://evil.test' };
    await expectNeedsAuth(other.vault.getAccessToken(request), 'never_connected');
  });
});

describe('a refresh', () => {
  it('ends the connection when the server ended the grant, and sends no further request', async () => {
    await connectExpired();
    scene.provider.script.push({ status: 400, body: { error: 'invalid_grant' } });
    await expectNeedsAuth(getToken(one), 'refresh_failed');
    await expectNeedsAuth(getToken(one), 'refresh_failed');
    await expectNeedsAuth(getToken(other), 'refresh_failed');
    expect(countRefreshes()).toBe(1);
    await scene.connect(one, subject);
    expect(scene.provider.accepted.has(await getToken(one))).toBe(true);
  });

  it.each([
    ['does not answer in time', { status: 503, body: {} }],
    ['reports an error of its own', { status: 400, body: { error: 'temporarily_unavailable' } }],
  ])('keeps the connection when the server %s', async (_, answer) => {
    await connectExpired();
    scene.provider.script.push(answer);
    await expect(getToken(one)).rejects.toBeInstanceOf(ProviderUnavailableError);
    // Further calls wait for the next attempt, instead of each sending a request.
    await expect(getToken(one)).rejects.toBeInstanceOf(ProviderUnavailableError);
    expect(countRefreshes()).toBe(1);
    expect(await findRow()).toMatchObject({ status: 'connected' });
    expect(scene.provider.accepted.has(await getToken(other))).toBe(true);
  });

  it.each([
    ['a lifetime below zero', { access_token: 'short-lived', token_type: 'Bearer', expires_in: -1 }],
    ['another token type', { access_token: 'typed', token_type: 'mac', expires_in: 60 }],
    ['no access token', { token_type: 'Bearer' }],
    ['HTML', '<html>'],
  ])('refuses %s and keeps the rotated refresh token', async (_, body) => {
    await connectExpired();
    const { refreshToken } = scene.provider.issue();
    const answer = typeof body === 'string' ? body : { ...body, refresh_token: refreshToken };
    scene.provider.script.push({ body: answer });
    await expect(getToken(one)).rejects.toBeInstanceOf(InvalidProviderError);
    expect(await findRow()).toMatchObject({ status: 'connected' });
    expect(scene.provider.accepted.has(await getToken(other))).toBe(true);
    if (typeof body !== 'string') expect(scene.provider.requests.at(-1)?.form.get('refresh_token')).toBe(refreshToken);
  });

  it('refuses a giant access token with a sentence that does not contain it', async () => {
    await connectExpired();
    const giant = 'g'.repeat(1_000_000);
    scene.provider.script.push({ body: { access_token: giant, token_type: 'Bearer' } });
    const error = await getToken(one).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnusableTokenError);
    expect((error as Error).message).toContain('1000000 characters');
    expect((error as Error).message.length).toBeLessThan(300);
  });

  it('stores fewer scopes than before', async () => {
    await connectExpired({ scope: 'read write' });
    const { accessToken } = scene.provider.issue();
    scene.provider.script.push({
      body: { access_token: accessToken, token_type: 'bearer', expires_in: 60, scope: 'read' },
    });
    expect(await getToken(one)).toBe(accessToken);
    expect(await findRow()).toMatchObject({ scope: 'read' });
  });

  it('needs the client of the sign-in, and works again with it', async () => {
    await connectExpired();
    const request = { ...scene.request(subject), openClient: () => scene.openClient('another-client') };
    await expectNeedsAuth(one.vault.getAccessToken(request), 'client_rotated');
    await expectNeedsAuth(one.vault.getAccessToken(request), 'client_rotated');
    expect([countRefreshes(), (await findRow())?.['reason']]).toEqual([0, 'client_rotated']);
    expect(scene.provider.accepted.has(await getToken(one))).toBe(true);
    expect(await findRow()).toMatchObject({ status: 'connected', reason: null });
  });

  it('is impossible without a refresh token', async () => {
    const { accessToken } = await scene.connect(one, subject, { refreshToken: undefined as never });
    expect(await getToken(one)).toBe(accessToken);
    await expectNeedsAuth(getToken(one, accessToken), 'revoked');
    expect(countRefreshes()).toBe(0);
  });

  it('ends the connection when the upstream refuses the renewed token too', async () => {
    const { accessToken } = await scene.connect(one, subject);
    const renewed = await getToken(one, accessToken);
    await one.vault.endRefused(scene.owner(subject), accessToken);
    expect(await findRow()).toMatchObject({ status: 'connected' });
    await one.vault.endRefused(scene.owner(subject), renewed);
    await expectNeedsAuth(getToken(one), 'revoked');
    expect(countRefreshes()).toBe(1);
  });

  it('gives way to a new sign-in that was stored while the server answered', async () => {
    await connectExpired();
    scene.provider.hold();
    const waiting = getToken(one);
    await eventually(() => countRefreshes() === 1, 'the provider has the request');
    const { accessToken } = await scene.connect(other, subject);
    scene.provider.release();
    expect(await waiting).toBe(accessToken);
    expect(await getToken(other)).toBe(accessToken);
  });

  it('stores its tokens after an outage of the database in the meantime', async () => {
    await connectExpired();
    scene.provider.hold();
    const waiting = getToken(one);
    await eventually(() => countRefreshes() === 1, 'the provider has the request');
    await other.dataSource.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    scene.provider.release();
    const token = await waiting;
    expect(scene.provider.accepted.has(token)).toBe(true);
    expect(await eventually(() => getToken(other).catch(() => undefined), 'the database answers')).toBe(token);
  });
});

describe('disconnecting', () => {
  it('revokes the refresh token and deletes the row on all replicas', async () => {
    const { refreshToken } = await scene.connect(one, subject);
    await getToken(other);
    expect(await one.vault.disconnect(scene.owner(subject), () => scene.openClient())).toBe(true);
    expect(scene.provider.revoked).toContain(refreshToken);
    await expectNeedsAuth(getToken(one), 'never_connected');
    await eventually(
      () =>
        getToken(other).then(
          () => false,
          (error: unknown) => error instanceof NeedsAuthError,
        ),
      'the other replica knows it',
    );
    expect(await one.vault.disconnect(scene.owner(subject), () => scene.openClient())).toBe(false);
  });

  it('waits for a refresh in progress and revokes its token', async () => {
    await connectExpired();
    scene.provider.hold();
    const waiting = getToken(one);
    await eventually(() => countRefreshes() === 1, 'the provider has the request');
    const disconnecting = other.vault.disconnect(scene.owner(subject), () => scene.openClient());
    scene.provider.release();
    await waiting;
    expect(await disconnecting).toBe(true);
    expect(scene.provider.refreshable.has(scene.provider.revoked.at(-1) ?? '')).toBe(false);
    expect(await findRow()).toBeUndefined();
  });

  it('deletes the row also when the server cannot revoke', async () => {
    await scene.connect(one, subject);
    const refused = () => Promise.reject(new ProviderUnavailableError('down'));
    expect(await one.vault.disconnect(scene.owner(subject), refused)).toBe(true);
    expect(await findRow()).toBeUndefined();
    expect(scene.logLines.some((line) => line.includes('could not be revoked'))).toBe(true);
  });
});

describe('disconnecting without the key of the tokens', () => {
  it('deletes the row and revokes nothing', async () => {
    await scene.connect(one, subject);
    await one.dataSource.query('UPDATE upstream_tokens SET key_version = 9 WHERE subject = $1', [subject]);
    const revoked = scene.provider.revoked.length;
    expect(await other.vault.disconnect(scene.owner(subject), () => scene.openClient())).toBe(true);
    expect(await findRow()).toBeUndefined();
    expect(scene.provider.revoked).toHaveLength(revoked);
  });
});

describe('the sweep of tokens', () => {
  it('revokes and deletes those of a deactivated user, and keeps all others', async () => {
    const { refreshToken } = await scene.connect(one, subject);
    await scene.connect(one, `${subject}-active`);
    const connector = { id: 'connector-1' };
    const directory = {
      requireAvailability: () => undefined,
      getRules: () => ({ connectors: [connector] }),
      getEntitlements: (user: { subject: string }) => ({ active: user.subject !== subject }),
    };
    const sweep = new TokenSweep({
      vault: one.vault,
      repository: one.repository,
      directory: directory as unknown as TokenSweepParts['directory'],
      clients: { get: () => scene.openClient() },
      clock: scene.clock,
      log: createLog({ name: 'sweep', level: 'silent', environment: 'test' }),
    });
    const count = async () => (await one.dataSource.query<unknown[]>('SELECT 1 FROM upstream_tokens')).length;
    const rows = await count();
    await sweep.run();
    expect([await findRow(), await count()]).toEqual([undefined, rows - 1]);
    expect(scene.provider.revoked).toContain(refreshToken);
  });
});

describe('stored tokens', () => {
  it('are in no dump of the table and in no log line', async () => {
    const tokens = await connectExpired();
    await getToken(one);
    const [{ dump } = { dump: '' }] = await one.dataSource.query<{ dump: string }[]>(
      "SELECT string_agg(t::text || encode(ciphertext, 'escape'), '') AS dump FROM upstream_tokens t",
    );
    for (const text of [dump, scene.logLines.join('')]) {
      expect(text).not.toContain('canary');
      expect(text).not.toContain(tokens.accessToken);
    }
    expect(dump).toContain(subject);
  });

  it('are wrapped with a new key without a change of their content', async () => {
    const { accessToken } = await scene.connect(one, subject);
    const ring = new Map([...scene.keyRing, ...parseKeyRing(`2:${randomBytes(32).toString('base64')}`)]);
    const [table] = one.tables.list();
    one.cipher.setKeys(ring);
    // Rows that other tests have damaged keep their version.
    const options = { isStopped: () => false, onFailed: () => undefined };
    await rewrapAll(one.cipher, new SealedTableStore(one.dataSource, table!), options);
    expect(await findRow()).toMatchObject({ key_version: 2 });
    // A replica with the new key alone opens it.
    third.cipher.setKeys(new Map([...ring].filter(([version]) => version === 2)));
    expect(await getToken(third)).toBe(accessToken);
  });
});
