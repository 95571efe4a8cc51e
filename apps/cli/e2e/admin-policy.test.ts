import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-policy-'));
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
  const draft = ['create', 'demo', '--endpoint', 'https://mcp.example.com/mcp'];
  await platform.gatehouse.json('admin', 'connectors', ...draft);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.stop();
});

const call = (...args: string[]) => platform.gatehouse.call(['admin', 'policy', ...args]);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>('admin', 'policy', ...args);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

interface Policy {
  connector_id: string;
  mode: string;
  document: string;
  granted_user_groups: { id: string; name: string; display_name: string }[];
}

describe('gatehouse admin policy', () => {
  it('grants and revokes groups, switches to Cedar and back, and simulates decisions', async () => {
    const before = await json<Policy>('show', 'demo');
    expect(before.mode).toBe('structured');
    const { id } = await platform.gatehouse.json<{ id: string }>('admin', 'groups', 'create', 'Policy testers');
    const granted = await json<Policy>('grant', 'demo', '--group', 'policy-testers');
    expect(granted.granted_user_groups).toHaveLength(before.granted_user_groups.length + 1);
    expect(granted.granted_user_groups).toContainEqual({ id, name: 'policy-testers', display_name: 'Policy testers' });
    const asked = ['simulate', 'demo', 'call_tool', 'echo', '--group', 'policy-testers'];
    expect(await json(...asked)).toMatchObject({ decision: 'allow', errors: [] });

    expect((await call('document', 'demo', '--file', file('all.cedar', ''))).code).toBe(4);
    expect(await json<Policy>('cedar', 'demo')).toMatchObject({ mode: 'cedar', document: granted.document });
    const forbid = file('forbid.cedar', '@id("closed") forbid(principal, action, resource);\n');
    expect(await json(...asked, '--document', forbid)).toMatchObject({ decision: 'deny', policies: ['closed'] });
    expect(await json(...asked)).toMatchObject({ decision: 'allow' });
    expect((await call('document', 'demo', '--file', forbid)).code).toBe(0);
    expect((await call('document', 'demo')).stdout).toContain('@id("closed")');
    const wrong = await call('document', 'demo', '--file', file('wrong.cedar', 'permit(everybody);'));
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('line 1, column')]);
    const claims = file('claims.json', '{"email": 7}');
    expect(await json('simulate', 'demo', 'connect', '--user', 'alice', '--claims', claims)).toMatchObject({
      decision: 'deny',
      policies: ['closed'],
    });

    expect((await call('cedar', 'demo', '--off')).code).toBe(2);
    expect(await json<Policy>('cedar', 'demo', '--off', '--yes')).toEqual(granted);
    const revoked = await json<Policy>('revoke', 'demo', '--group', 'policy-testers', '--yes');
    expect(revoked.granted_user_groups).toEqual(before.granted_user_groups);
  });

  it('prints the schema, and reports missing arguments', async () => {
    expect((await call('schema')).stdout).toContain('entity User in [Group]');
    expect((await call('show', 'nothing')).stderr).toContain('There is no connector "nothing"');
    expect((await call('simulate', 'demo', 'connect')).code).toBe(2);
    expect((await call('simulate', 'demo', 'fly', '--user', 'alice')).code).toBe(2);
  });
});
