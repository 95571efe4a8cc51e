import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { withDatabase } from '@gatehouse/postgres/provision';
import pg from 'pg';
import { loadSettings } from '../src/config.ts';
import { environmentOf, startManager, type TestManager } from './enterprise-manager.ts';

const BASE = 'http://enterprise-manager.test';

describe('the documents that are read without a token', () => {
  let plain: TestManager;
  let signing: TestManager;
  let key: { privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; jwk: JWK };

  beforeAll(async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    key = { privateKey, jwk: await exportJWK(privateKey) };
    plain = await startManager();
    signing = await startManager({
      environment: {
        SIGNING_KEY: JSON.stringify(key.jwk),
        PUBLISH_RESOURCE_METADATA: 'false',
        CLIENT_ID: 'our-client',
      },
    });
  }, 60_000);
  afterAll(async () => {
    await plain.close();
    await signing.close();
  });

  it('name the issuers and the key set of this API as a protected resource (RFC 9728)', async () => {
    const { status, body } = await plain.client.call('GET /.well-known/oauth-protected-resource');
    expect([status, body]).toEqual([
      200,
      {
        resource: BASE,
        authorization_servers: [plain.issuer.issuer],
        bearer_methods_supported: ['header'],
        jwks_uri: `${BASE}/.well-known/jwks.json`,
        scopes_supported: ['openid', 'profile', 'email'],
      },
    ]);
    expect((await signing.client.call('GET /.well-known/oauth-protected-resource')).status).toBe(404);
  });

  it('tell a client where to begin', async () => {
    const { body } = await signing.client.call('GET /.well-known/gatehouse-configuration');
    expect(body).toEqual({
      issuer: signing.issuer.issuer,
      client_id: 'our-client',
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      config_endpoint: `${BASE}/api/v1beta/config`,
      jwks_uri: `${BASE}/.well-known/jwks.json`,
      oauth_protected_resource: `${BASE}/.well-known/oauth-protected-resource`,
    });
  });

  it('show the public half of the signing key and nothing of the private one', async () => {
    const { status, body } = await signing.client.call<{ keys: JWK[] }>('GET /.well-known/jwks.json');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(key.jwk.d);
    const [shown] = body.keys;
    expect(shown).toMatchObject({ alg: 'ES256', use: 'sig', kid: await calculateJwkThumbprint(key.jwk) });
    const signed = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey);
    await expect(jwtVerify(signed, await importJWK(shown!, 'ES256'))).resolves.toBeDefined();
  });

  it('say 503 while there is no signing key', async () => {
    const answer = await plain.client.call<{ error: string }>('GET /.well-known/jwks.json');
    expect([answer.status, answer.body.error]).toEqual([503, expect.stringContaining('signing key')]);
    expect(answer.headers.get('retry-after')).toBe('60');
  });

  it('do not start with something that is not an ES256 private key, and do not print it', () => {
    const { d, ...publicHalf } = key.jwk;
    for (const bad of ['not json', JSON.stringify(publicHalf), JSON.stringify({ ...key.jwk, crv: 'P-384' })]) {
      const environment = { ...environmentOf(plain.issuer, plain.database), SIGNING_KEY: bad };
      expect(() => loadSettings(environment)).toThrow(/SIGNING_KEY/);
      expect(() => loadSettings(environment)).not.toThrow(d ?? '');
    }
  });

  it('answer health and readiness, readiness only while the database does', async () => {
    const other = await startManager();
    const server = new pg.Client({ connectionString: withDatabase(other.database.adminUrl, 'postgres') });
    await server.connect();
    try {
      expect((await other.client.call('GET /healthz')).status).toBe(200);
      expect((await other.client.call('GET /readyz')).status).toBe(200);
      const name = new URL(other.database.adminUrl).pathname.slice(1);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      const answer = await other.client.call<{ error: string }>('GET /readyz');
      expect([answer.status, answer.body.error]).toEqual([503, expect.stringContaining('database')]);
      expect((await other.client.call('GET /healthz')).status).toBe(200);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      expect((await other.client.call('GET /readyz')).status).toBe(200);
    } finally {
      await server.end();
      await other.close();
    }
  });
});
