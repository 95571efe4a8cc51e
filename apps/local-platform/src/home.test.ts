import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homePaths, type HomePaths, prepareHome, readOrCreate, replaceFile, rotateLog } from './home.ts';
import { clearLeftovers, type ProcessTable } from './leftovers.ts';
import { HomeInUseError, lockHome } from './lock.ts';
import { describePlatform, removePlatformFile, writePlatformFile } from './platform-file.ts';
import { portsAt } from './ports.ts';
import { secretFiles } from './secret-files.ts';
import { prepareSecrets } from './secrets.ts';

let paths: HomePaths;
beforeEach(() => {
  paths = homePaths(mkdtempSync(join(tmpdir(), 'gatehouse-home-')));
  prepareHome(paths);
});
afterEach(() => rmSync(paths.home, { recursive: true, force: true }));

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('the home', () => {
  it('is closed to other users, except for the path to the data of Postgres as root', () => {
    prepareHome(paths, false);
    expect(mode(paths.home)).toBe(0o700);
    prepareHome(paths, true);
    expect(mode(paths.home)).toBe(0o711);
    expect(mode(paths.secrets)).toBe(0o700);
  });

  it('creates a file once and completely', () => {
    const file = join(paths.run, 'x');
    expect([readOrCreate(file, () => 'first'), readOrCreate(file, () => 'second')]).toEqual(['first', 'first']);
    replaceFile(file, 'third');
    expect(readFileSync(file, 'utf8')).toBe('third');
    expect(mode(file)).toBe(0o600);
    expect(readdirSync(paths.run)).toEqual(['x']);
  });

  it('rotates large logs', () => {
    const log = join(paths.logs, 'x.log');
    rotateLog(log);
    writeFileSync(log, 'small');
    rotateLog(log);
    expect(readdirSync(paths.logs)).toEqual(['x.log']);
    writeFileSync(log, 'x'.repeat(11 * 1024 * 1024));
    rotateLog(log);
    expect(readdirSync(paths.logs)).toEqual(['x.log.1']);
  });
});

describe('the lock', () => {
  it('has one owner, names it, and is free after its release', () => {
    const release = lockHome(paths, new Date(0));
    expect(() => lockHome(paths, new Date(0))).toThrow(HomeInUseError);
    expect(() => lockHome(paths, new Date(0))).toThrow(`process ${process.pid}, started 1970-01-01T00:00:00.000Z`);
    release();
    lockHome(paths, new Date(0))();
  });

  it('is free after damage when no process holds it, and stays held when one does', () => {
    writeFileSync(paths.lockFile, 'no database at all'.repeat(100));
    const release = lockHome(paths, new Date(0));
    expect(() => lockHome(paths, new Date(0))).toThrow(HomeInUseError);
    writeFileSync(paths.lockFile, '');
    expect(() => lockHome(paths, new Date(0))).toThrow(HomeInUseError);
    release();
  });

  it.each(['', '{"pid":', 'null', '{"pid":"1; rm","started_at":"x"}'])(
    'reports an unknown start time when the owner file contains %j',
    (text) => {
      const release = lockHome(paths, new Date(0));
      writeFileSync(paths.ownerFile, text);
      expect(() => lockHome(paths, new Date(0))).toThrow(HomeInUseError);
      expect(() => lockHome(paths, new Date(0))).toThrow('started a moment ago');
      release();
    },
  );
});

describe('secrets', () => {
  it('are created once, each in a file that only the owner can read', () => {
    const people = prepareSecrets(paths, 'http://127.0.0.1:8090');
    const before = contents(paths);
    expect(prepareSecrets(paths, 'http://127.0.0.1:8090')).toEqual(people);
    expect(contents(paths)).toEqual(before);
    for (const file of Object.keys(before)) expect([file, mode(file)]).toEqual([file, 0o600]);
  });

  it.each(['', '{', 'null', '[]', '{}', '{"users":[],"people":[]}'])(
    'report the name of a file with the damaged content %j',
    (text) => {
      prepareSecrets(paths, 'http://127.0.0.1:8090');
      for (const file of [paths.credentialsFile, join(paths.identityProvider, 'state.json')]) {
        const whole = readFileSync(file, 'utf8');
        writeFileSync(file, text);
        expect(() => prepareSecrets(paths, 'http://127.0.0.1:8090')).toThrow(`${file} is damaged`);
        expect(readFileSync(file, 'utf8')).toBe(text);
        writeFileSync(file, whole);
      }
    },
  );

  it('differ between homes, and so do the subjects', () => {
    const people = prepareSecrets(paths, 'http://127.0.0.1:8090');
    const other = homePaths(mkdtempSync(join(tmpdir(), 'gatehouse-home-')));
    prepareHome(other);
    const otherPeople = prepareSecrets(other, 'http://127.0.0.1:8090');
    const key = (home: HomePaths): string => readFileSync(secretFiles(home).cursorKey('enterprise-manager'), 'utf8');
    expect(key(other)).not.toBe(key(paths));
    expect(people.map(({ subject }) => subject)).not.toEqual(otherPeople.map(({ subject }) => subject));
    rmSync(other.home, { recursive: true });
  });

  it('contain the new issuer after a change of the port', () => {
    prepareSecrets(paths, 'http://127.0.0.1:8090');
    prepareSecrets(paths, 'http://127.0.0.1:8190');
    const seed = JSON.parse(readFileSync(secretFiles(paths).seedUsers, 'utf8')) as {
      issuer: string;
      user_name: string;
    }[];
    expect(seed.map(({ issuer }) => issuer)).toEqual(seed.map(() => 'http://127.0.0.1:8190'));
    expect(seed.map(({ user_name }) => user_name)).toEqual(['admin', 'auditor', 'alice', 'bob', 'carol']);
  });

  it('include a password of 16 random characters for every user', () => {
    prepareSecrets(paths, 'http://127.0.0.1:8090');
    const { users } = JSON.parse(readFileSync(paths.credentialsFile, 'utf8')) as { users: { password: string }[] };
    for (const { password } of users) expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(new Set(users.map(({ password }) => password)).size).toBe(5);
  });
});

describe('platform.json', () => {
  it('is written completely and removed again', () => {
    const people = prepareSecrets(paths, 'http://127.0.0.1:8090');
    const platform = describePlatform({ version: '1.2.3', pid: 7, startedAt: new Date(0), ports: portsAt(0), people });
    writePlatformFile(paths, platform);
    expect(JSON.parse(readFileSync(paths.platformFile, 'utf8'))).toEqual(platform);
    expect(Object.keys(platform)).toEqual([
      'version',
      'pid',
      'started_at',
      'urls',
      'issuer',
      'audience',
      'gateway_id',
      'ai_gateway_id',
      'users',
    ]);
    expect(mode(paths.platformFile)).toBe(0o600);
    removePlatformFile(paths);
    removePlatformFile(paths);
    expect(existsSync(paths.platformFile)).toBe(false);
  });
});

describe('clearLeftovers', () => {
  const table = (
    environments: Record<number, string[]>,
    goAfter = Number.POSITIVE_INFINITY,
  ): ProcessTable & { killed: number[] } => {
    const killed: number[] = [];
    let slept = 0;
    return {
      killed,
      list: () =>
        slept >= goAfter
          ? []
          : Object.entries(environments).map(([pid, environment]) => ({ pid: Number(pid), environment })),
      kill: (pid) => void killed.push(pid),
      sleep: (milliseconds) => {
        slept += milliseconds;
        return Promise.resolve();
      },
    };
  };
  const service = ['GATEHOUSE_HOME=/h', 'GATEHOUSE_PLATFORM_PID=7'];

  it('waits for services that are about to end', async () => {
    const ending = table({ 8: service }, 3000);
    await clearLeftovers('/h', ending);
    expect(ending.killed).toEqual([]);
  });

  it('kills services that do not end', async () => {
    const stuck = table({ 8: service, 9: service });
    await clearLeftovers('/h', stuck);
    expect(stuck.killed).toEqual([8, 9]);
  });

  it('ignores workloads, other homes and other programs', async () => {
    const others = table({
      8: ['GATEHOUSE_HOME=/h'],
      9: ['GATEHOUSE_HOME=/h2', 'GATEHOUSE_PLATFORM_PID=7'],
      10: ['PATH=/bin'],
    });
    await clearLeftovers('/h', others);
    expect(others.killed).toEqual([]);
  });
});

const contents = ({ home }: HomePaths): Record<string, string> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
