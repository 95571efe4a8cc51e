import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Ended } from './gatehouse.ts';
import { LocalPlatform } from './local-platform.ts';

jest.setTimeout(60_000);

let platform: LocalPlatform;
beforeAll(async () => {
  platform = await LocalPlatform.start();
  expect((await platform.login('admin')).code).toBe(0);
});
afterAll(() => platform.stop());

const call = (...args: string[]): Promise<Ended> => platform.gatehouse.call(args);
const json = <T>(...args: string[]): Promise<T> => platform.gatehouse.json<T>(...args);
const feed = (text: string, ...args: string[]): Promise<Ended> => platform.gatehouse.begin(args, {}, text).ended;

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
