import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveMounts } from './check-mounts.ts';

let folder: string;
let home: string;
const server = createServer();
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mounts-')));
  home = join(folder, 'user');
  for (const path of [
    'user/.ssh',
    'user/.aws',
    'user/.config/gh',
    'user/.local/bin',
    'user/project',
    'state/x',
    'engine',
  ])
    mkdirSync(join(folder, path), { recursive: true });
  for (const path of ['user/.ssh/config', 'user/.netrc', 'user/.bashrc']) writeFileSync(join(folder, path), '');
  symlinkSync('/', join(folder, 'root'));
  symlinkSync('user', join(folder, 'link'));
  symlinkSync('../.ssh', join(home, 'project', 'keys'));
  await new Promise<void>((done) => server.listen(join(folder, 'engine', 'e.sock'), done));
  symlinkSync('engine/e.sock', join(folder, 'harmless'));
  linkSync(join(folder, 'engine', 'e.sock'), join(folder, 'second-name'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const check = (source: string, readOnly = true) =>
  resolveMounts([{ source, target: '/t', readOnly, origin: `--volume ${source}:/t` }], {
    userHomes: [home],
    gatehouseHome: join(folder, 'state'),
    engineSocket: join(folder, 'engine', 'e.sock'),
  })[0]?.source;
const at = (path: string) => (path.startsWith('/') ? path : join(folder, path));

describe('resolveMounts', () => {
  it.each([
    ['/', 'the whole filesystem'],
    ['/..', 'the whole filesystem'],
    ['root', 'the whole filesystem'],
    ['/proc', 'interfaces of the kernel'],
    ['/proc/self/root', 'the whole filesystem'],
    ['/sys/kernel', 'interfaces of the kernel'],
    ['/dev', 'devices of this machine'],
    ['/dev/null', 'devices of this machine'],
    ['/run', 'engine'],
    ['/var/run', 'engine'],
    ['/etc', 'the settings of this machine'],
    ['/root', 'a home folder as a whole'],
    ['/home', 'home folders'],
    ['engine/e.sock', 'the socket of the container engine'],
    ['engine', 'the socket of the container engine'],
    ['harmless', 'the socket of the container engine'],
    ['second-name', 'the socket of the container engine'],
    ['user', 'a home folder as a whole'],
    ['link', 'a home folder as a whole'],
    ['user/project/../../user', 'a home folder as a whole'],
    ['user/.ssh', 'credentials'],
    ['user/project/keys', 'credentials'],
    ['user/.aws', 'credentials'],
    ['user/.config', 'credentials'],
    ['state', 'the state of Gatehouse'],
    ['state/x', 'the state of Gatehouse'],
  ])('refuses %s, also read-only', (path, what) => {
    expect(() => check(at(path))).toThrow(what);
    expect(() => check(at(path), false)).toThrow(/^--volume/);
  });

  it.each([
    ['/etc/hostname', 'the settings of this machine'],
    ['/usr', 'programs of this machine'],
    ['/usr/share', 'programs of this machine'],
    ['user/.netrc', 'credentials'],
    ['user/.ssh/config', 'credentials'],
    ['user/.bashrc', 'next shell'],
    ['user/.local', 'next shell'],
    ['user/.local/bin', 'next shell'],
  ])('mounts %s read-only, and not writable', (path, what) => {
    expect(check(at(path))).toBe(realpathSync(at(path)));
    expect(() => check(at(path), false)).toThrow(what);
  });

  it.each(['user/project', 'link/project'])('mounts %s by its resolved path', (path) =>
    expect(check(at(path), false)).toBe(join(home, 'project')),
  );

  it('says what to do instead', () => {
    const advice = (path: string, readOnly = true) => {
      try {
        check(at(path), readOnly);
      } catch (error) {
        return (error as { tryNext: string[] }).tryNext.join('; ');
      }
      throw new Error('it was accepted');
    };
    expect(advice('user')).toContain('mount only the file or the sub-folder');
    expect(advice('user/.ssh')).toContain('--secret');
    expect(advice('user/.bashrc', false)).toContain('mount it read-only');
    expect(advice('engine/e.sock')).toContain('mount a folder without it');
  });

  it('refuses a path that is missing', () => expect(() => check(at('missing'))).toThrow('which does not exist'));
});
