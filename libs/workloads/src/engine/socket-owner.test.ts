import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isUserEngine } from './socket-owner.ts';

const isRoot = process.getuid?.() === 0;

describe('isUserEngine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'socket-'));
  const path = join(folder, 'podman.sock');
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is true for a socket of another user than root only', () => {
    writeFileSync(path, '');
    expect(isUserEngine(`unix://${path}`)).toBe(!isRoot);
    if (isRoot) chownSync(path, 1001, 1001);
    expect(isUserEngine(`unix://${path}`)).toBe(true);
    expect(isUserEngine(`unix://${folder}/no.sock`)).toBe(false);
    expect(isUserEngine('tcp://127.0.0.1:2375')).toBe(false);
  });
});
