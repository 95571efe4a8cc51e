import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { sendRequest } from './crash-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const EXAMPLE = new URL('internal-app.ts', import.meta.url);
const DOCUMENT = new URL('../../../docs/internal-apps.md', import.meta.url);

describe('docs/internal-apps.md', () => {
  let manager: TestManager;
  let app: (typeof import('./internal-app.ts'))['app'];

  beforeAll(async () => {
    manager = await startManager();
    Object.assign(process.env, {
      MANAGER_URL: manager.baseUrl,
      ISSUER: manager.issuer.issuer,
      AUDIENCE: manager.issuer.audience,
    });
    ({ app } = await import('./internal-app.ts'));
  });
  afterAll(async () => {
    await app.close();
    await manager.close();
  });

  const requestGroups = async (authorization?: string) =>
    fetch(`${await app.getUrl()}/my-groups`, { headers: authorization === undefined ? {} : { authorization } });

  it('contains the file that this test compiles and runs', () => {
    const [, code] = /```ts\n([^]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
    expect(code).toBe(readFileSync(EXAMPLE, 'utf8'));
    expect(code!.trimEnd().split('\n').length).toBeLessThanOrEqual(32);
  });

  it('returns the groups that contain the user', async () => {
    const { id } = await sendRequest(manager, 'POST', '/v1/groups', { display_name: 'Engineers' });
    await manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = $2', [id, 'alice']);
    const response = await requestGroups(`Bearer ${manager.tokens.alice}`);
    expect([response.status, await response.json()]).toMatchObject([200, [{ id, display_name: 'Engineers' }]]);
  });

  it('answers 401 to a request without a token, and to a token that is not valid', async () => {
    expect([(await requestGroups()).status, (await requestGroups('Bearer nonsense')).status]).toEqual([401, 401]);
  });
});
