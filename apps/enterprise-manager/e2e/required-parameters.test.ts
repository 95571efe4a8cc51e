import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema?: { format?: string } }[];
  'x-roles'?: readonly string[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

describe('a required parameter that is missing', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  it('answers 400 with the name of the parameter, for every query parameter and header of the document', async () => {
    const reference = await fetch(`${manager.baseUrl}/api/doc/openapi.json`);
    const { paths } = (await reference.json()) as Document;
    const missing = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [], 'x-roles': roles = [] }]) =>
        parameters
          .filter(({ in: place, name, required }) => required && place !== 'path' && name !== 'If-Match')
          .map(({ in: place, name }) => ({ path, method, place, name, roles })),
      ),
    );
    expect(missing.length).toBeGreaterThan(10);
    for (const { path, method, name, roles } of missing) {
      const role = roles.includes('gateway') ? 'gateway' : roles.includes('admin') ? 'admin' : 'alice';
      const filled = path
        .replace('{gateway_id}', 'local')
        .replace(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000');
      const response = await fetch(`${manager.baseUrl}${filled}`, {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${manager.tokens[role]}` },
      });
      const body = (await response.json()) as { error: string };
      expect([path, response.status, body.error]).toEqual([path, 400, expect.stringContaining(`${name}: is required`)]);
    }
  });
});
