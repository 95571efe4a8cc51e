import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { eventually } from '@gatehouse/testing/eventually';
import { withDatabase } from '@gatehouse/postgres/provision';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';

const BASE = 'http://enterprise-manager.test';

describe('public documents', () => {
  let plain: TestManager;
  let signing: TestManager;
  beforeAll(async () => {
    plain = await startManager({ environment: { KEY_ENCRYPTION_KEYS: '' } });
    signing = await startManager({
      environment: {
        CLIENT_ID: 'our-client',
      },
    });
  }, 60_000);
  afterAll(async () => {
    await plain.close();
    await signing.close();
  });

  it('describe this API as a protected resource with its issuers and key set (RFC 9728)', async () => {
    const { status, body } = await plain.client.call('GET /.well-known/oauth-protected-resource');
    expect([status, body]).toEqual([
      200,
      {
        resource: BASE,
        authorization_servers: [plain.issuer.issuer],
        bearer_methods_supported: ['header'],
        jwks_uri: `${BASE}/.well-known/jwks.json`,
        scopes_supported: ['openid', 'profile', 'email'],
        resource_name: 'Enterprise manager',
        resource_documentation: `${BASE}/api/doc`,
      },
    ]);
  });

  it('append the path of this API to the well-known address', async () => {
    const behind = await startManager({ environment: { PUBLIC_URL: 'https://example.test/gate/house' } });
    try {
      const { body } = await behind.client.call<{ oauth_protected_resource: string }>(
        'GET /.well-known/gatehouse-configuration',
      );
      expect(body.oauth_protected_resource).toBe(
        'https://example.test/.well-known/oauth-protected-resource/gate/house',
      );
    } finally {
      await behind.close();
    }
  });

  it('tell clients the addresses of the platform', async () => {
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

  it('contain only the public halves of the signing keys', async () => {
    const { status, body, headers } = await signing.client.call<{ keys: JWK[] }>('GET /.well-known/jwks.json');
    expect([status, headers.get('cache-control'), body.keys.length]).toEqual([200, 'public, max-age=300', 2]);
    for (const { kid, ...key } of body.keys) {
      expect(kid).toBe(await calculateJwkThumbprint(key));
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
    }
  });

  it('return 503 without a signing key', async () => {
    const response = await plain.client.call<{ error: string }>('GET /.well-known/jwks.json');
    expect([response.status, response.body.error]).toEqual([503, expect.stringContaining('signing key')]);
    expect(response.headers.get('retry-after')).toBe('60');
  });

  it('report health, and readiness only with the database', async () => {
    const other = await startManager();
    const server = new pg.Client({ connectionString: withDatabase(other.database.adminUrl, 'postgres') });
    await server.connect();
    try {
      expect((await other.client.call('GET /healthz')).status).toBe(200);
      expect((await other.client.call('GET /readyz')).status).toBe(200);
      const name = new URL(other.database.adminUrl).pathname.slice(1);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      const response = await other.client.call<{ error: string }>('GET /readyz');
      expect([response.status, response.body.error]).toEqual([503, expect.stringContaining('database')]);
      expect((await other.client.call('GET /healthz')).status).toBe(200);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      // A part that asked the database in the meantime is ready after its next attempt.
      await eventually(
        async () => (await other.client.call('GET /readyz')).status === 200 || undefined,
        'the service is ready again',
      );
    } finally {
      await server.end();
      await other.close();
    }
  });
});
