import { describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { request } from 'node:http';
import { GATEWAY } from '../support/gateway.ts';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

/** Defines the tests of create, read, patch and delete of one policy. */
export function describePolicies(getScene: () => Scene): void {
  const admin = () => getScene().world.tokens.admin;
  const create = (name: string, spec: Partial<AIPolicy['spec']> = {}) =>
    getScene().first.call<AIPolicy>('POST /v1/policies', { token: admin(), body: createPolicy(name, spec) });
  const read = (name: string) =>
    getScene().first.call<AIPolicy>('GET /v1/policies/{name}', { token: admin(), path: { name } });
  const patch = (name: string, ifMatch: string | undefined, body: unknown) =>
    getScene().first.call<AIPolicy>('PATCH /v1/policies/{name}', {
      token: admin(),
      path: { name },
      body,
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const remove = (name: string, ifMatch?: string) =>
    getScene().first.call('DELETE /v1/policies/{name}', {
      token: admin(),
      path: { name },
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const readETag = ({ headers }: { headers: Headers }): string => headers.get('etag') ?? '';

  describe('POST /v1/policies', () => {
    it('stores the policy with its status and returns ETag and Location', async () => {
      const { world } = getScene();
      const answer = await create('created', { description: 'first' });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe('/v1/policies/created');
      expect(answer.body).toMatchObject({
        apiVersion: 'gatehouse.dev/v1alpha1',
        kind: 'AIPolicy',
        metadata: { name: 'created', namespace: world.backend.namespace, generation: 1 },
        spec: createPolicy('created', { description: 'first' }).spec,
        status: { observedGeneration: 1, appliedToSecurityPolicy: '' },
      });
      expect(readETag(answer)).toBe(`"${answer.body.metadata.resourceVersion}"`);
      expect(await world.read('created')).toEqual(answer.body);
      const again = await read('created');
      expect([again.body, readETag(again)]).toEqual([answer.body, readETag(answer)]);
    });

    it('ignores the namespace, the status and the metadata of the server', async () => {
      const { world, first } = getScene();
      const foreign = {
        namespace: 'others',
        uid: 'x',
        resourceVersion: '1',
        generation: 7,
        creationTimestamp: '2001-01-01T00:00:00Z',
        managedFields: [],
        selfLink: '/x',
      };
      const { metadata, spec } = createPolicy('imported');
      const body = { metadata: { ...foreign, ...metadata, labels: { team: 'a' } }, spec, status: 'none' };
      const answer = await first.call<AIPolicy>('POST /v1/policies', { token: admin(), body });
      expect([answer.status, answer.body.metadata]).toMatchObject([
        201,
        { namespace: world.backend.namespace, generation: 1, labels: { team: 'a' } },
      ]);
      expect(answer.body.metadata).not.toMatchObject({ uid: 'x' });
      expect(answer.body.metadata).not.toHaveProperty('managedFields');
    });

    it('answers 409 for a name that exists and keeps the stored policy', async () => {
      const { world } = getScene();
      await create('repeated');
      const before = await world.digest();
      const answer = await create('repeated', { description: 'other' });
      expect([answer.status, answer.body]).toMatchObject([409, { error: 'already_exists' }]);
      expect(await world.digest()).toBe(before);
    });

    it('accepts a policy for a gateway that does not exist, and its status says so', async () => {
      const answer = await create('waiting', { gatewayRef: { name: 'later' } });
      expect([answer.status, answer.body.status?.conditions]).toMatchObject([
        201,
        [{ type: 'Accepted', status: 'False', reason: 'GatewayNotFound' }, { type: 'ResolvedRefs' }],
      ]);
    });
  });

  describe('PATCH /v1/policies/{name}', () => {
    it.each(['application/json', 'application/merge-patch+json'])(
      'merges a patch of the type %s',
      async (contentType) => {
        const { first } = getScene();
        const name = `merged-${contentType.replace(/[^a-z]/g, '-')}`;
        const created = await create(name, { description: 'old', mcpPolicy: { servers: ['search'] } });
        const body = JSON.stringify({
          status: { observedGeneration: 99 },
          metadata: { resourceVersion: '1' },
          spec: { description: 'new', principalMatchers: [{ claims: { groups: 'other' } }], mcpPolicy: null },
        });
        const answer = await first.call<AIPolicy>('PATCH /v1/policies/{name}', {
          token: admin(),
          path: { name },
          headers: { 'if-match': readETag(created) },
          raw: { body, contentType },
        });
        expect([answer.status, answer.body.spec]).toEqual([
          200,
          { gatewayRef: { name: GATEWAY }, description: 'new', principalMatchers: [{ claims: { groups: 'other' } }] },
        ]);
        expect(answer.body).toMatchObject({ metadata: { generation: 2 }, status: { observedGeneration: 2 } });
        expect([readETag(answer), (await read(name)).body]).toEqual([
          `"${answer.body.metadata.resourceVersion}"`,
          answer.body,
        ]);
      },
    );

    it('keeps the policy and its ETag for a patch that changes nothing', async () => {
      const created = await create('unchanged', { description: 'same' });
      for (const body of [{}, { spec: {} }, { spec: { description: 'same' } }, { spec: { mcpPolicy: null } }]) {
        const answer = await patch('unchanged', readETag(created), body);
        expect([answer.status, readETag(answer), answer.body]).toEqual([200, readETag(created), created.body]);
      }
    });

    it('needs the current ETag: 428 without If-Match, 412 for another version', async () => {
      const { world } = getScene();
      const created = await create('guarded');
      const body = { spec: { description: 'x' } };
      expect((await patch('guarded', undefined, body)).body).toMatchObject({ error: 'precondition_required' });
      for (const stale of ['"0"', '""', `W/${readETag(created)}`, '"1", "2"']) {
        const answer = await patch('guarded', stale, body);
        expect([stale, answer.status, answer.body]).toMatchObject([stale, 412, { error: 'precondition_failed' }]);
      }
      expect((await patch('guarded', readETag(created).slice(1), body)).status).toBe(400);
      expect(await world.read('guarded')).toEqual(created.body);
      expect((await patch('guarded', `"0", ${readETag(created)}`, body)).status).toBe(200);
      expect((await patch('guarded', '*', { spec: { description: 'y' } })).body.spec.description).toBe('y');
    });

    it('checks existence before the precondition, and the precondition before the body', async () => {
      const created = await create('ordered');
      const bad = { spec: { budgets: [] } };
      expect((await patch('no-such-policy', undefined, bad)).status).toBe(404);
      expect((await patch('ordered', undefined, bad)).status).toBe(428);
      expect((await patch('ordered', '"0"', bad)).status).toBe(412);
      expect((await patch('ordered', readETag(created), bad)).status).toBe(422);
    });
  });

  describe('DELETE /v1/policies/{name}', () => {
    it('deletes the version that If-Match names', async () => {
      const { world } = getScene();
      const created = await create('removed');
      expect((await remove('removed')).body).toMatchObject({ error: 'precondition_required' });
      expect((await remove('removed', '"0"')).body).toMatchObject({ error: 'precondition_failed' });
      expect((await remove('removed', readETag(created))).status).toBe(204);
      expect([(await read('removed')).status, await world.read('removed')]).toEqual([404, undefined]);
      expect((await remove('removed', readETag(created))).body).toMatchObject({ error: 'not_found' });
    });

    it('deletes every version with If-Match: *', async () => {
      await create('removed-in-any-state');
      expect((await remove('removed-in-any-state', '*')).status).toBe(204);
    });

    it('permits the same name again, as another policy', async () => {
      const before = await create('recreated');
      await remove('recreated', readETag(before));
      const after = await create('recreated', { description: 'second' });
      expect(after.body.metadata.uid).not.toBe(before.body.metadata.uid);
      expect((await read('recreated')).body).toEqual(after.body);
    });
  });

  describe('a path with an encoded name', () => {
    it.each(['%2E%2E', '%2e%2e%2fsecrets', '..%2Faigateways%2Fgateway-a', 'a%00b', '%F0%9F%92%A9'])(
      'of %s finds no policy and nothing else',
      async (name) => {
        const { first, world } = getScene();
        const before = await world.digest();
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const status = await sendRaw(`${first.url}/v1/policies/`, name, method, admin());
          expect([method, [400, 404].includes(status)]).toEqual([method, true]);
        }
        expect(await world.digest()).toBe(before);
      },
    );
  });

  describe('GET /v1/policies/{name}', () => {
    it.each(['no-such-policy', 'Not_A_Name', '..', 'a/b', 'ü', 'x'.repeat(300)])(
      'answers 404 for the name %j',
      async (name) => {
        expect([(await read(name)).status, (await remove(name, '*')).status]).toEqual([404, 404]);
      },
    );
  });
}

/** Sends a request whose path is not normalized, as `fetch` would do. @returns the status */
const sendRaw = (base: string, name: string, method: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(base);
    const headers = { authorization: `Bearer ${token}`, 'if-match': '*', 'content-type': 'application/json' };
    const outgoing = request({ hostname, port, path: `${pathname}${name}`, method, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject).end(method === 'PATCH' ? '{"spec":{"description":"x"}}' : undefined);
  });
