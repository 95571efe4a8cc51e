import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeScimToken } from './scim-scene.ts';

/** The parts of a documented operation that make a request. */
interface DescribedOperation {
  'x-roles'?: string[];
  parameters?: { in: string; name: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/**
 * Statuses of a request whose form is not that of the reference, or that no caller can send.
 */
const REFUSED_FORM = [400, 401, 403, 405, 413, 415, 500];

describe('GET /api/doc/openapi.json', () => {
  let manager: TestManager;
  let operations: { method: string; path: string; operation: DescribedOperation }[];
  let scimSecret: string;

  beforeAll(async () => {
    manager = await startManager();
    scimSecret = (await makeScimToken(manager)).secret;
    const served = await fetch(`${manager.baseUrl}/api/doc/openapi.json`);
    const { paths } = (await served.json()) as { paths: Record<string, Record<string, DescribedOperation>> };
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
  });
  afterAll(() => manager.close());

  const chooseToken = (path: string, roles: readonly string[] = []) => {
    if (path.startsWith('/scim/')) return scimSecret;
    if (roles.includes('gateway')) return manager.tokens.gateway;
    return roles.includes('admin') ? manager.tokens.admin : manager.tokens.alice;
  };

  it('shows only example bodies that the service accepts', async () => {
    const bodies = operations.flatMap(({ operation, ...rest }) =>
      Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({
        ...rest,
        operation,
        type,
        example,
      })),
    );
    expect(bodies.length).toBeGreaterThan(40);
    const refused: string[] = [];
    for (const { method, path, operation, type, example } of bodies) {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const given = operation.parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name);
        return encodeURIComponent(name === 'issuer_id' ? 'local' : String(given?.example));
      });
      const response = await fetch(`${manager.baseUrl}${filled}`, {
        method,
        headers: { authorization: `Bearer ${chooseToken(path, operation['x-roles'])}`, 'content-type': type },
        body: JSON.stringify(example),
      });
      const text = await response.text();
      if (REFUSED_FORM.includes(response.status)) refused.push(`${method} ${path}: ${response.status} ${text}`);
    }
    expect(refused).toEqual([]);
  });

  it('shows status and detail in the example of every SCIM failure', () => {
    const failures = operations
      .filter(({ path }) => path.startsWith('/scim/'))
      .flatMap(({ operation }) => Object.entries((operation as { responses: Record<string, unknown> }).responses))
      .filter(([status]) => Number(status) >= 400);
    expect(failures.length).toBeGreaterThan(100);
    for (const [status, response] of failures)
      expect(response).toMatchObject({
        content: { 'application/scim+json': { example: { status, detail: expect.stringMatching(/\w \w/) } } },
      });
  });
});
