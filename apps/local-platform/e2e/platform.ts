import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePortOffset } from '@gatehouse/testing/ports';
import { compileCache } from '@gatehouse/testing/process';
import type { PlatformFile } from '../src/platform-file.ts';
import { DEFAULT_PORTS } from '../src/ports.ts';

/** The built program. */
export const MAIN = resolve(import.meta.dirname, '../dist/main.js');

/** Options of a start. */
export interface StartOptions {
  /** Default: a new folder, removed by `remove()`. */
  home?: string;
  /** Default: an offset at which every port is free. */
  offset?: number;
  env?: Record<string, string>;
  /** The command that starts the platform. Default: the built program. */
  command?: [string, ...string[]];
  cwd?: string;
}

/** The exit code and the output of a failed start. */
export interface FailedStart {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Optional properties of a token. */
export interface TokenOptions {
  audience?: string;
  ttl_seconds?: number;
}

/** A running platform. */
export class RunningPlatform {
  readonly home: string;
  readonly offset: number;
  /** The content of platform.json. */
  readonly json: PlatformFile;
  readonly process: ChildProcess;
  readonly #output: { stdout: string; stderr: string };

  constructor(home: string, offset: number, child: ChildProcess, output: { stdout: string; stderr: string }) {
    this.home = home;
    this.offset = offset;
    this.process = child;
    this.#output = output;
    this.json = JSON.parse(output.stdout) as PlatformFile;
  }

  /** The output so far. */
  get output(): { stdout: string; stderr: string } {
    return this.#output;
  }

  /**
   * Issues an access token of a user, or of a service client (`connector-gateway`, `ai-gateway`,
   * `ai-gateway-mgmt`).
   */
  async token(name: string, options: TokenOptions = {}): Promise<string> {
    const secret = readFileSync(join(this.home, 'secrets', 'local-tokens'), 'utf8');
    const owner = name.includes('gateway') ? { client: name } : { user: name };
    const response = await fetch(`${this.json.issuer}/local/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ ...owner, ...options }),
    });
    const body = (await response.json()) as { access_token?: string; error?: string };
    if (body.access_token === undefined) throw new Error(body.error);
    return body.access_token;
  }

  /** Returns the password of a user, from credentials.json. */
  password(name: string): string {
    const { users } = JSON.parse(readFileSync(join(this.home, 'credentials.json'), 'utf8')) as {
      users: { name: string; password: string }[];
    };
    return users.find((user) => user.name === name)!.password;
  }

  /** Returns process ids by name: `supervisor`, every service, and `postgres`. */
  pids(): Record<string, number> {
    const services = listPlatformProcesses(this.home).flatMap(({ pid, command }): [string, number][] => {
      const name = /apps\/([a-z-]+)\/dist\/(?:([a-z-]+)\/)?main\.js$/.exec(command);
      if (command.includes('--import') && name) return [[getServiceName(name[1]!, name[2]), pid]];
      return [];
    });
    return { supervisor: this.json.pid, ...Object.fromEntries(services), ...serverPid(this.home) };
  }

  /** Waits until every service is ready. */
  async ready(): Promise<void> {
    const { connector_gateway: _mcp, ...urls } = this.json.urls;
    await until('every service is ready', async () => {
      const statuses = await Promise.all(Object.values(urls).map((url) => fetchStatus(`${url}/readyz`)));
      return statuses.every((status) => status === 200);
    });
  }

  /** Stops the platform. @returns its exit code */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Whether the process that was started has ended. */
  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.process, 'exit');
    return this.process.exitCode;
  }

  /** Stops the platform, waits for the end of all its processes, and removes the home. */
  async remove(): Promise<void> {
    await this.stop();
    await untilGone(this.home);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/**
 * Starts the built platform and waits until it is ready. Tries other ports when another program
 * takes one of them before the start.
 * @throws {Error} with the output of a failed start
 */
export async function startPlatform(options: StartOptions = {}): Promise<RunningPlatform> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryPlatform(options);
    if (started instanceof RunningPlatform) return started;
    const portTaken = options.offset === undefined && started.stderr.includes('GATEHOUSE_PORT_OFFSET=');
    if (attempt === 3 || !portTaken)
      throw new Error(`the platform ended with ${started.code ?? 'a signal'}:\n${started.stderr}`);
  }
}

/** Starts the built platform. @returns the running platform or the failed start */
export async function tryPlatform(options: StartOptions = {}): Promise<RunningPlatform | FailedStart> {
  const home = options.home ?? newHome();
  const offset = options.offset ?? (await freeOffset());
  const [program, ...args] = options.command ?? [process.execPath, MAIN, '--json'];
  const child = spawn(program, args, {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      GATEHOUSE_HOME: home,
      GATEHOUSE_PORT_OFFSET: String(offset),
      ...compileCache,
      ...options.env,
    },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(() => 'ended');
  while (!output.stdout.includes('\n')) {
    if ((await Promise.race([ended, sleep(50)])) === 'ended') return { code: child.exitCode, ...output };
  }
  return new RunningPlatform(home, offset, child, output);
}

/** Creates a home folder. */
export const newHome = (): string => mkdtempSync(join(tmpdir(), 'gatehouse-home-'));

/** Finds an offset at which every port of a platform is free. */
export const freeOffset = (): Promise<number> => freePortOffset(Object.values(DEFAULT_PORTS));

/** Waits until no process of a home is left. */
export async function untilGone(home: string): Promise<void> {
  await until('no process of the home is left', () => Promise.resolve(listHomeProcesses(home).length === 0));
}

/** Returns the processes that a supervisor of this home started, without Postgres. */
export function listPlatformProcesses(home: string): { pid: number; command: string }[] {
  return allProcesses().filter(({ pid }) => {
    const environment = read(`/proc/${pid}/environ`).split('\0');
    return (
      environment.includes(`GATEHOUSE_HOME=${home}`) &&
      environment.some((entry) => entry.startsWith('GATEHOUSE_PLATFORM_PID='))
    );
  });
}

/**
 * Returns the processes whose environment or command line contains the home. Zombies do not
 * count.
 */
export function listHomeProcesses(home: string): { pid: number; command: string }[] {
  return allProcesses().filter(
    ({ pid, command }) =>
      command !== '' && (command.includes(home) || read(`/proc/${pid}/environ`).includes(`GATEHOUSE_HOME=${home}`)),
  );
}

/** Waits until a condition is true. @throws {Error} after two minutes */
export async function until(description: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end;) {
    if (await isTrue()) return;
    await sleep(100);
  }
  throw new Error(`waited 120 s until ${description}`);
}

/** Returns the status of a GET request; 0 without a response. */
export async function fetchStatus(url: string, token?: string): Promise<number> {
  try {
    const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

const getServiceName = (app: string, part: string | undefined): string => (part === 'identity-provider' ? part : app);

function serverPid(home: string): Record<string, number> {
  const pid = Number(read(join(home, 'postgres', 'data', 'postmaster.pid')).split('\n')[0]);
  return pid > 0 ? { postgres: pid } : {};
}

function allProcesses(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
