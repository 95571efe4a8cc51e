import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileOnce, replaceFile, replaceFileLazily } from './atomic-file.ts';
import { makePrivateFolder, removeTemporaryFiles } from './private-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([replaceFile, replaceFileLazily])('%p', (replace) => {
  it('replaces the text, for its owner only, and leaves no other file', () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'old', { mode: 0o644 });
    replace(path, 'new');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
      'new',
      0o600,
      ['a'],
    ]);
  });

  it('gives the file other permissions on request', () => {
    replace(join(folder, 'a'), 'text', 0o644);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o644);
  });

  it('leaves nothing of a failed replacement', () => {
    makePrivateFolder(join(folder, 'a'));
    writeFileSync(join(folder, 'a', 'b'), '');
    expect(() => replace(join(folder, 'a'), 'text')).toThrow();
    expect(readdirSync(folder)).toEqual(['a']);
  });
});

describe('createFileOnce', () => {
  it('keeps the text of the first writer', () => {
    createFileOnce(join(folder, 'a'), 'first');
    createFileOnce(join(folder, 'a'), 'second');
    expect([readFileSync(join(folder, 'a'), 'utf8'), readdirSync(folder)]).toEqual(['first', ['a']]);
  });
});

describe('a private folder', () => {
  it('loses the rights of other users', () => {
    chmodSync(folder, 0o755);
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('loses only the files of killed writers', () => {
    for (const name of ['.0123456789ab.tmp', '.key', 'a.tmp']) writeFileSync(join(folder, name), '');
    removeTemporaryFiles(folder);
    expect(readdirSync(folder)).toEqual(['.key', 'a.tmp']);
  });
});
