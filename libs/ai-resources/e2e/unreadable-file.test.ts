import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitForValue } from '@gatehouse/testing/eventually';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestFolder, writePolicy } from '../src/files/test-folder.fixture.ts';

/** The user `nobody`: root may read every file. */
const NOBODY = 65_534;

describe('a process that may not read a file', () => {
  let folder: TestFolder;
  let reader: TestProcess | undefined;
  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(async () => {
    await reader?.killHard();
    await folder.close();
  });

  it('reports the file until it may read it', async () => {
    folder.write('a.yaml', writePolicy('a', 'x'));
    chmodSync(join(folder.path, 'a.yaml'), 0);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const path of [folder.path, join(folder.path, 'a.yaml')]) chownSync(path, NOBODY, NOBODY);
    const program = [process.execPath, fileURLToPath(new URL('reader.mjs', import.meta.url)), folder.path] as const;
    reader = await startProcess({
      command: isRoot ? ['setpriv', '--reuid', String(NOBODY), '--clear-groups', ...program] : [...program],
    });
    const readProblems = () => (reader!.logLines().at(-1) as { problems: string[] } | undefined)?.problems;
    await waitForValue(readProblems, (problems) => problems?.length === 1);
    expect(readProblems()).toEqual([expect.stringContaining('a.yaml: the file cannot be read (EACCES')]);
    chmodSync(join(folder.path, 'a.yaml'), 0o644);
    await waitForValue(readProblems, (problems) => problems?.length === 0);
  }, 60_000);
});
