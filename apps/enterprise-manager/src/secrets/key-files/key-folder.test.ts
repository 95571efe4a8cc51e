import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeyFolder } from './key-folder.ts';
import { KeyRingError } from './key-ring.ts';

const random = () => randomBytes(32).toString('base64');

describe('a folder of keys', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const versions = () => [...readKeyFolder(folder).keys()];
  const problems = (): readonly string[] => {
    try {
      readKeyFolder(folder);
      return [];
    } catch (error) {
      if (error instanceof KeyRingError) return error.problems;
      throw error;
    }
  };
  /**
   * Shows keys as a mounted Secret does: a folder of this moment, a link to it, and a link through
   * that for each key.
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

  it('is read through the links of a mounted Secret, also after it was changed under them', () => {
    const [first, second] = [random(), random()];
    mount('2026_11_20', { 1: first });
    expect(versions()).toEqual([1]);
    mount('2026_11_21', { 1: first, 2: second });
    expect(readKeyFolder(folder).get(2)?.key.toString('base64')).toBe(second);
    expect(readKeyFolder(folder).get(1)?.key.toString('base64')).toBe(first);
  });

  it('is not read halfway while a mounted Secret is changed: a link that leads nowhere is a problem, not a missing key', () => {
    mount('2026_11_20', { 1: random(), 2: random() });
    rmSync(join(folder, '..2026_11_20', '2'));
    expect(problems()).toEqual(['the file 2 cannot be read (ENOENT)']);
  });

  it.each(['.1.swp', '.2.tmp', '..data_tmp', '.gitignore'])('passes over %s', (name) => {
    write('1', random());
    write(name, 'anything');
    expect(versions()).toEqual([1]);
  });

  it.each([
    ['a copy that an editor left', '1~', random(), 'the file 1~ has no version (a whole number from 1)'],
    ['a note', 'README', random(), 'the file README has no version (a whole number from 1)'],
    ['version 0', '0', random(), 'the file 0 has no version (a whole number from 1)'],
    ['a version beyond integers', '9999999999', random(), 'the file 9999999999 has no version (a whole number from 1)'],
    ['the same version in other digits', '01', random(), 'the file 1 repeats version 1'],
    ['an empty file', '2', '', 'the file 2 is not base64'],
    ['half a key', '2', random().slice(0, 22), 'the file 2 has 16 bytes instead of 32'],
    ['bytes and a newline', '2', Buffer.alloc(33, 0xf7), 'the file 2 is not base64'],
  ])('is refused as a whole with %s', (_, name, content, problem) => {
    write('1', random());
    write(name, content);
    expect(problems()).toEqual([problem]);
  });

  it('names everything that is wrong with it at once, and no key', () => {
    const key = random();
    write('1', key);
    write('2', key);
    write('x', key);
    expect(problems()).toEqual(['the file 2 is the key of another version', expect.stringMatching(/^the file x has/)]);
    expect(problems().join()).not.toContain(key);
  });

  it.each([
    ['is empty', () => undefined, 'names no key'],
    ['is not there', () => rmSync(folder, { recursive: true }), 'the folder cannot be read (ENOENT)'],
    ['holds a folder', () => mkdirSync(join(folder, '1')), 'the file 1 cannot be read (EISDIR)'],
  ])('is refused when it %s', (_, make, problem) => {
    make();
    expect(problems()).toEqual([problem]);
  });
});
