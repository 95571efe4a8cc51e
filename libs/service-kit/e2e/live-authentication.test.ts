import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { z } from 'zod';
import type { LiveAuthentication } from '../src/auth/authentication.ts';
import { Public, Requires } from '../src/routes/access.ts';
import { Operation } from '../src/routes/operation.ts';
import { call, forbidden, ISSUER, settings, start, token } from './things.ts';

const OTHER = 'https://other.example.test';
const MISSING = { missing: 'the AIGateway team-a/gateway-a does not exist; create it' };
const METADATA = '/.well-known/oauth-protected-resource';

/** An authentication that a test replaces while the service runs. */
class ReplaceableAuthentication implements LiveAuthentication {
  config: LiveAuthentication['config'] = MISSING;
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  replace(config: LiveAuthentication['config']): void {
    this.config = config;
    for (const listener of this.listeners) listener();
  }
}

const done = { success: { status: 200, schema: z.object({}) }, errors: [] };

@Controller('v1/policies')
class PoliciesController {
  @Get()
  @Requires('policyEditor', 'admin')
  @Operation({ summary: 'List policies', ...done })
  list() {
    return {};
  }

  @Get('own')
  @Requires('authenticated')
  @Operation({ summary: 'List own policies', ...done })
  listOwn() {
    return {};
  }

  @Get('public')
  @Public()
  @Operation({ summary: 'List public policies', ...done })
  listPublic() {
    return {};
  }
}
@Module({ controllers: [PoliciesController] })
class PoliciesModule {}

/** Settings without ISSUERS and AUDIENCE. */
const { ISSUERS: _issuers, AUDIENCE: _audience, ...own } = settings({ REFERENCE_CLIENT_ID: 'reference' });

const startLive = async (failureStyle: 'sentence' | 'codes' = 'sentence') => {
  const authentication = new ReplaceableAuthentication();
  const { url } = await start({ settings: own, authentication, module: PoliciesModule, failureStyle });
  return { authentication, url };
};

const accepts = (roles: 'none' | 'editor', audience = 'gatehouse'): LiveAuthentication['config'] => ({
  issuers: [
    {
      id: 'oidc',
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/keys`,
      roles: ({ sub }) => (roles === 'editor' && sub === 'alice' ? ['policyEditor', 'authenticated'] : []),
    },
  ],
  audience,
});

describe('a service with live authentication', () => {
  it('answers every caller of a protected operation with 503 while it has no issuer', async () => {
    const { url } = await startLive('codes');
    for (const as of [undefined, 'garbage', await token(['admin'])]) {
      const reply = await call('/v1/policies', { at: url, ...(as !== undefined && { as }) });
      expect([reply.status, reply.body]).toEqual([
        503,
        {
          error: 'upstream_unavailable',
          requestId: reply.headers.get('x-request-id'),
          violations: [{ field: '', message: MISSING.missing }],
        },
      ]);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    for (const path of ['/v1/policies/public', '/healthz', '/api/doc'])
      expect((await call(path, { at: url })).status).toBe(200);
  });

  it('accepts, maps and refuses tokens by the configuration in force', async () => {
    const { authentication, url } = await startLive();
    const alice = await token([]);
    const fetchStatus = async (path = '/v1/policies') => (await call(path, { at: url, as: alice })).status;
    authentication.replace(accepts('editor'));
    expect([await fetchStatus(), await fetchStatus('/v1/policies/own')]).toEqual([200, 200]);
    authentication.replace(accepts('none'));
    expect([await fetchStatus(), await fetchStatus('/v1/policies/own')]).toEqual([403, 403]);
    expect(forbidden.slice(-2).map(({ reason }) => reason)).toEqual([
      'caller has none of the roles policyEditor, admin',
      'caller has none of the roles authenticated',
    ]);
    authentication.replace(accepts('editor', 'elsewhere'));
    expect(await fetchStatus()).toBe(401);
    authentication.replace(accepts('editor'));
    expect(await fetchStatus()).toBe(200);
    authentication.replace(MISSING);
    expect(await fetchStatus()).toBe(503);
  });

  it('names the issuer in force in its resource metadata, and none while there is none', async () => {
    const { authentication, url } = await startLive();
    const metadata = async () => (await call(METADATA, { at: url })).body;
    expect(await metadata()).not.toHaveProperty('authorization_servers');
    for (const issuer of [ISSUER, OTHER]) {
      authentication.replace({ issuers: [{ id: 'oidc', issuer }], audience: 'gatehouse' });
      expect(await metadata()).toMatchObject({ authorization_servers: [issuer] });
    }
  });

  it('offers the sign-in of the issuer in force on the reference page', async () => {
    const authentication = new ReplaceableAuthentication();
    const requested: string[] = [];
    const fetchDiscovery = (input: string | URL) => {
      const issuer = String(input).replace('/.well-known/openid-configuration', '');
      requested.push(issuer);
      return Promise.resolve(
        Response.json({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }),
      );
    };
    const { url } = await start({ settings: own, authentication, fetch: fetchDiscovery });
    const policyOfPage = async () => (await call('/api/doc', { at: url })).headers.get('content-security-policy');
    expect(await policyOfPage()).toContain("connect-src 'self';");
    for (const issuer of [ISSUER, OTHER, OTHER]) {
      authentication.replace({ issuers: [{ id: 'oidc', issuer }], audience: 'gatehouse' });
      expect(await policyOfPage()).toContain(`connect-src 'self' ${issuer};`);
    }
    expect(requested).toEqual([ISSUER, OTHER]);
  });

  it('does not start without an authentication and without ISSUERS and AUDIENCE', async () => {
    await expect(start({ settings: own })).rejects.toThrow('ISSUERS and AUDIENCE');
  });
});
