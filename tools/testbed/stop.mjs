// node tools/testbed/stop.mjs Ends what test processes of this repository share and leave running:
// the Postgres below .cache/postgres and the dockerd below .cache/docker. The test runner calls it
// last. A server that was there before (the system's Docker, GATEHOUSE_TEST_POSTGRES) is not
// touched.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

const firstLine = (file) => {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
};

/**
 * The name of a process's program: a pid file may be older than the process that has its number
 * now.
 */
const programOf = (pid) => {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
};

function readMounts() {
  try {
    // A blank in a path is written as its octal number.
    return readFileSync('/proc/self/mounts', 'utf8').replaceAll('\\040', ' ');
  } catch {
    return '';
  }
}

async function end(what, pidFile, program, signal) {
  const pid = firstLine(pidFile);
  if (pid <= 1 || programOf(pid) !== program) return;
  process.kill(pid, signal);
  for (let attempt = 0; attempt < 200 && programOf(pid) === program; attempt += 1) await sleep(100);
  if (programOf(pid) === program) process.kill(pid, 'SIGKILL');
  rmSync(pidFile, { force: true });
  console.error(`stopped ${what}`);
}

await end('Postgres', join(cache, 'postgres', 'data', 'postmaster.pid'), 'postgres', 'SIGINT');
await end('dockerd', join(cache, 'docker', 'pid'), 'dockerd', 'SIGTERM');

// A dockerd that was killed leaves its data folder mounted on itself, and nobody could remove the
// clone.
const docker = join(cache, 'docker');
if (programOf(firstLine(join(docker, 'pid'))) !== 'dockerd' && readMounts().includes(` ${join(docker, 'data')} `))
  spawnSync('umount', ['--recursive', '--lazy', join(docker, 'data')]);
