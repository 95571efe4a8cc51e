import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-admin-'));
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(async () => {
  await platform.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
/** Runs a command with a text as its standard input. */
const feed = (text: string, ...args: string[]): Promise<Ended> => platform.gatehouse.begin(args, {}, text).ended;
/** Runs a command as another user, with a token of the platform. */
const as = async (user: string, ...args: string[]): Promise<Ended> => {
  const token = (await platform.gatehouse.ok('token', '--user', user)).trim();
  return platform.gatehouse.call(args, { GATEHOUSE_TOKEN: token });
};
const file = (name: string, text: string): string => {
  writeFileSync(join(scratch, name), text, { mode: 0o600 });
  return join(scratch, name);
};
interface Named {
  id: string;
  name: string;
}

describe('gatehouse admin users', () => {
  it('lists users as a table and as JSON, up to a limit', async () => {
    const { stdout, stderr } = await call('admin', 'users', 'list', '--limit', '2');
    expect(stdout.split('\n')[0]).toMatch(/^USER NAME +DISPLAY NAME +E-MAIL +SOURCE +ACTIVE +ID$/);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toBe('Only the first 2 are shown; --all shows all\n');
    const all = await json<{ user_name: string }[]>('admin', 'users', 'list', '--all');
    expect(all.map(({ user_name: name }) => name)).toEqual(['admin', 'auditor', 'alice', 'bob', 'carol']);
    expect(await json('admin', 'users', 'list', '--search', 'AUDI')).toHaveLength(1);
    expect(await json('admin', 'users', 'list', '--inactive')).toEqual([]);
    expect((await call('admin', 'users', 'list', '--inactive')).stderr).toBe('No users\n');
    expect(await json('admin', 'users', 'list', '--active')).toHaveLength(5);
    expect(await json('admin', 'users', 'list', '--source', 'scim')).toEqual([]);
    expect(await json('admin', 'users', 'list', '--user-name', 'Bob')).toHaveLength(1);
    expect(await json('admin', 'users', 'list', '--email', 'carol@example.test')).toHaveLength(1);
  });

  it('shows a user by user name, e-mail or id', async () => {
    const alice = await json<{ id: string }>('admin', 'users', 'get', 'alice');
    expect(await json('admin', 'users', 'get', 'alice@example.test')).toEqual(alice);
    expect(await json('admin', 'users', 'get', alice.id)).toEqual(alice);
    expect((await call('admin', 'users', 'get', 'alice')).stdout).toMatch(/^email +alice@example\.test$/m);
  });

  it.each([
    [['admin', 'users', 'get', 'unknown'], 1, 'There is no user "unknown"'],
    [['admin', 'users', 'get', '01890000-0000-7000-8000-000000000000'], 1, 'Try:'],
    [['admin', 'users', 'get'], 2, 'Give the user'],
    [['admin', 'users', 'list', '--limit', '0'], 2, 'limit'],
    [['admin', 'users', 'list', '--limit', '5', '--all'], 2, '--all'],
    [['admin', 'users', 'list', '--active', '--inactive'], 2, 'inactive'],
    [['admin', 'users', 'lst'], 2, 'gatehouse admin users list'],
    [['admin', 'users', 'list', '--url', 'http://evil.test'], 2, 'must begin with https://'],
    [['admin', 'users', 'list', '--url', 'ftp://evil.test'], 2, '--url must be an address'],
    [['admin', 'users', 'list', '--url', 'https://a:b@evil.test'], 2, 'without a name'],
    [['admin', 'users', 'list', '--url', 'http://127.0.0.1:1'], 1, 'not signed in to http://127.0.0.1:1'],
  ])('%j: exit code %d', async (args, exit, sentence) => {
    const { code, stdout, stderr } = await call(...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('gatehouse admin groups', () => {
  it('creates, shows, changes and deletes a group', async () => {
    const { id } = await json<Named>('admin', 'groups', 'create', 'Night Shift', '--description', 'on call');
    expect(await json('admin', 'groups', 'get', 'night-shift')).toMatchObject({
      id,
      description: 'on call',
      members: [],
    });
    expect(await json('admin', 'groups', 'get', 'night SHIFT')).toMatchObject({ id });
    expect(await json('admin', 'groups', 'update', id, '--name', 'Day Shift')).toMatchObject({
      display_name: 'Day Shift',
    });
    expect(await json('admin', 'groups', 'update', id, '--description', '')).toMatchObject({ description: '' });
    expect((await call('admin', 'groups', 'list')).stdout).toMatch(/Day Shift +local +0 +/);
    const refused = await call('admin', 'groups', 'delete', 'Day Shift');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await json('admin', 'groups', 'delete', 'Day Shift', '--yes')).toEqual({ id, status: 'deleted' });
    expect((await call('admin', 'groups', 'delete', 'Day Shift', '-y')).code).toBe(1);
  });

  it('changes members, and lists all pages of them', async () => {
    await json('admin', 'groups', 'create', 'Outer');
    const inner = await json<Named>('admin', 'groups', 'create', 'Inner');
    expect(await json('admin', 'groups', 'add-subgroup', 'outer', 'inner')).toMatchObject({ display_name: 'Outer' });
    for (const user of ['alice', 'bob', 'carol']) await json('admin', 'groups', 'add-user', 'inner', user);
    expect((await call('admin', 'groups', 'add-user', 'outer', 'alice')).stderr).toBe('alice is in Outer (users: 3)\n');
    const members = await json<{ direct_child_groups: Named[]; transitive_users: { user_name: string }[] }>(
      ...['admin', 'groups', 'members', 'outer', '--all'],
    );
    expect(members.direct_child_groups.map(({ id }) => id)).toEqual([inner.id]);
    expect(members.transitive_users.map(({ user_name: name }) => name).sort()).toEqual(['alice', 'bob', 'carol']);
    const part = await call('admin', 'groups', 'members', 'inner', '--limit', '2');
    expect(part.stdout).toMatch(/^TYPE +NAME +ID\nuser/);
    expect(part.stderr).toContain('--all');
    expect((await call('admin', 'groups', 'members', 'outer', '--search', 'bo')).stdout).toContain('bob');
    expect(await json<Named[]>('admin', 'users', 'groups', 'bob')).toHaveLength(2);
    expect(await call('admin', 'groups', 'add-subgroup', 'inner', 'outer')).toMatchObject({ code: 4, stdout: '' });
    expect((await call('admin', 'groups', 'remove-user', 'outer', 'alice', '--yes')).code).toBe(0);
    expect(await json('admin', 'groups', 'remove-subgroup', 'outer', 'inner', '--yes')).toMatchObject({
      transitive_member_count: 0,
    });
    expect((await call('admin', 'groups', 'members', 'outer')).stderr).toBe('No members\n');
  });

  it.each([
    [['create', 'x\u0000y'], 2],
    [['create', ''], 2],
    [['update', 'inner'], 2],
    [['get', 'ghost'], 1],
    [['add-user', 'inner', 'ghost'], 1],
    [['add-user', 'ghost', 'alice'], 1],
    [['remove-user', 'inner'], 2],
  ])('%j: exit code %d and a sentence', async (args, exit) => {
    const { code, stdout, stderr } = await call(
      'admin',
      'groups',
      ...args.map((word) => word.replace('\u0000', '\u0001')),
    );
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(/^Error: /);
  });

  it('escapes control characters in a name', async () => {
    const name = 'right\u202eto\u2066left';
    const { code } = await call('admin', 'groups', 'create', name);
    const { stdout } = await call('admin', 'groups', 'list', '--all');
    expect(stdout).not.toMatch(/[\u202e\u2066]/);
    if (code === 0) expect(stdout).toContain('right\\u202eto');
  });
});

describe('gatehouse admin audit', () => {
  it('lists events, newest first, with every filter', async () => {
    await json('admin', 'groups', 'create', 'Audited');
    const [event] = await json<Record<string, unknown>[]>('admin', 'audit', '--limit', '1');
    expect(event).toMatchObject({ operation: 'Create group', outcome: 'succeeded', object_kind: 'group' });
    const { request_id: request, issuer, subject, object_id: object } = event as Record<string, string>;
    const same = ['--request-id', request ?? '', '--issuer', issuer ?? '', '--subject', subject ?? ''];
    const what = ['--object-kind', 'group', '--object-id', object ?? '', '--operation', 'Create group'];
    expect(await json('admin', 'audit', ...same, ...what, '--outcome', 'succeeded', '--from', '1h')).toEqual([event]);
    expect(await json('admin', 'audit', '--request-id', request ?? '', '--to', '1h')).toEqual([]);
    expect(await json('admin', 'audit', '--request-id', request ?? '', '--from', '2999-01-01T00:00:00Z')).toEqual([]);
    expect((await call('admin', 'audit', '--limit', '1')).stdout).toMatch(/^TIME +OUTCOME +OPERATION/);
    expect((await call('admin', 'audit', '--from', 'yesterday')).code).toBe(2);
    expect((await call('admin', 'audit', '--outcome', 'maybe')).code).toBe(2);
  });

  it('lists a refused request, which exits with code 5', async () => {
    const refused = await as('alice', 'admin', 'groups', 'create', 'Mine');
    expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('not a directory admin') });
    expect(
      await json<object[]>('admin', 'audit', '--outcome', 'forbidden', '--operation', 'Create group'),
    ).toHaveLength(1);
    expect((await as('auditor', 'admin', 'audit', '--limit', '1')).code).toBe(0);
  });
});

describe('gatehouse keys', () => {
  it('prints the secret of a new key only to stdout, and only once', async () => {
    const { stdout, stderr } = await call('keys', 'create', '--name', 'laptop', '--ttl', '1h', '--label', 'team=a=b');
    expect(stdout).toMatch(/^gh_[^\s]+\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(stderr).toMatch(/OPENAI_BASE_URL=http:.*\/v1 OPENAI_API_KEY=\$GATEHOUSE_KEY\n/);
    const [key] = await json<{ id: string; metadata: object; expires_at: string }[]>('keys', 'list');
    expect(key?.metadata).toEqual({ team: 'a=b' });
    expect(Date.parse(key?.expires_at ?? '') - Date.now()).toBeLessThan(3_600_000);
    for (const args of [['list'], ['get', 'laptop'], ['get', 'laptop', '--json'], ['list', '--json']]) {
      expect((await call('keys', ...args)).stdout).not.toContain(stdout.trim());
    }
  });

  it('shows how clients of models use a new key', async () => {
    const environment = { GATEHOUSE_AI_GATEWAY_URL: 'https://ai.example.com/' };
    const { stderr } = await platform.gatehouse.call(['keys', 'create', '--name', 'shown'], environment);
    expect(stderr).toContain('export OPENAI_BASE_URL=https://ai.example.com/v1 OPENAI_API_KEY=$GATEHOUSE_KEY\n');
    expect(stderr).toContain('ANTHROPIC_BASE_URL=https://ai.example.com ANTHROPIC_AUTH_TOKEN=$GATEHOUSE_KEY\n');
    expect(stderr).toContain('base_url="https://ai.example.com/v1",env_key="GATEHOUSE_KEY"');
  });

  it('rotates, disables, enables and revokes a key', async () => {
    const { key, secret } = await json<{ key: Named; secret: string }>('keys', 'create', '--name', 'ci');
    expect(secret).toContain(key.id);
    const rotated = await call('keys', 'rotate', 'ci');
    expect(rotated.stdout).toMatch(/^gh_/);
    expect(rotated.stdout.trim()).not.toBe(secret);
    expect(rotated.stderr).toContain('works until');
    expect(await json('keys', 'disable', key.id)).toEqual({ id: key.id, status: 'disabled' });
    expect(await call('keys', 'rotate', 'ci')).toMatchObject({ code: 4, stdout: '' });
    expect((await call('keys', 'enable', 'ci')).stderr).toBe(`Key ${key.id} (ci) is enabled\n`);
    expect((await call('keys', 'revoke', 'ci')).code).toBe(2);
    expect(await json('keys', 'revoke', 'ci', '--yes')).toEqual({ id: key.id, status: 'revoked' });
    expect(await call('keys', 'enable', key.id)).toMatchObject({ code: 4 });
    expect(await call('keys', 'enable', 'ci')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no key "ci"'),
    });
  });

  it('refuses an ambiguous name of a key', async () => {
    await json('keys', 'create', '--name', 'twin');
    await json('keys', 'create', '--name', 'twin');
    expect(await call('keys', 'disable', 'twin')).toMatchObject({ code: 2, stderr: expect.stringContaining('2 keys') });
  });

  it.each([[['--ttl', 'soon']], [['--ttl', '1.5s']], [['--ttl=-1s']], [['--label', 'x']], [['--name', '']]])(
    'refuses %j',
    async (flags) => expect(await call('keys', 'create', ...flags)).toMatchObject({ code: 2, stdout: '' }),
  );

  it('lists, disables and enables the keys of a user for an administrator', async () => {
    const made = await as('bob', 'keys', 'create', '--name', 'bobs', '--json');
    const { key } = JSON.parse(made.stdout) as { key: Named };
    expect(await json<Named[]>('admin', 'users', 'keys', 'bob')).toMatchObject([{ id: key.id, status: 'active' }]);
    expect((await call('admin', 'users', 'disable-key', 'bob', key.id)).code).toBe(2);
    expect(await json('admin', 'users', 'disable-key', 'bob', key.id, '--yes')).toMatchObject({ status: 'disabled' });
    expect(await as('bob', 'keys', 'enable', 'bobs')).toMatchObject({ code: 4 });
    expect(await json('admin', 'users', 'enable-key', 'bob', key.id)).toMatchObject({ status: 'enabled' });
    expect((await as('bob', 'keys', 'list')).stdout).toContain('active');
  });
});

describe('gatehouse admin users', () => {
  it('deactivates a user after a question, with its keys, and activates it again', async () => {
    await as('bob', 'keys', 'create', '--name', 'switched');
    const status = async () => {
      const keys = await json<{ name: string; status: string }[]>('admin', 'users', 'keys', 'bob');
      return keys.find(({ name }) => name === 'switched')?.status;
    };
    expect((await call('admin', 'users', 'deactivate', 'bob')).code).toBe(2);
    expect(await json('admin', 'users', 'deactivate', 'bob', '--yes')).toMatchObject({ status: 'deactivated' });
    expect(await json('admin', 'users', 'get', 'bob')).toMatchObject({ active: false });
    expect([await status(), (await as('bob', 'keys', 'list')).code]).toEqual(['disabled', 5]);
    expect(await json('admin', 'users', 'activate', 'bob')).toMatchObject({ status: 'active' });
    expect(await status()).toBe('active');
  });
});

describe('gatehouse admin secrets', () => {
  const value = 'planted-value-7f3a';

  it('reads values from standard input and files, and never shows them', async () => {
    const created = await feed(`${value}\n`, 'admin', 'secrets', 'create', 'github-token', '--json');
    expect(created).toMatchObject({ code: 0 });
    const { id } = JSON.parse(created.stdout) as Named;
    expect(await json('admin', 'secrets', 'get', 'GitHub-Token')).toMatchObject({ id, version: 1 });
    const path = file('next', `${value}-2`);
    expect(await json('admin', 'secrets', 'rotate', 'github-token', '--file', path)).toMatchObject({ version: 2 });
    const shown = await Promise.all([
      call('admin', 'secrets', 'list'),
      call('admin', 'secrets', 'list', '--json'),
      call('admin', 'secrets', 'get', id),
      feed(value, 'admin', 'secrets', 'create', 'github-token', '--debug'),
      feed(value, 'admin', 'secrets', 'rotate', 'no-such-secret', '--debug'),
    ]);
    for (const { stdout, stderr } of [created, ...shown]) expect(stdout + stderr).not.toContain(value);
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 4, 1]);
    expect((await call('admin', 'secrets', 'delete', 'github-token')).code).toBe(2);
    expect(await json('admin', 'secrets', 'delete', 'github-token', '--yes')).toEqual({ id, status: 'deleted' });
  });

  it.each([
    [['admin', 'secrets', 'create', 'x', '--value', 'y'], 'Unknown flag --value'],
    [['admin', 'secrets', 'create', 'x', '--file', '/nonexistent'], 'cannot be read'],
    [['admin', 'secrets', 'create', 'x', '--file', '/dev/zero'], 'cannot be read'],
    [['admin', 'secrets', 'create', 'x'], 'is empty'],
  ])('refuses %j: %s', async (args, sentence) => {
    expect(await call(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  it('shows the key-encryption keys, and starts the rewrapping', async () => {
    expect(await json('admin', 'key-encryption', 'show')).toMatchObject({ current_version: expect.any(Number) });
    expect((await call('admin', 'key-encryption', 'show')).stdout).toMatch(/^VERSION +STATE +VALUES\n/);
    expect((await call('admin', 'key-encryption', 'rewrap')).code).toBe(0);
  });
});

describe('a given access token', () => {
  it('comes from the environment or a file, and has precedence over the session', async () => {
    const token = (await platform.gatehouse.ok('token', '--user', 'carol')).trim();
    const path = file('token', `${token}\n`);
    const manager = ['--url', platform.urls.enterprise_manager];
    const ways = await Promise.all([
      platform.gatehouse.call(['whoami', '--json'], { GATEHOUSE_TOKEN: token }),
      platform.gatehouse.call(['whoami', '--json'], { GATEHOUSE_TOKEN_FILE: path }),
      call('whoami', '--json', '--token-file', path, ...manager),
      platform.gatehouse.call(['whoami', '--json'], { GATEHOUSE_TOKEN: token, GATEHOUSE_URL: manager[1] }),
    ]);
    for (const { stdout } of ways) expect(JSON.parse(stdout)).toMatchObject({ user_name: 'carol' });
    expect(await json('whoami')).toMatchObject({ user_name: 'admin' });
  });

  it('is not shown when it is refused', async () => {
    const token = 'not.a.token';
    const { code, stderr } = await platform.gatehouse.call(['whoami', '--debug'], { GATEHOUSE_TOKEN: token });
    expect(code).toBe(1);
    expect(stderr).toContain('does not accept the access token');
    expect(stderr).not.toContain(token);
    const broken = await platform.gatehouse.call(['whoami', '--debug'], { GATEHOUSE_TOKEN: 'planted\ntoken' });
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).not.toContain('planted');
    expect(await call('whoami', '--token-file', file('bad', 'two words'))).toMatchObject({ code: 2 });
    expect(await call('whoami', '--token-file', '/nonexistent')).toMatchObject({ code: 2 });
  });

  it('is not stored in the home', () => {
    const sessions = readdirSync(join(platform.gatehouse.home, 'sessions'));
    for (const name of sessions) {
      expect(readFileSync(join(platform.gatehouse.home, 'sessions', name), 'latin1')).not.toContain('not.a.token');
    }
  });
});

describe('metadata', () => {
  it('of a user and of a group is written, shown and deleted', async () => {
    await json('admin', 'groups', 'create', 'Engineers');
    for (const [entity, name] of [
      ['users', 'alice'],
      ['groups', 'engineers'],
    ] as const) {
      const command = ['admin', entity, 'metadata'];
      expect((await call(...command, 'get', name)).code).toBe(1);
      expect(await feed('{"cost_centre": "42"}', ...command, 'set', name)).toMatchObject({ code: 0, stdout: '' });
      expect(JSON.parse((await call(...command, 'get', name)).stdout)).toEqual({ cost_centre: '42' });
      expect(await json(...command, 'get', name)).toMatchObject({ metadata: { cost_centre: '42' } });
      expect((await call(...command, 'delete', name)).code).toBe(2);
      expect(await json(...command, 'delete', name, '--yes')).toMatchObject({ status: 'deleted' });
      expect((await call(...command, 'get', name)).code).toBe(1);
    }
  });

  it('keeps the text of each number when it is written and read', async () => {
    const numbers = '{"half":0.1234567890123456789,"large":9007199254740993,"huge":1e400,"price":1.50}';
    await json('admin', 'groups', 'create', 'Exact');
    for (const [entity, name] of [
      ['users', 'carol'],
      ['groups', 'exact'],
    ] as const) {
      const command = ['admin', entity, 'metadata'];
      expect(await feed(numbers, ...command, 'set', name)).toMatchObject({ code: 0 });
      for (const more of [[], ['--json']]) {
        const { stdout } = await call(...command, 'get', name, ...more);
        for (const number of [
          '"half": 0.1234567890123456789',
          '"large": 9007199254740993',
          '"huge": 1e400',
          '"price": 1.50',
        ])
          expect(stdout).toContain(number);
      }
    }
  });

  it.each(['', '[]', '"x"', '{', 'null', JSON.stringify({ long: 'x'.repeat(70_000) })])(
    'is a JSON object within its limits, else nothing is written',
    async (text) => {
      const { code, stdout, stderr } = await feed(text, 'admin', 'users', 'metadata', 'set', 'bob');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^Error: /);
      expect((await call('admin', 'users', 'metadata', 'get', 'bob')).code).toBe(1);
    },
  );
});

describe('gatehouse admin scim-tokens', () => {
  it('prints a secret once on stdout, which works until it is revoked', async () => {
    const made = await call('admin', 'scim-tokens', 'create', 'entra', '--issuer', 'local');
    expect(made.stdout).toMatch(/^ghscim_\S+\n$/);
    const secret = made.stdout.trim();
    expect(made.stderr).not.toContain(secret);
    const [token] = await json<{ id: string; scim_url: string }[]>('admin', 'scim-tokens', 'list', '--issuer', 'local');
    const status = async (bearer: string): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${token?.scim_url ?? ''}/Users?count=1`, { headers });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status(secret)).toBe(200);
    const next = await call('admin', 'scim-tokens', 'rotate', 'entra', '--grace', '0s');
    expect(next.stderr).toContain('no longer valid');
    expect([await status(secret), await status(next.stdout.trim())]).toEqual([401, 200]);
    expect((await call('admin', 'scim-tokens', 'rotate', 'entra')).stderr).toContain('works until');
    for (const args of [['list'], ['list', '--json'], ['get', 'entra'], ['get', 'entra', '--json']]) {
      const { stdout } = await call('admin', 'scim-tokens', ...args);
      expect(stdout).toContain('entra');
      expect(stdout).not.toContain('ghscim_');
    }
    expect((await call('admin', 'scim-tokens', 'revoke', 'entra')).code).toBe(2);
    expect(await json('admin', 'scim-tokens', 'revoke', 'entra', '--yes')).toEqual({
      id: token?.id,
      status: 'revoked',
    });
    expect(await status(next.stdout.trim())).toBe(401);
    expect((await call('admin', 'scim-tokens', 'list')).stdout).toMatch(/entra +local +revoked/);
    expect(await call('admin', 'scim-tokens', 'rotate', 'entra')).toMatchObject({ code: 1 });
    expect(await call('admin', 'scim-tokens', 'rotate', token?.id ?? '')).toMatchObject({ code: 4, stdout: '' });
  });

  it.each([
    [['create', 'x'], 'issuer'],
    [['create', 'x', '--issuer', 'elsewhere'], 'issuer_id'],
    [['create', 'x', '--issuer', 'local', '--expires-at', 'soon'], 'expires_at'],
    [['rotate', 'x', '--grace', 'soon'], 'no token "x"'],
  ])('refuses %j and names %s', async (args, word) => {
    const { code, stdout, stderr } = await call('admin', 'scim-tokens', ...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(word);
  });
});

describe('gatehouse admin signing-keys', () => {
  it('lists the keys of the key set, and does not rotate to a key that was just published', async () => {
    const keys = await json<{ kid: string; state: string }[]>('admin', 'signing-keys', 'list');
    expect(keys.map(({ state }) => state)).toEqual(['next', 'current']);
    const { keys: shown } = (await (
      await fetch(`${platform.urls.enterprise_manager}/.well-known/jwks.json`)
    ).json()) as { keys: { kid: string }[] };
    expect(shown.map(({ kid }) => kid).sort()).toEqual(keys.map(({ kid }) => kid).sort());
    expect((await call('admin', 'signing-keys', 'list')).stdout).toMatch(/^KEY +STATE +CREATED/);
    expect((await call('admin', 'signing-keys', 'rotate')).code).toBe(2);
    expect(await call('admin', 'signing-keys', 'rotate', '--yes')).toMatchObject({ code: 4, stdout: '' });
  });

  it('withdraws a key at once, after a confirmation', async () => {
    const [next] = await json<{ kid: string }[]>('admin', 'signing-keys', 'list');
    const kid = next?.kid ?? '';
    // An id may begin with a hyphen.
    expect((await call('admin', 'signing-keys', 'withdraw', '--', kid)).code).toBe(2);
    expect((await call('admin', 'signing-keys', 'withdraw', '--yes', '--', kid)).code).toBe(0);
    const left = await json<{ kid: string; state: string }[]>('admin', 'signing-keys', 'list');
    expect(left.map(({ state }) => state)).toEqual(['next', 'current']);
    expect(left.map((key) => key.kid)).not.toContain(kid);
    expect((await call('admin', 'signing-keys', 'withdraw', '--yes', '--', kid)).code).not.toBe(0);
  });
});
