import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { TokenWorld } from './support/token-world.ts';
import { type VaultReplica, VaultScene } from './support/vault.ts';
import type { Gateway } from './support/world.ts';

const HOUR_MS = 3_600_000;

let scene: VaultScene;
let one: VaultReplica;
let other: VaultReplica;
beforeAll(async () => {
  scene = await VaultScene.start();
  [one, other] = [await scene.replica(), await scene.replica()];
}, 60_000);
afterAll(() => scene.close());
let subject = '';
beforeEach(() => {
  subject = `user-${randomBytes(6).toString('hex')}`;
});

const getToken = (replica: VaultReplica, refused?: string) =>
  replica.vault.getAccessToken(scene.request(subject, refused));
const findRow = async () => {
  const [row] = await one.dataSource.query<Record<string, unknown>[]>(
    'SELECT * FROM upstream_tokens WHERE subject = $1',
    [subject],
  );
  return row;
};

describe('scopes that the upstream requires in addition', () => {
  const owner = () => scene.owner(subject);
  const origin = () => ({ providerIssuer: scene.origin.providerIssuer, upstreamOrigin: scene.origin.upstreamOrigin });

  it('are asked for once, and the tokens serve other requests meanwhile', async () => {
    const { accessToken } = await scene.connect(one, subject, { scope: 'read' });
    expect(await one.vault.requireScopes(owner(), accessToken, ['write'])).toBe('sign_in');
    expect(await findRow()).toMatchObject({ status: 'needs_auth', reason: 'insufficient_scope' });
    expect(await getToken(one)).toBe(accessToken);
    expect(await other.vault.requireScopes(owner(), accessToken, ['admin'])).toBe('sign_in');
    expect(await one.vault.findScopes(owner(), origin())).toEqual({
      granted: ['read'],
      challenged: ['write', 'admin'],
    });

    const { accessToken: wider } = await scene.connect(one, subject, { scope: 'read write' });
    expect(await findRow()).toMatchObject({ status: 'connected', reason: null, challenged_scope: 'write admin' });
    expect(await one.vault.requireScopes(owner(), accessToken, ['write'])).toBe('replaced');
    for (const scope of ['write', 'admin'])
      expect(await one.vault.requireScopes(owner(), wider, [scope])).toBe('refused');
    expect(await findRow()).toMatchObject({ status: 'connected' });
  });

  it('are not asked for if the sign-in has granted them', async () => {
    const { accessToken } = await scene.connect(one, subject, { scope: 'read write' });
    expect(await one.vault.requireScopes(owner(), accessToken, ['write'])).toBe('refused');
  });

  it('stay required after a refresh', async () => {
    const { accessToken } = await scene.connect(one, subject);
    await one.vault.requireScopes(owner(), accessToken, ['write']);
    const renewed = await getToken(one, accessToken);
    expect(renewed).not.toBe(accessToken);
    expect(await getToken(other)).toBe(renewed);
    expect(await findRow()).toMatchObject({ status: 'needs_auth', reason: 'insufficient_scope' });
  });

  it('are limited in their length', async () => {
    const { accessToken } = await scene.connect(one, subject);
    expect(await one.vault.requireScopes(owner(), accessToken, ['x'.repeat(2_049)])).toBe('refused');
    expect(await findRow()).toMatchObject({ status: 'connected', challenged_scope: null });
  });

  it('belong to the provider and the upstream of the sign-in', async () => {
    const { accessToken } = await scene.connect(one, subject);
    await one.vault.requireScopes(owner(), accessToken, ['write']);
    const elsewhere = { ...origin(), providerIssuer: 'https://other.test' };
    expect((await one.vault.findScopes(owner(), elsewhere)).challenged).toEqual([]);
    const tokens = { accessToken: 'other', expiresAt: scene.clock.now().getTime() + HOUR_MS };
    await one.vault.save(owner(), tokens, { ...scene.origin, providerIssuer: 'https://other.test' });
    expect(await findRow()).toMatchObject({ challenged_scope: null });
  });
});

describe('a call that needs more scopes than the sign-in of the user', () => {
  let tokens: TokenWorld;
  let gateway: Gateway;
  beforeAll(async () => {
    tokens = await TokenWorld.start();
    gateway = await tokens.world.gateway(tokens.settings);
  }, 60_000);
  afterAll(() => tokens.close());

  const readStatus = async () => (await tokens.read(gateway.controlUrl, 'alice', '/connectors/status')).text;

  it('answers with a link, and other calls go on with the tokens', async () => {
    await tokens.connect('alice');
    const call = async () => JSON.stringify((await tokens.call(gateway.url, 'alice')).json);
    expect(await call()).toContain('canary-access');
    tokens.callChallenge = 'Bearer error="insufficient_scope", scope="write"';
    for (let at = 0; at < 2; at += 1)
      expect(await call()).toMatch(/needs you to sign in again and to allow more.*\/oauth\/connect\//);
    expect(await readStatus()).toContain('needs_auth');
    tokens.callChallenge = undefined;
    expect(await call()).toContain('canary-access');
    expect(tokens.provider.refreshes).toBe(0);
  });

  it('names no link for a refusal that no sign-in ends', async () => {
    await tokens.connect('bob');
    tokens.callChallenge = 'Bearer error="insufficient_scope"';
    const { json } = await tokens.call(gateway.url, 'bob');
    expect(JSON.stringify(json)).toContain('although you have allowed everything');
    expect(JSON.stringify(json)).not.toContain('/oauth/connect/');
    tokens.callChallenge = undefined;
  });
});
