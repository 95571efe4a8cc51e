import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';
import { eventually } from '@gatehouse/testing/eventually';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FollowedFile } from './followed-file.ts';

let folder: string;
let path: string;
let file: FollowedFile;
let received: (string | FileProblemError)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-followed-'));
  path = join(folder, 'backends.yaml');
  file = new FollowedFile(path);
  received = [];
});

afterEach(async () => {
  await file.stop();
  rmSync(folder, { recursive: true });
});

const follow = () =>
  file.follow((content) => {
    received.push(content);
    return Promise.resolve();
  });

const receives = (text: string) =>
  eventually(() => Promise.resolve(received.at(-1) === text || undefined), `the text ${text} is received`);

describe('FollowedFile', () => {
  it('reads the file, then tells each change once', async () => {
    writeFileSync(path, 'one');
    expect(await file.read()).toBe('one');
    follow();
    writeFileSync(path, 'two');
    await receives('two');
    writeFileSync(join(folder, 'new'), 'three');
    renameSync(join(folder, 'new'), path);
    await receives('three');
    expect(received).toEqual(['two', 'three']);
  });

  it('follows a symbolic link that is replaced, as Kubernetes updates mounted files', async () => {
    for (const name of ['1', '2']) writeFileSync(join(folder, name), name);
    symlinkSync(join(folder, '1'), path);
    expect(await file.read()).toBe('1');
    follow();
    symlinkSync(join(folder, '2'), join(folder, 'next'));
    renameSync(join(folder, 'next'), path);
    await receives('2');
  });

  it('tells why a file cannot be read, and its return', async () => {
    await expect(file.read()).rejects.toThrow('The file does not exist.');
    writeFileSync(path, 'one');
    await file.read();
    follow();
    rmSync(path);
    const isTold = () => Promise.resolve(received.at(-1) instanceof FileProblemError || undefined);
    await eventually(isTold, 'the missing file is told');
    writeFileSync(path, 'one');
    await receives('one');
  });

  it('refuses a folder and a file of more than 1 MiB', async () => {
    await expect(new FollowedFile(folder).read()).rejects.toThrow('is not a regular file');
    writeFileSync(path, 'x'.repeat(1024 * 1024 + 1));
    await expect(file.read()).rejects.toThrow('is larger than 1 MiB');
  });
});
