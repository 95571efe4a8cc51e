import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OnePasswordSecrets } from '../src/providers/one-password-secrets.ts';

const STAND_IN = fileURLToPath(new URL('op-stand-in.sh', import.meta.url));
const NAME = 'op://Private/GitHub/token';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-op-'));
  copyFileSync(STAND_IN, join(folder, 'op'));
  chmodSync(join(folder, 'op'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The provider with a stand-in for op. */
const open = (behaviour?: string, timeLimitMs?: number): OnePasswordSecrets =>
  new OnePasswordSecrets(
    {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      OP_STAND_IN: behaviour,
      OP_STAND_IN_ARGUMENTS: join(folder, 'arguments'),
    },
    timeLimitMs,
  );
const readArguments = () => readFileSync(join(folder, 'arguments'), 'utf8').trim().split('\n');

describe('1Password', () => {
  it('gives the value of a field as it is', async () => {
    expect(await open().get(NAME)).toBe('line one\nline two');
    expect(readArguments()).toEqual(['read', '--no-newline', '--', NAME]);
  });

  it('has no value for an unknown name', async () => {
    expect(await open().get('op://Private/None/token')).toBeUndefined();
  });

  it('passes a name with characters of a shell as one argument', async () => {
    const name = 'op://Private/$(touch x); `id`/to ken';
    expect(await open().get(name)).toBeUndefined();
    expect(readArguments().at(-1)).toBe(name);
  });

  it.each(['token', '--help', 'op://Private/GitHub', 'op:///GitHub/token', 'op://a/b/c/d/e'])(
    'does not have the name %j, which is not op://vault/item/field, and calls nothing',
    async (name) => {
      expect(await open('broken').get(name)).toBeUndefined();
      expect(open().describeChange(name)).toBe(`op://vault/item/field instead of ${name}`);
    },
  );

  it('lists items with their vaults', async () => {
    expect(await open().list()).toEqual(['op://Private/AWS', 'op://Private/GitHub']);
  });

  it.each([
    ['signed-out', 'The command op of 1Password is not signed in'],
    ['broken', 'The command op of 1Password failed'],
    ['hang', 'The command op of 1Password did not answer within 0.5 s'],
    ['flood', 'The command op of 1Password wrote more than 8 MiB'],
    ['killed', 'The command op of 1Password was ended by a signal'],
  ])('reports a command that is %s, without its text', async (mode, message) => {
    const secrets = open(mode, mode === 'hang' ? 500 : 30_000);
    for (const call of [() => secrets.get(NAME), () => secrets.list()]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'one_password_failed', message });
      expect([String(failure), (failure as Error).cause]).toEqual([expect.not.stringContaining('canary'), undefined]);
    }
  });

  it('reports a list that is not JSON, without its text', async () => {
    const failure: unknown = await open('garbage')
      .list()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'one_password_failed', message: expect.stringContaining('not readable') });
    expect(String(failure)).not.toContain('canary');
  });

  it('reports a missing command with the place to get it', async () => {
    await expect(new OnePasswordSecrets({ PATH: '/nowhere' }).get(NAME)).rejects.toMatchObject({
      message: 'The command op of 1Password is not installed, or not in PATH',
      tryNext: [expect.stringContaining('https://developer.1password.com')],
    });
  });
});
