import { describe, expect, it } from '@jest/globals';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

interface Line {
  message: string;
  audit?: Record<string, unknown>;
}

/** A value that no line of the log may contain. */
const CANARY = 'canary-5b81';

/** Defines the tests of the lines of the log. */
export function describeAuditLines(getScene: () => Scene): void {
  /** The audit line of a request. */
  const findAuditRecords = (requestId: string) =>
    getScene()
      .world.lines.map((line) => JSON.parse(line) as Line)
      .filter(({ message, audit }) => message === 'audit' && audit?.['requestId'] === requestId)
      .map(({ audit }) => audit);
  const headers = (requestId: string, more: Record<string, string> = {}) => ({ 'x-request-id': requestId, ...more });

  describe('the audit log', () => {
    it('has one line for each write: who, what, which fields, with the request id', async () => {
      const { first, world } = getScene();
      const token = await world.issuer.token({ subject: 'editor-1', roles: ['admin'] });
      const who = { issuer: world.issuer.issuer, subject: 'editor-1' };
      const body = createPolicy('audited', { description: CANARY });
      const created = await first.call('POST /v1/policies', { token, body, headers: headers('audit-create') });
      expect(findAuditRecords('audit-create')).toMatchObject([
        {
          ...who,
          outcome: 'allowed',
          verb: 'create',
          name: 'audited',
          changed: ['/spec/gatewayRef', '/spec/principalMatchers', '/spec/description'],
          status: 201,
        },
      ]);
      const patched = await first.call('PATCH /v1/policies/{name}', {
        token,
        path: { name: 'audited' },
        body: { spec: { description: `${CANARY}-2`, principalMatchers: [{ claims: { groups: 'staff' } }] } },
        headers: headers('audit-patch', { 'if-match': created.headers.get('etag') ?? '' }),
      });
      expect(findAuditRecords('audit-patch')).toMatchObject([
        { verb: 'patch', changed: ['/spec/description'], status: 200 },
      ]);
      await first.call('DELETE /v1/policies/{name}', {
        token,
        path: { name: 'audited' },
        headers: headers('audit-delete', { 'if-match': patched.headers.get('etag') ?? '' }),
      });
      expect(findAuditRecords('audit-delete')).toMatchObject([
        { ...who, verb: 'delete', name: 'audited', status: 204 },
      ]);
    });

    it('has one line for each refused write and each 403, and none for a refused read', async () => {
      const { first, world } = getScene();
      const { admin, user } = world.tokens;
      await first.call('GET /v1/policies', { token: user, headers: headers('audit-403') });
      expect(findAuditRecords('audit-403')).toMatchObject([
        { outcome: 'refused', verb: 'list', status: 403, code: 'forbidden' },
      ]);
      await first.call('POST /v1/policies', { token: user, body: {}, headers: headers('audit-403-write') });
      expect(findAuditRecords('audit-403-write')).toMatchObject([{ verb: 'create', status: 403 }]);
      await first.call('POST /v1/policies', { token: admin, body: {}, headers: headers('audit-422') });
      expect(findAuditRecords('audit-422')).toMatchObject([
        { verb: 'create', status: 422, code: 'validation_failed', fields: ['/metadata/name', '/spec'] },
      ]);
      await first.call('POST /v1/policies', { token: admin, raw: { body: '{' }, headers: headers('audit-400') });
      expect(findAuditRecords('audit-400')).toMatchObject([{ verb: 'create', status: 400 }]);
      const path = { name: 'no-such-policy' };
      await first.call('DELETE /v1/policies/{name}', { token: admin, path, headers: headers('audit-404') });
      expect(findAuditRecords('audit-404')).toMatchObject([{ verb: 'delete', name: 'no-such-policy', status: 404 }]);
      await first.call('GET /v1/policies/{name}', { token: admin, path, headers: headers('audit-read') });
      await first.call('GET /v1/policies', { headers: headers('audit-401') });
      expect([...findAuditRecords('audit-read'), ...findAuditRecords('audit-401')]).toEqual([]);
    });
  });
}

/** Defines the test of the lines that all other tests have caused. Call it last. */
export function describeLogSecrets(getScene: () => Scene): void {
  describe('the log', () => {
    it('contains no token, no key and no value of a policy in any line', () => {
      const { world } = getScene();
      const secrets = [...Object.values(world.tokens), CANARY, 'k'.repeat(32), 'eyJ'];
      expect(world.lines.length).toBeGreaterThan(100);
      expect(world.lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
    });
  });
}
