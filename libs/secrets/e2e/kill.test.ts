import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EncryptedSecrets } from '../src/encrypted/encrypted-secrets.ts';

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url));
const OLD = 'old password';
const NEW = 'new password';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (password = OLD): EncryptedSecrets =>
  new EncryptedSecrets(folder, {
    password,
    passwordFile: undefined,
    keyring: () => Promise.reject(new Error('no keyring')),
    ask: undefined,
  });

/** Runs one write in a process and returns whether it was completed, before it was killed. */
async function write(...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [WRITER, folder, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the writer ended with ${code ?? signal ?? ''}`);
  return output.includes('done');
}

/** Kills a write before each of its steps, and calls `check` after each kill. */
async function killAtEachStep(args: readonly string[], check: () => Promise<void>): Promise<number> {
  for (let step = 0; ; step += 1) {
    if (await write(...args, String(step))) return step;
    await check();
  }
}

const MOST_TIME_MS = 180_000;

describe('a writer that is killed with SIGKILL before any step', () => {
  it(
    'leaves the old or the new secrets, and the next writer removes its remains',
    async () => {
      await open().create({ text: OLD, storage: 'environment' });
      await open().set('a', 'old');
      await open().set('other', 'kept');
      const steps = await killAtEachStep([OLD, 'set', 'a', 'new'], async () => {
        expect(['old', 'new']).toContain(await open().get('a'));
        expect(await open().get('other')).toBe('kept');
        await open().set('a', 'old');
        expect(readdirSync(folder).sort()).toEqual(['encrypted.json', 'encrypted.lock']);
      });
      expect(steps).toBeGreaterThan(6);
      expect(await open().get('a')).toBe('new');
    },
    MOST_TIME_MS,
  );

  it(
    'leaves a file that the old or the new password opens',
    async () => {
      await open().create({ text: OLD, storage: 'environment' });
      await open().set('a', 'kept');
      const readWith = (password: string) =>
        open(password)
          .get('a')
          .catch((error: unknown) => (error as { code: string }).code);
      await killAtEachStep([OLD, 'changePassword', '', NEW], async () => {
        const values = [await readWith(OLD), await readWith(NEW)];
        expect(values.sort()).toEqual(['kept', 'secrets_password_wrong']);
        if ((await readWith(NEW)) === 'kept') await open(NEW).changePassword({ text: OLD, storage: 'environment' });
      });
      expect([await readWith(OLD), await readWith(NEW)]).toEqual(['secrets_password_wrong', 'kept']);
    },
    MOST_TIME_MS,
  );

  it(
    'leaves no file or an empty one when it creates the file',
    async () => {
      await killAtEachStep([OLD, 'create', '', ''], async () => {
        if (open().exists()) expect(await open().list()).toEqual([]);
        rmSync(open().path, { force: true });
      });
      expect(await open().list()).toEqual([]);
    },
    MOST_TIME_MS,
  );
});

describe('writers at the same time', () => {
  it(
    'lose no secret of each other',
    async () => {
      await open().create({ text: OLD, storage: 'environment' });
      const names = Array.from({ length: 20 }, (_, at) => `name-${String(at).padStart(2, '0')}`);
      const done = await Promise.all(names.map((name) => write(OLD, 'set', name, `value of ${name}`)));
      expect(done).toEqual(names.map(() => true));
      const secrets = open();
      expect(await secrets.list()).toEqual(names);
      for (const name of names) expect(await secrets.get(name)).toBe(`value of ${name}`);
    },
    MOST_TIME_MS,
  );

  it('create one file, and the others are told that there is one', async () => {
    const results = await Promise.allSettled(
      [OLD, NEW].map((text) => open(text).create({ text, storage: 'environment' })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = results.find((result) => result.status === 'rejected');
    expect(failed?.reason).toMatchObject({ code: 'secrets_set_up_already' });
  });
});
