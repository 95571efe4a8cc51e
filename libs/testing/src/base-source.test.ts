import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BaseSourceRequest, chooseBaseSource, DEBIAN_IMAGE } from './base-source.ts';

describe('chooseBaseSource', () => {
  let folder: string;
  let pulls: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-source-'));
    pulls = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const machine = (differences: Partial<BaseSourceRequest> = {}): BaseSourceRequest => ({
    hasImage: () => Promise.resolve(false),
    pull: () => {
      pulls += 1;
      return Promise.reject(new Error('no network'));
    },
    failureFile: join(folder, 'pull-failed'),
    isRoot: true,
    hasDebootstrap: () => Promise.resolve(true),
    ...differences,
  });

  it('uses the image of the engine without a pull', async () => {
    const source = await chooseBaseSource(machine({ hasImage: (image) => Promise.resolve(image === DEBIAN_IMAGE) }));
    expect([source, pulls]).toEqual([{ kind: 'engine', image: DEBIAN_IMAGE }, 0]);
  });

  it('pulls the image when the engine does not have it', async () => {
    const source = await chooseBaseSource(machine({ pull: () => Promise.resolve() }));
    expect(source).toEqual({ kind: 'engine', image: DEBIAN_IMAGE });
  });

  it('uses debootstrap when the pull fails', async () => {
    expect(await chooseBaseSource(machine())).toEqual({ kind: 'debootstrap' });
  });

  it('repeats a failed pull at most once an hour', async () => {
    const request = machine();
    await chooseBaseSource(request);
    await chooseBaseSource(request);
    expect(pulls).toBe(1);
    const hoursAgo = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(request.failureFile, hoursAgo, hoursAgo);
    await chooseBaseSource(request);
    expect(pulls).toBe(2);
  });

  it('forgets a failed pull after a successful one', async () => {
    const request = machine();
    await chooseBaseSource(request);
    const hoursAgo = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(request.failureFile, hoursAgo, hoursAgo);
    await chooseBaseSource({ ...request, pull: () => Promise.resolve() });
    expect(existsSync(request.failureFile)).toBe(false);
  });

  it('says what to install on a machine without debootstrap', async () => {
    const source = await chooseBaseSource(machine({ hasDebootstrap: () => Promise.resolve(false) }));
    expect(source).toMatchObject({ kind: 'none', reason: expect.stringContaining('apt-get install debootstrap') });
  });

  it('says what to pull to a user without root rights', async () => {
    const source = await chooseBaseSource(machine({ isRoot: false }));
    expect(source).toMatchObject({ kind: 'none', reason: expect.stringContaining(`docker pull ${DEBIAN_IMAGE}`) });
  });
});
