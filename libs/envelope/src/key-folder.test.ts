import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeyFolder } from './key-folder.ts';
import { KeyRingError } from './key-ring.ts';

const random = () => randomBytes(32).toString('base64');

describe('readKeyFolder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const versions = () => [...readKeyFolder(folder).keys()];
  const readProblems = (): readonly string[] => {
    try {
      readKeyFolder(folder);
      return [];
    } catch (error) {
      if (error instanceof KeyRingError) return error.problems;
      throw error;
    }
  };
  /**
   * Writes keys as Kubernetes mounts a Secret: a folder with the current files, the link `..data`
   * to that folder, and a link through `..data` for each key.
   */
  const mount = (moment: string, keys: Record<string, string>) => {
    mkdirSync(join(folder, `..${moment}`));
    for (const [name, key] of Object.entries(keys)) writeFileSync(join(folder, `..${moment}`, name), key);
    symlinkSync(`..${moment}`, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    for (const name of Object.keys(keys)) {
      rmSync(join(folder, name), { force: true });
      symlinkSync(join('..data', name), join(folder, name));
    }
  };

  it('follows the links of a mounted Secret, also after an update of the Secret', () => {
    const [first, second] = [random(), random()];
    mount('2026_11_20', { 1: first });
    expect(versions()).toEqual([1]);
    mount('2026_11_21', { 1: first, 2: second });
    expect(readKeyFolder(folder).get(2)?.key.toString('base64')).toBe(second);
    expect(readKeyFolder(folder).get(1)?.key.toString('base64')).toBe(first);
  });

  it('reports a link without a target during an update of a mounted Secret', () => {
    mount('2026_11_20', { 1: random(), 2: random() });
    rmSync(join(folder, '..2026_11_20', '2'));
    expect(readProblems()).toEqual(['the file 2 cannot be read (ENOENT)']);
  });

  it.each(['.1.swp', '.2.tmp', '..data_tmp', '.gitignore'])('ignores the file %s', (name) => {
    write('1', random());
    write(name, 'anything');
    expect(versions()).toEqual([1]);
  });

  it.each([
    ['a backup file of an editor', '1~', random(), 'the file 1~ has no version (a whole number from 1)'],
    ['a text file', 'README', random(), 'the file README has no version (a whole number from 1)'],
    ['version 0', '0', random(), 'the file 0 has no version (a whole number from 1)'],
    [
      'a version above the maximum',
      '9999999999',
      random(),
      'the file 9999999999 has no version (a whole number from 1)',
    ],
    ['the same version with a leading zero', '01', random(), 'the file 1 repeats version 1'],
    ['an empty file', '2', '', 'the file 2 is not base64'],
    ['half a key', '2', random().slice(0, 22), 'the file 2 has 16 bytes instead of 32'],
    ['raw bytes and a newline', '2', Buffer.alloc(33, 0xf7), 'the file 2 is not base64'],
  ])('refuses the whole folder when it contains %s', (_, name, content, problem) => {
    write('1', random());
    write(name, content);
    expect(readProblems()).toEqual([problem]);
  });

  it('reports every problem at once and shows no key', () => {
    const key = random();
    write('1', key);
    write('2', key);
    write('x', key);
    expect(readProblems()).toEqual([
      'the file 2 is the key of another version',
      expect.stringMatching(/^the file x has/),
    ]);
    expect(readProblems().join()).not.toContain(key);
  });

  it.each([
    ['is empty', () => undefined, 'contains no key'],
    ['does not exist', () => rmSync(folder, { recursive: true }), 'the folder cannot be read (ENOENT)'],
    ['contains a folder', () => mkdirSync(join(folder, '1')), 'the file 1 cannot be read (EISDIR)'],
  ])('refuses a folder that %s', (_, make, problem) => {
    make();
    expect(readProblems()).toEqual([problem]);
  });
});
