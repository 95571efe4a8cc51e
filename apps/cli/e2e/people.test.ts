import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
let upstream: McpUpstream;
const call = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  platform.gatehouse.call(args, { GATEHOUSE_SESSION_STORE: 'file', ...env });
const ok = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await call(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await ok(...args, '--json')) as T;

beforeAll(async () => {
  platform = await LocalPlatform.start();
  upstream = await startMcpUpstream();
  expect((await platform.login('admin')).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await upstream.close();
});

describe('gatehouse whoami', () => {
  it('shows the roles of the token', async () => {
    expect(await ok('whoami')).toMatch(/^roles +admin, user$/m);
    expect(await json('whoami')).toMatchObject({ roles: ['admin', 'user'], groups: expect.any(Array) });
  });
});

describe('the advice for a refused token', () => {
  const wrong = 'not.a.token';

  it('contains the variable of the token', async () => {
    const { code, stderr } = await call(['whoami'], { GATEHOUSE_TOKEN: wrong });
    expect(code).toBe(1);
    expect(stderr).toContain('does not accept the access token of GATEHOUSE_TOKEN: ');
    expect(stderr).toContain('Try: GATEHOUSE_TOKEN with a token that this manager accepts');
    expect(stderr).toContain('unset GATEHOUSE_TOKEN, then gatehouse login');
    expect(stderr).not.toContain(wrong);
  });

  it('contains the variable of the file, or the flag', async () => {
    const file = join(platform.gatehouse.home, 'wrong-token');
    writeFileSync(file, wrong);
    expect((await call(['whoami'], { GATEHOUSE_TOKEN_FILE: file })).stderr).toContain('Try: GATEHOUSE_TOKEN_FILE with');
    expect((await call(['whoami', '--token-file', file])).stderr).toContain('Try: --token-file with');
    for (const [args, env, name] of [
      [[], { GATEHOUSE_TOKEN_FILE: '/nonexistent' }, 'GATEHOUSE_TOKEN_FILE /nonexistent cannot be read'],
      [['--token-file', '/nonexistent'], {}, '--token-file /nonexistent cannot be read'],
    ] as const) {
      expect(await call(['whoami', ...args], env)).toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
    }
  });

  it('contains GATEHOUSE_URL when this address does not answer', async () => {
    const { stderr } = await call(['whoami'], { GATEHOUSE_URL: 'http://127.0.0.1:1', GATEHOUSE_TOKEN: 'x' });
    expect(stderr).toContain('GATEHOUSE_URL with the address of the manager');
  });
});

describe('gatehouse admin audit, connections, keys and details', () => {
  beforeAll(async () => {
    await ok('admin', 'groups', 'create', 'auditees');
    await ok('admin', 'groups', 'add-user', 'auditees', 'alice');
    const endpoint = ['--endpoint', upstream.url, '--private-addresses', '--publish'];
    await ok('admin', 'connectors', 'create', 'demo', ...endpoint);
    await ok('admin', 'policy', 'grant', 'demo', '--group', 'auditees');
    await ok('admin', 'users', 'metadata', 'set', 'alice', '--file', metadataFile());
    expect((await platform.login('alice')).code).toBe(0);
    await ok('connectors', 'enable', 'demo');
    expect((await platform.login('admin')).code).toBe(0);
  }, 120_000);
  const metadataFile = () => {
    const file = join(platform.gatehouse.home, 'metadata.json');
    writeFileSync(file, '{"team":"a"}');
    return file;
  };

  it('show the names of the actor and of the object', async () => {
    const trail = await ok('admin', 'audit', '--limit', '20');
    expect(trail).toMatch(/^TIME +OUTCOME +OPERATION +BY +OBJECT/);
    expect(trail).toMatch(/ admin +group auditees/);
    expect(trail).toMatch(/ admin +user alice/);
  });

  it('show the events that a user caused, and those about the user', async () => {
    const about = await json<{ object_kind?: string; operation: string }[]>('admin', 'audit', '--user', 'alice');
    expect(about.length).toBeGreaterThan(0);
    expect(about.every(({ object_kind: kind }) => kind === 'user')).toBe(true);
    const by = await json<{ subject_id: string; occurred_at: string }[]>(
      'admin',
      'audit',
      '--user',
      'admin',
      '--limit',
      '3',
    );
    expect(by).toHaveLength(3);
    expect(by.map(({ occurred_at: at }) => at)).toEqual(
      by
        .map(({ occurred_at: at }) => at)
        .sort()
        .reverse(),
    );
    expect((await call(['admin', 'audit', '--user', 'unknown'])).stderr).toContain('There is no user "unknown"');
    expect((await call(['admin', 'audit', '--user', 'alice', '--subject', 'x'])).code).toBe(2);
  });

  it('list connections by connector and by user, with names', async () => {
    const row = /^CONNECTOR +USER +ENABLED.*\ndemo +alice +yes /;
    expect(await ok('admin', 'connections', 'list', 'demo')).toMatch(row);
    expect(await ok('admin', 'connections', 'list', '--user', 'alice')).toMatch(row);
    expect(await ok('admin', 'connections', 'list', 'demo', '--user', 'alice')).toMatch(row);
    expect(await json('admin', 'connections', 'list', '--user', 'bob')).toEqual([]);
    const [connection] = await json<{ id: string }[]>('admin', 'connections', 'ls', '--user', 'alice');
    expect(connection).not.toHaveProperty('connector');
    expect(await ok('admin', 'connections', 'get', connection?.id ?? '')).toMatch(/^user_name +alice$/m);
    expect(await call(['admin', 'connections', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give a connector or --user'),
    });
  });

  it('list the keys of all users, or of one user', async () => {
    expect((await platform.login('bob')).code).toBe(0);
    await ok('keys', 'create', '--name', 'laptop');
    expect((await platform.login('admin')).code).toBe(0);
    expect(await ok('admin', 'keys', 'list')).toMatch(/^USER +ID +NAME +STATUS.*\nbob +\S+ +laptop +active /);
    expect(await json('admin', 'keys', 'ls', '--user', 'bob')).toEqual([
      expect.objectContaining({ user_name: 'bob', name: 'laptop' }),
    ]);
    expect(await json('admin', 'keys', 'list', '--user', 'alice')).toEqual([]);
    expect(await json('admin', 'keys', 'list', '--status', 'revoked')).toEqual([]);
  });

  it('show details as a table and Cedar as lines', async () => {
    const shown = await ok('admin', 'policy', 'cedar', 'demo');
    expect(shown).toMatch(/^document\n {2}\S.*\n/m);
    expect(shown).not.toContain('\\u000a');
    expect(shown).toMatch(/^granted_user_groups\n {2}ID +.*NAME/m);
    const connector = await ok('admin', 'connectors', 'show', 'demo');
    expect(connector).toMatch(/^auth\.type +none$/m);
    expect(connector).not.toContain('{');
  });

  it('require --yes for a deletion without a terminal', async () => {
    for (const args of [
      ['policy', 'revoke', 'demo', '--group', 'auditees'],
      ['groups', 'remove-user', 'auditees', 'alice'],
      ['connectors', 'unpublish', 'demo'],
      ['pricing', 'unstage'],
    ]) {
      const { code, stderr } = await call(['admin', ...args]);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining('repeat the command with --yes')]);
    }
  });
});
