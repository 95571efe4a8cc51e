// Usage: node tools/testbed/stop.mjs
// Stops the shared servers of the tests: the Postgres below .cache/postgres and the dockerd below
// .cache/docker. Other servers (the system's Docker, GATEHOUSE_TEST_POSTGRES) keep running. The
// test runner calls it last.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

const readPid = (file) => {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
};

/**
 * Returns the name of a program, because the pid of an old pid file can belong to another process.
 */
const readProgram = (pid) => {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
};

function readMounts() {
  try {
    // The kernel writes a space in a path as an octal number.
    return readFileSync('/proc/self/mounts', 'utf8').replaceAll('\\040', ' ');
  } catch {
    return '';
  }
}

async function stop(name, pidFile, program, signal) {
  const pid = readPid(pidFile);
  if (pid <= 1 || readProgram(pid) !== program) return;
  process.kill(pid, signal);
  for (let attempt = 0; attempt < 200 && readProgram(pid) === program; attempt += 1) await sleep(100);
  if (readProgram(pid) === program) process.kill(pid, 'SIGKILL');
  rmSync(pidFile, { force: true });
  console.error(`stopped ${name}`);
}

await stop('Postgres', join(cache, 'postgres', 'data', 'postmaster.pid'), 'postgres', 'SIGINT');
await stop('dockerd', join(cache, 'docker', 'pid'), 'dockerd', 'SIGTERM');

// A killed dockerd leaves a mount of its data folder, which prevents the removal of the clone.
const docker = join(cache, 'docker');
if (readProgram(readPid(join(docker, 'pid'))) !== 'dockerd' && readMounts().includes(` ${join(docker, 'data')} `))
  spawnSync('umount', ['--recursive', '--lazy', join(docker, 'data')]);
