import { afterEach, describe, expect, it } from '@jest/globals';
import { startIssuer } from '@gatehouse/testing/issuer';
import { eventually } from '@gatehouse/testing/eventually';
import { GATEWAY } from '../support/gateway.ts';
import type { Scene } from '../support/scene.ts';

/** The promised time until a change of the AIGateway is in force. */
const IN_FORCE_MS = 2_000;

/** Defines the tests of changes of the AIGateway of the services. */
export function describeFreshness(getScene: () => Scene): void {
  const requestStatus = async (token: string, path = '/v1/policies') => {
    const response = await fetch(`${getScene().first.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    return response.status;
  };
  const untilStatus = (token: string, status: number, path?: string) =>
    eventually(async () => (await requestStatus(token, path)) === status, `the answer is ${status}`, IN_FORCE_MS);
  const readiness = async () => {
    const response = await fetch(`${getScene().first.url}/readyz`);
    return { status: response.status, text: await response.text() };
  };

  describe('a change of the AIGateway', () => {
    afterEach(async () => {
      const { backend, world } = getScene();
      await backend.apply('AIGateway', world.gateway());
      await untilStatus(world.tokens.admin, 200);
    });

    it('of a role is in force within 2 s', async () => {
      const { backend, world } = getScene();
      const { admin, policyEditor = '' } = world.tokens;
      const { auth } = world.gateway().spec;
      const apply = (roles: NonNullable<typeof auth.authz>['roles']) =>
        backend.apply('AIGateway', world.gateway({ auth: { ...auth, authz: { ...(roles && { roles }) } } }));
      expect([await requestStatus(admin), await requestStatus(policyEditor)]).toEqual([200, 200]);
      await apply({ policyEditor: [{ claims: { roles: 'admin' } }] });
      await untilStatus(policyEditor, 403);
      expect([await requestStatus(admin), await requestStatus(admin, '/v1/me')]).toEqual([200, 200]);
      await apply(undefined);
      await untilStatus(admin, 403);
      expect([await requestStatus(admin, '/v1/me'), await requestStatus(admin, '/v1/info')]).toEqual([403, 200]);
    });

    it('of the audience is in force within 2 s', async () => {
      const { backend, world } = getScene();
      const { auth } = world.gateway().spec;
      await backend.apply(
        'AIGateway',
        world.gateway({ auth: { ...auth, oidc: { ...auth.oidc, audience: 'elsewhere' } } }),
      );
      await untilStatus(world.tokens.admin, 401);
      expect(await requestStatus(await world.issuer.token({ roles: ['admin'], audience: 'elsewhere' }))).toBe(200);
    });

    it('of the issuer is in force within 2 s, also in the resource metadata', async () => {
      const { backend, first, world } = getScene();
      const other = await startIssuer();
      try {
        const { auth } = world.gateway().spec;
        const oidc = { ...auth.oidc, issuer: other.issuer, jwksUri: other.jwksUri };
        await backend.apply('AIGateway', world.gateway({ auth: { ...auth, oidc } }));
        await untilStatus(world.tokens.admin, 401);
        expect(await requestStatus(await other.token({ roles: ['admin'] }))).toBe(200);
        const metadata = await first.call('GET /.well-known/oauth-protected-resource');
        expect(metadata.body).toMatchObject({ authorization_servers: [other.issuer] });
      } finally {
        await other.close();
      }
    });

    it('to an issuer that is no URL makes every operation 503 and the service not ready, and names the field', async () => {
      const { backend, world } = getScene();
      const { auth } = world.gateway().spec;
      const oidc = { ...auth.oidc, issuer: 'https://id.example.test:99999' };
      await backend.apply('AIGateway', world.gateway({ auth: { ...auth, oidc } }));
      await untilStatus(world.tokens.admin, 503);
      const reason = `${GATEWAY} cannot be used: /spec/auth/oidc/issuer must be a URL`;
      expect(await readiness()).toMatchObject({ status: 503, text: expect.stringContaining(reason) });
    });

    it('that deletes it makes every operation 503 and the service not ready, and names it', async () => {
      const { backend, first, world } = getScene();
      await backend.remove('AIGateway', GATEWAY);
      await untilStatus(world.tokens.admin, 503);
      const name = `${backend.namespace}/${GATEWAY}`;
      for (const token of [undefined, 'garbage', world.tokens.user]) {
        const answer = await first.call('GET /v1/info', token === undefined ? {} : { token });
        expect([answer.status, answer.body]).toMatchObject([
          503,
          { error: 'upstream_unavailable', violations: [{ message: expect.stringContaining(name) }] },
        ]);
      }
      expect(await readiness()).toMatchObject({ status: 503, text: expect.stringContaining(name) });
      const metadata = await first.call('GET /.well-known/oauth-protected-resource');
      expect(metadata.body).not.toHaveProperty('authorization_servers');
    });
  });

  describe('a service without its AIGateway', () => {
    it('starts, is not ready, and becomes ready when the AIGateway is there', async () => {
      const { backend, world } = getScene();
      const replica = await world.createReplica({ GATEWAY_NAME: 'gateway-late' });
      const ready = async () => (await fetch(`${replica.url}/readyz`)).status;
      await eventually(async () => {
        const { body } = await replica.call('GET /readyz');
        return JSON.stringify(body).includes('gateway-late does not exist');
      }, 'the readiness names the AIGateway');
      expect((await replica.call('GET /v1/info', { token: world.tokens.admin })).status).toBe(503);
      await backend.apply('AIGateway', { ...world.gateway(), metadata: { name: 'gateway-late' } });
      await eventually(async () => (await ready()) === 200, 'the service is ready', IN_FORCE_MS);
      expect((await replica.call('GET /v1/info', { token: world.tokens.admin })).status).toBe(200);
      await backend.remove('AIGateway', 'gateway-late');
      await replica.service.close();
    });
  });
}
