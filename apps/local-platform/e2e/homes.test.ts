import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeWhen, unavailable } from '@gatehouse/testing/fixture';
import {
  listHomeProcesses,
  type FailedStart,
  freeOffset,
  untilGone,
  newHome,
  RunningPlatform,
  startPlatform,
  fetchStatus,
  tryPlatform,
  until,
} from './platform.ts';

jest.setTimeout(120_000);

const MAIN = resolve(import.meta.dirname, '../dist/main.js');

const startAndFail = async (home: string): Promise<FailedStart> => {
  const outcome = await tryPlatform({ home });
  if (!(outcome instanceof RunningPlatform)) return outcome;
  await outcome.remove();
  throw new Error('the platform started');
};

describe('a home below a private folder, in a path with special characters', () => {
  // The tests follow each other on one home.
  const outer = newHome();
  const home = join(outer, 'Türen und "Tore" $HOME – 門');
  let platform: RunningPlatform;
  const startAgain = async (): Promise<void> => {
    platform = await startPlatform({ home, offset: platform.offset });
  };
  afterAll(async () => {
    await platform.remove();
    rmSync(outer, { recursive: true });
  });

  it('works with any umask', async () => {
    expect(statSync(outer).mode & 0o777).toBe(0o700);
    const umask = process.umask(0);
    platform = await startPlatform({ home }).finally(() => process.umask(umask));
    expect(await fetchStatus(`${platform.json.urls.enterprise_manager}/v1/me`, await platform.token('alice'))).toBe(
      200,
    );
    expect(statSync(home).mode & 0o066).toBe(0);
    expect(statSync(platform.home).mode & 0o066).toBe(0);
  });

  it('tolerates damaged files of the last run', async () => {
    await platform.stop();
    for (const name of ['run/lock.sqlite', 'run/supervisor.json', 'platform.json', 'postgres/port'])
      writeFileSync(join(home, name), '\0 damaged');
    await startAgain();
  });

  it('does not prevent the stop of the platform when a service hangs', async () => {
    process.kill(platform.pids()['ai-gateway']!, 'SIGSTOP');
    expect(await platform.stop()).toBe(0);
    expect(listHomeProcesses(home)).toEqual([]);
  });

  it('names a damaged file that it needs', async () => {
    truncateSync(join(home, 'credentials.json'), 20);
    const { code, stderr } = await startAndFail(home);
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(home, 'credentials.json')} is damaged`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(listHomeProcesses(home)).toEqual([]);
  });
});

describe('a home', () => {
  const home = newHome();
  afterAll(() => rmSync(home, { recursive: true }));

  it('runs once when two starts happen at the same time', async () => {
    const offsets = [await freeOffset(), 0];
    do offsets[1] = await freeOffset();
    while (offsets[1] === offsets[0]);
    const outcomes = await Promise.all(offsets.map((offset) => tryPlatform({ home, offset })));
    const [winner, ...others] = outcomes.filter((outcome) => outcome instanceof RunningPlatform);
    expect(others).toEqual([]);
    const loser = outcomes.find((outcome) => !(outcome instanceof RunningPlatform)) as FailedStart;
    expect(loser).toMatchObject({ code: 1, stderr: expect.stringContaining('already runs') });
    await winner!.ready();
    await winner!.stop();
    await untilGone(home);
  });

  it('stops all services in order when its terminal closes', async () => {
    const offset = String(await freeOffset());
    // The terminal of Python's `pty` module closes when Python ends.
    const program = `import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
seen = b''
while b'Ctrl-C stops the platform' not in seen: seen += os.read(fd, 65536)
print('ready', flush=True)
sys.stdin.read()
`;
    const terminal = spawn('python3', ['-c', program, process.execPath, MAIN], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        GATEHOUSE_HOME: home,
        GATEHOUSE_PORT_OFFSET: offset,
      },
    });
    await once(terminal.stdout, 'data');
    expect(existsSync(join(home, 'platform.json'))).toBe(true);
    terminal.kill('SIGKILL');
    await untilGone(home);
    expect(existsSync(join(home, 'platform.json'))).toBe(false);
    expect(existsSync(join(home, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('is refused in one sentence when its path is a file or below a file', async () => {
    const folder = newHome();
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      const { code, stderr } = await startAndFail(path);
      expect(code).toBe(1);
      expect(stderr).toContain('cannot use its home');
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    rmSync(folder, { recursive: true });
  });
});

/** Whether this user can mount a file system. */
function findMounts() {
  const folder = newHome();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return { available: true as const, value: undefined };
  } catch {
    return unavailable('this user cannot mount a file system');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeWhen(findMounts(), 'a home on a file system', () => {
  it.each([
    ['without free space', 'size=1m', 'ENOSPC|No space left on device'],
    ['that is read-only', 'ro', 'EROFS'],
  ])('%s is refused with the reason, and no process remains', async (_, options, reason) => {
    const home = newHome();
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', home]);
    try {
      const { code, stderr } = await startAndFail(home);
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(reason));
      await untilGone(home);
    } finally {
      execFileSync('umount', [home]);
      rmSync(home, { recursive: true });
    }
  });

  it('that becomes full keeps its platform running, which stops in order', async () => {
    const home = newHome();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', home]);
    try {
      const platform = await startPlatform({ home });
      execFileSync('sh', ['-c', `cat /dev/zero > "$1" 2>/dev/null || true`, 'sh', join(home, 'filler')]);
      process.kill(platform.pids()['console']!, 'SIGKILL');
      await until(
        'the console runs again',
        async () => (await fetchStatus(`${platform.json.urls.console}/healthz`)) === 200,
      );
      expect(await fetchStatus(`${platform.json.urls.enterprise_manager}/v1/me`, await platform.token('alice'))).toBe(
        200,
      );
      rmSync(join(home, 'filler'));
      expect(await platform.stop()).toBe(0);
      await untilGone(home);
    } finally {
      execFileSync('umount', [home]);
      rmSync(home, { recursive: true });
    }
  });
});
