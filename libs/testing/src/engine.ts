import Docker from 'dockerode';
import { spawn } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from './cache.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { claim } from './lock.ts';

/** A container engine that speaks the Docker API. */
export interface Engine {
  /** Path of its socket. */
  readonly socket: string;
  /** The value of DOCKER_HOST for other programs. */
  readonly dockerHost: string;
  readonly docker: Docker;
}

const SYSTEM_SOCKET = '/var/run/docker.sock';
const START_DEADLINE_MS = 30_000;

/**
 * Finds the machine's container engine: the engine of DOCKER_HOST or of /var/run/docker.sock.
 * Without an engine, root starts `dockerd` with a data root in `.cache/docker`, once for all test
 * processes. The test runner stops it (`tools/testbed/stop.mjs`).
 */
export async function dockerEngine(): Promise<Fixture<Engine>> {
  const host = process.env['DOCKER_HOST'];
  const own = ownPaths();
  const sockets = host?.startsWith('unix://') ? [host.slice('unix://'.length)] : [SYSTEM_SOCKET, own.socket];
  for (const socket of sockets) {
    if (await isAnswering(socket)) return available(engineAt(socket));
  }
  if (host !== undefined) return unavailable(`No container engine answers at DOCKER_HOST=${host}.`);
  if (existsSync(SYSTEM_SOCKET) && !mayUse(SYSTEM_SOCKET)) {
    return unavailable(`${SYSTEM_SOCKET} is not for this user: sudo usermod -aG docker $USER, then sign in again.`);
  }
  if (process.getuid?.() !== 0) {
    return unavailable(
      'No container engine answers at /var/run/docker.sock, and only root can start one: start Docker.',
    );
  }
  const dockerd = ['/usr/sbin/dockerd', '/usr/bin/dockerd', '/usr/local/bin/dockerd'].find((path) => existsSync(path));
  if (dockerd === undefined) {
    return unavailable(
      'No container engine is installed: apt-get install docker.io (tools/testbed/prepare.mjs does it).',
    );
  }
  return startOwn(dockerd);
}

async function startOwn(dockerd: string): Promise<Fixture<Engine>> {
  const own = ownPaths();
  const deadline = Date.now() + START_DEADLINE_MS;
  let started = false;
  while (Date.now() < deadline) {
    if (await isAnswering(own.socket)) return available(engineAt(own.socket));
    removeForeignClaim(own.pidFile);
    // The holder of the claim may be ending: a killed daemon, or one that a finished test run is
    // stopping.
    if (claim(own.pidFile)) {
      if (started) break;
      started = true;
      launch(dockerd, own);
    }
    await sleep(100);
  }
  const tail = existsSync(own.log) ? readFileSync(own.log, 'utf8').trim().split('\n').slice(-3).join(' | ') : '';
  return unavailable(`dockerd did not start: ${tail}`);
}

function launch(dockerd: string, own: OwnPaths): void {
  const log = openSync(own.log, 'w');
  const places = [
    ['--host', `unix://${own.socket}`],
    ['--data-root', own.data],
    ['--exec-root', own.exec],
    ['--pidfile', own.daemonPidFile],
  ].flat();
  const child = spawn(dockerd, places, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('error', () => undefined);
  writeFileSync(own.pidFile, `${child.pid ?? 0}\n`);
  child.unref();
}

/**
 * Removes a claim that is older than any start and whose pid belongs to another program, for
 * example after a restart of the machine.
 */
function removeForeignClaim(pidFile: string): void {
  try {
    if (Date.now() - statSync(pidFile).mtimeMs < START_DEADLINE_MS) return;
    const program = readlinkSync(`/proc/${Number(readFileSync(pidFile, 'utf8'))}/exe`);
    if (basename(program) !== 'dockerd') rmSync(pidFile, { force: true });
  } catch {
    // Without a claim or its process, `claim` decides.
  }
}

type OwnPaths = Record<'socket' | 'data' | 'exec' | 'log' | 'pidFile' | 'daemonPidFile', string>;

function ownPaths(): OwnPaths {
  const folder = cacheFolder('docker');
  mkdirSync(join(folder, 'exec'), { recursive: true });
  return {
    // The path is short because a socket path has at most 107 characters.
    socket: join(folder, 'docker.sock'),
    data: join(folder, 'data'),
    exec: join(folder, 'exec'),
    log: join(folder, 'dockerd.log'),
    pidFile: join(folder, 'pid'),
    daemonPidFile: join(folder, 'dockerd.pid'),
  };
}

async function isAnswering(socket: string): Promise<boolean> {
  if (!existsSync(socket)) return false;
  try {
    await new Docker({ socketPath: socket, timeout: 3000 }).ping();
    return true;
  } catch {
    return false;
  }
}

function mayUse(socket: string): boolean {
  try {
    accessSync(socket, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const engineAt = (socket: string): Engine => ({
  socket,
  dockerHost: `unix://${socket}`,
  docker: new Docker({ socketPath: socket }),
});
