import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type PostgresBinaries, findPostgresBinaries } from './binaries.ts';
import { endGuard, startGuard } from './guard.ts';
import { isRunning, isProcessAlive, readPidFile } from './pid-file.ts';
import { findListeningProcess, isPortFree } from './port-holder.ts';
import { type DatabaseUrls, provisionDatabase } from './provision.ts';
import { chooseServerAccount, type ServerAccount } from './server-account.ts';

/** Options of a server. */
export interface PostgresOptions {
  /**
   * Folder of the data (`data/`), the log (`postgres.log`) and the secret (`secret`, mode 0600). It
   * is created when missing.
   */
  directory: string;
  /** TCP port on 127.0.0.1. Default: the port of the last start, or another free port. */
  port?: number;
  /** Server settings, as in postgresql.conf. */
  settings?: Record<string, string | number>;
  /** Whether the server ends with this process, also after `kill -9`; default true. */
  stopWithParent?: boolean;
}

/** A running server. */
export interface PostgresServer {
  /** URL of the superuser. Its random password is stored in the folder. */
  readonly adminUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Whether the server ran already before the start. */
  readonly adopted: boolean;
  /** Resolves when the server has ended. */
  readonly exited: Promise<void>;
  /**
   * Creates a database with an owner and a runtime role unless it exists (see `provisionDatabase`).
   * The passwords are the same at every start.
   */
  database(name: string): Promise<DatabaseUrls>;
  /** Stops the server and waits for its end. */
  stop(): Promise<void>;
}

interface Place {
  directory: string;
  data: string;
  log: string;
  secret: string;
}

/** A server with the process that started it, unless it was adopted, and its guard. */
interface RunningServer {
  readonly port: number;
  readonly pid: number;
  readonly child?: ChildProcess;
  readonly guard: ChildProcess | undefined;
}

/** The environment of the server; `unshare` needs PATH. */
const environment = (): Record<string, string> => ({ LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' });

const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 20_000;
const SUPERUSER = 'gatehouse';

/**
 * Starts the embedded Postgres of a folder, or adopts a running one (of a killed parent or of a
 * concurrent start). The first start creates the data directory. The server listens only on
 * 127.0.0.1 and always requires a password (SCRAM).
 *
 * @throws {Error} with the reason and, when the server refused to start, the end of its log
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const binaries = await findPostgresBinaries();
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  // The real path identifies the server, and its user must be able to enter the folders of that
  // path.
  const directory = realpathSync(options.directory);
  const account = chooseServerAccount(directory, binaries.postgres);
  const place = preparePlace(directory, account);
  if (!existsSync(join(place.data, 'PG_VERSION'))) await initialise(place, binaries, account);

  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const found = await findRunning(place, options.port);
    if (found === 'none') {
      const started = await launch(place, binaries, account, options);
      if (started) return createHandle(place, started);
    } else if (found !== 'busy') {
      return createHandle(place, { ...found, guard: guardServer(place, found.pid, options) });
    }
    if (Date.now() > deadline)
      throw new Error(`Postgres in ${place.directory} neither starts nor answers:\n${logTail(place.log)}`);
    await sleep(50);
  }
}

function preparePlace(directory: string, account: ServerAccount): Place {
  const data = join(directory, 'data');
  if (account.isOtherUser) chmodSync(directory, statSync(directory).mode | 0o011);
  const secret = join(directory, 'secret');
  if (!existsSync(secret)) {
    const fresh = `${secret}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(fresh, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(fresh, secret);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(fresh);
    }
  }
  return { directory, data, log: join(directory, 'postgres.log'), secret: readFileSync(secret, 'utf8').trim() };
}

/**
 * Creates the data directory under a temporary name and renames it, so that a killed start leaves
 * no partial directory and one of two concurrent starts wins.
 */
async function initialise(place: Place, binaries: PostgresBinaries, account: ServerAccount): Promise<void> {
  const fresh = `${place.data}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const passwordFile = `${fresh}.password`;
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, place.secret, { mode: 0o600 });
  for (const path of [fresh, passwordFile]) account.own(path);
  const [program, args, identity] = account.command(binaries.initdb, [
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  try {
    await promisify(execFile)(program, args, { ...identity, cwd: '/', env: environment() });
    renameSync(fresh, place.data);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (existsSync(join(place.data, 'PG_VERSION'))) return;
    throw new Error(`The Postgres data directory ${place.data} could not be created: ${getErrorMessage(error)}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Finds a running server. `busy`: a server is starting or stopping; try again. */
async function findRunning(
  place: Place,
  port: number | undefined,
): Promise<{ pid: number; port: number } | 'none' | 'busy'> {
  const file = readPidFile(place.data);
  if (!file || !isProcessAlive(file.pid)) return 'none';
  if (file.status === 'stopping') return 'busy';
  const dataDirectory = await dataDirectoryAt(adminUrl(place, file.port));
  if (dataDirectory !== place.data) return isPostgres(file.pid) ? 'busy' : 'none';
  if (port !== undefined && port !== file.port) {
    await end(place, file.pid);
    return 'none';
  }
  return { pid: file.pid, port: file.port };
}

async function launch(
  place: Place,
  binaries: PostgresBinaries,
  account: ServerAccount,
  options: PostgresOptions,
): Promise<RunningServer | undefined> {
  const port = options.port ?? (await choosePort(place));
  if (!(await isPortFree(port))) {
    // A concurrent start may hold the port.
    if ((await findRunning(place, options.port)) !== 'none') return undefined;
    throw portTaken(port);
  }
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Each start writes its own log until it is ready, so that concurrent starts do not mix theirs.
  const ownLog = `${place.log}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const log = openSync(ownLog, 'w', 0o600);
  // The server has its own session, so that Ctrl-C does not reach it before the services.
  const [program, args, identity] = account.command(binaries.postgres, ['-D', place.data, ...flags]);
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: environment(),
  });
  const guard = child.pid === undefined ? undefined : guardServer(place, child.pid, options);
  closeSync(log);
  let isReady = false;
  const ended = new Promise<'ended'>((settle) => {
    child.once('exit', () => settle('ended'));
    child.once('error', () => settle('ended'));
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  try {
    while (Date.now() < deadline) {
      const step = await Promise.race([ended, sleep(20)]);
      if (step === 'ended') {
        // A concurrent start was first, or children of a killed server still use its memory.
        const reason = logTail(ownLog);
        if (/postmaster\.pid" (?:already exists|is empty)|shared memory block .* is still in use/.test(reason))
          return undefined;
        throw new Error(`Postgres in ${place.directory} ended during its start:\n${reason}`);
      }
      const file = readPidFile(place.data);
      if (file?.pid === child.pid && file?.status === 'ready') {
        child.unref();
        renameSync(ownLog, place.log);
        writeFileSync(join(place.directory, 'port'), `${port}\n`);
        isReady = true;
        return { port, pid: file.pid, child, guard };
      }
    }
    child.kill('SIGKILL');
    throw new Error(
      `Postgres in ${place.directory} was not ready within ${START_DEADLINE_MS / 1000} s:\n${logTail(ownLog)}`,
    );
  } finally {
    if (!isReady) await endGuard(guard);
    rmSync(ownLog, { force: true });
  }
}

function portTaken(port: number): Error {
  const holder = findListeningProcess(port) ?? 'another process';
  return new Error(
    `Port ${port} for Postgres is taken by ${holder}: stop it, or choose another port (GATEHOUSE_PORT_OFFSET changes all ports).`,
  );
}

/** Guards a server when it must end with this process. */
function guardServer(place: Place, pid: number, { stopWithParent = true }: PostgresOptions): ChildProcess | undefined {
  return stopWithParent && process.platform !== 'win32' ? startGuard(place.data, pid) : undefined;
}

function createHandle(place: Place, { port, pid, child, guard }: RunningServer): PostgresServer {
  const exited = watch(place, pid, child).then(() => endGuard(guard));
  const url = adminUrl(place, port);
  return {
    adminUrl: url,
    port,
    pid,
    adopted: child === undefined,
    exited,
    database: (name) => {
      const [ownerRole, runtimeRole] = [`${name}_owner`, `${name}_runtime`];
      const passwords = { owner: rolePassword(place, ownerRole), runtime: rolePassword(place, runtimeRole) };
      return provisionDatabase(url, { database: name, ownerRole, runtimeRole, passwords });
    },
    async stop() {
      await end(place, pid);
      // Unlike the watch, this call keeps the process alive until the end of the server.
      const awake = setInterval(() => undefined, 1000);
      await exited;
      clearInterval(awake);
    },
  };
}

async function watch(place: Place, pid: number, child: ChildProcess | undefined): Promise<void> {
  while (child?.exitCode == null && child?.signalCode == null && isRunning(place.data, pid)) {
    await sleep(100, undefined, { ref: false });
  }
}

async function end(place: Place, pid: number): Promise<void> {
  if (!isRunning(place.data, pid)) return;
  const deadline = Date.now() + STOP_DEADLINE_MS;
  signalProcess(pid, 'SIGINT');
  while (isRunning(place.data, pid)) {
    if (Date.now() > deadline) signalProcess(pid, 'SIGQUIT');
    await sleep(20);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function choosePort(place: Place): Promise<number> {
  const file = join(place.directory, 'port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (last > 0 && (await isPortFree(last))) return last;
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isPortFree(port)) return port;
  }
}

async function dataDirectoryAt(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isPostgres(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

const adminUrl = (place: Place, port: number): string =>
  `postgres://${SUPERUSER}:${place.secret}@127.0.0.1:${port}/postgres`;

const rolePassword = (place: Place, role: string): string =>
  createHmac('sha256', place.secret).update(role).digest('base64url');

const logTail = (log: string): string =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n') : '';

const getErrorMessage = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message) ?? String(error);
};
