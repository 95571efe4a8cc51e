import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, replaceFileLazily, writeDurably } from '@gatehouse/local-files/atomic-file';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { getPortsFolder, getWorkloadsFolder, type Home } from './home.ts';
import { parsePort } from '../flags/ports.ts';
import { isDiskFull, writeState } from './full-disk.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { readRunConfig, writeRunConfig, type RunConfig } from '../configuration/run-config.ts';
import { isWorkloadName } from '../flags/workload-name.ts';

/** The last status that the processes of a workload wrote. `state.ts` determines the actual one. */
export interface StoredStatus {
  readonly status: 'starting' | 'running' | 'stopping' | 'stopped' | 'error';
  /** Reason for the status, in one sentence. */
  readonly context?: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
  /** The responsible process: the command that reserved the name, then the supervisor. */
  readonly process?: ProcessIdentity;
  /** The server has never answered. Such a workload is removed when its processes have ended. */
  readonly first_start?: true;
  /** A command stops the workload, so that `start --all` does not start it again. */
  readonly stop_requested?: true;
  /**
   * A signal that no command sent has stopped it: the machine was shut down. `process` is the last
   * supervisor.
   */
  readonly shut_down?: true;
  /** The time of the last start of the server, ISO 8601. */
  readonly started_at?: string;
  /** How often the supervisor has started the server again. */
  readonly restarts?: number;
}

/** One workload as stored on disk. */
export interface StoredWorkload {
  readonly name: string;
  /** Undefined when the document cannot be read; `problem` is the reason. */
  readonly config: RunConfig | undefined;
  readonly status: StoredStatus | undefined;
  readonly problem?: string;
  /** The command that removes the workload; it may have ended. */
  readonly removal?: ProcessIdentity | undefined;
}

/** Folders with this prefix are workloads that are being created or removed. */
const TEMPORARY_PREFIX = '.';
/** The file of a workload that is being removed, with the identity of the removing process. */
const REMOVAL_FILE = 'removal.json';
/** Age after which a temporary folder is removed. */
const ABANDONED_MS = 10 * 60_000;

/** The ports below it belong to the services of the machine. */
const FIRST_UNPRIVILEGED_PORT = 1_024;

const serializeJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Stores the workloads of one home, each in a folder. A rename creates and removes the folder, so
 * that exactly one of several commands gets a name and a crash leaves no partial workload.
 */
export class WorkloadStore {
  readonly #home: Home;

  constructor(home: Home) {
    this.#home = home;
  }

  /** Returns the folder of a workload; it exists while the name is in use. */
  getFolder(name: string): string {
    if (!isWorkloadName(name)) throw new WorkloadError('usage', `'${name}' is not a workload name`);
    return join(getWorkloadsFolder(this.#home), name);
  }

  /** Returns the path of the log of proxy and supervisor. */
  getProxyLogPath(name: string): string {
    return join(this.getFolder(name), 'proxy.log');
  }

  /** Returns the path of the audit log of a workload whose configuration names no other one. */
  getAuditLogPath(name: string): string {
    return join(this.getFolder(name), 'audit.log');
  }

  /** Returns the path of the socket that shows the last requests of the proxy. */
  getInspectionPath(name: string): string {
    return join(this.getFolder(name), 'inspect.sock');
  }

  /** Returns the path of the log with the stderr of stdio servers. */
  getServerLogPath(name: string): string {
    return join(this.getFolder(name), 'server.log');
  }

  /**
   * Reserves a name and stores its configuration and status.
   * @throws WorkloadError (conflict) when the name is in use.
   */
  reserve(config: RunConfig, process: ProcessIdentity | undefined, now: Date): void {
    const parent = getWorkloadsFolder(this.#home);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    this.#sweep(parent, now);
    const draft = join(parent, `${TEMPORARY_PREFIX}new-${randomBytes(6).toString('hex')}`);
    mkdirSync(draft, { mode: 0o700 });
    try {
      const at = now.toISOString();
      const status: StoredStatus = {
        status: 'starting',
        created_at: at,
        updated_at: at,
        first_start: true,
        ...(process && { process }),
      };
      writeState(parent, () => {
        writeDurably(join(draft, 'run.json'), writeRunConfig(config));
        writeDurably(join(draft, 'status.json'), serializeJson(status));
      });
      renameSync(draft, this.getFolder(config.name));
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
      throw createReservedError(config.name);
    }
  }

  /**
   * Returns the names whose first start was interrupted: the command and the supervisor have ended
   * before the server answered.
   * @param workloads the workloads as the caller has read them; default: all
   */
  listInterrupted(workloads: readonly Pick<StoredWorkload, 'name' | 'status'>[] = this.#listStatuses()): string[] {
    return workloads
      .filter(({ status }) => status?.first_start === true && !isAlive(status.process))
      .map(({ name }) => name);
  }

  /** Runs `work` while no other process of this home removes interrupted workloads. */
  async withRemovalLock<T>(work: () => Promise<T>): Promise<T> {
    const { withProcessLock } = await import('@gatehouse/local-files/process-lock');
    return withProcessLock(join(this.#home.folder, 'removal.lock'), work);
  }

  /** Whether the name is in use. */
  has(name: string): boolean {
    return isWorkloadName(name) && existsSync(this.getFolder(name));
  }

  /** Returns all workloads, sorted by name. */
  list(): StoredWorkload[] {
    return this.#listNames().flatMap((name) => this.read(name) ?? []);
  }

  #listNames(): string[] {
    const parent = getWorkloadsFolder(this.#home);
    if (!existsSync(parent)) return [];
    return readdirSync(parent)
      .filter((name) => !name.startsWith(TEMPORARY_PREFIX) && isWorkloadName(name))
      .sort();
  }

  #listStatuses(): Pick<StoredWorkload, 'name' | 'status'>[] {
    return this.#listNames().map((name) => ({ name, status: this.readStatus(name) }));
  }

  /** Reads the status of a workload without its configuration; undefined for a damaged one. */
  readStatus(name: string): StoredStatus | undefined {
    return isWorkloadName(name) ? findStatus(this.getFolder(name)) : undefined;
  }

  /** Returns one workload; undefined when there is none of that name. */
  read(name: string): StoredWorkload | undefined {
    if (!this.has(name)) return undefined;
    const folder = this.getFolder(name);
    let config: RunConfig | undefined;
    let problem: string | undefined;
    try {
      const read = readRunConfig(readFileSync(join(folder, 'run.json'), 'utf8'));
      if (read.name !== name) throw new Error(`the configuration belongs to the workload ${read.name}`);
      const missing = (['image', 'engine', 'container_name'] as const).find(
        (field) => read[field] === '' && !(field === 'image' && (read.source ?? read.remote_url) !== undefined),
      );
      if (missing !== undefined) throw new Error(`the configuration has no ${missing}`);
      config = read;
    } catch (error) {
      if (!existsSync(folder)) return undefined;
      problem = `run.json cannot be read: ${getErrorMessage(error)}`;
    }
    let status: StoredStatus | undefined;
    try {
      status = readStatus(folder);
    } catch (error) {
      problem ??= `status.json cannot be read: ${getErrorMessage(error)}`;
    }
    const removal = findRemoval(folder);
    return { name, config, status, ...(problem !== undefined && { problem }), ...(removal && { removal }) };
  }

  /** Replaces the configuration of an existing workload. */
  writeConfig(config: RunConfig): void {
    this.#writeConfig(config, replaceFile);
  }

  /**
   * Replaces the configuration of a workload that starts. After a crash of the machine it can have
   * the one before, until the workload runs: the status `running` is flushed with its folder.
   */
  writeConfigOfStart(config: RunConfig): void {
    this.#writeConfig(config, replaceFileLazily);
  }

  #writeConfig(config: RunConfig, replace: typeof replaceFile): void {
    const folder = this.getFolder(config.name);
    writeState(folder, () => replace(join(folder, 'run.json'), writeRunConfig(config)));
  }

  /**
   * Whether the workload of a name is the one that was created at this time, and not a later one. A
   * status that cannot be read counts as the one expected.
   */
  isCreatedAt(name: string, createdAt: string | undefined): boolean {
    const found = this.readStatus(name)?.created_at;
    return found === undefined ? this.has(name) : createdAt === undefined || found === createdAt;
  }

  /**
   * Replaces the status of a workload, unless it was removed. After a crash of the machine during a
   * first start, it can be the one before, which also says that the first start was interrupted.
   */
  writeStatus(name: string, change: Omit<StoredStatus, 'created_at' | 'updated_at'>, now: Date): void {
    const at = now.toISOString();
    const created_at = this.readStatus(name)?.created_at ?? at;
    try {
      const folder = this.getFolder(name);
      const text = serializeJson({ ...change, created_at, updated_at: at });
      const replace = change.status === 'starting' && change.first_start === true ? replaceFileLazily : replaceFile;
      writeState(folder, () => replace(join(folder, 'status.json'), text));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Stores that a command stops the workload. The other fields of its status stay. */
  requestStop(name: string, now: Date): void {
    const status = this.readStatus(name);
    if (status === undefined) return;
    const { created_at: _created, updated_at: _updated, ...present } = status;
    // Without a supervisor, a killed command leaves nothing that would end this status.
    const next = isAlive(status.process) ? present : { ...present, status: 'stopping' as const };
    this.writeStatus(name, { ...next, stop_requested: true }, now);
  }

  /** Stores that a process removes the workload, until the folder is removed or the end of it. */
  markRemoval(name: string, process: ProcessIdentity): void {
    try {
      replaceFile(join(this.getFolder(name), REMOVAL_FILE), serializeJson(process));
    } catch (error) {
      // A removal frees space, so that it works without the mark.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !isDiskFull(error)) throw error;
    }
  }

  /** Ends the removal of a workload that stays. */
  clearRemoval(name: string): void {
    rmSync(join(this.getFolder(name), REMOVAL_FILE), { force: true });
  }

  /**
   * Removes a workload; its proxy port stays stored.
   * @returns the last responsible process. It can differ from the one that the caller has read.
   */
  remove(name: string): ProcessIdentity | undefined {
    const gone = join(getWorkloadsFolder(this.#home), `${TEMPORARY_PREFIX}gone-${randomBytes(6).toString('hex')}`);
    try {
      renameSync(this.getFolder(name), gone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const last = findStatus(gone);
    rmSync(gone, { recursive: true, force: true });
    return last?.process;
  }

  /** Returns the last proxy port of a name. */
  findRememberedPort(name: string): number | undefined {
    try {
      return parsePort(readFileSync(join(getPortsFolder(this.#home), name), 'utf8').trim());
    } catch {
      return undefined;
    }
  }

  /** Stores the proxy port of a name. It outlasts the workload, unless the machine crashes. */
  rememberPort(name: string, port: number): void {
    mkdirSync(getPortsFolder(this.#home), { recursive: true, mode: 0o700 });
    replaceFileLazily(join(getPortsFolder(this.#home), name), `${port}\n`);
  }

  /**
   * Stores the port that the publisher of a server proposes, unless the name has a port, or the
   * port belongs to another name. Like every stored port, it gives way to a program that has it.
   */
  proposePort(name: string, port: number): void {
    const isUsed = this.findRememberedPort(name) !== undefined || this.listPortsOfOthers(name).has(port);
    if (port >= FIRST_UNPRIVILEGED_PORT && !isUsed) this.rememberPort(name, port);
  }

  /** Returns the stored ports of other names. */
  listPortsOfOthers(name: string): Map<number, string> {
    const folder = getPortsFolder(this.#home);
    if (!existsSync(folder)) return new Map();
    return new Map(
      readdirSync(folder)
        .filter((other) => other !== name && isWorkloadName(other))
        .flatMap((other) => {
          const port = this.findRememberedPort(other);
          return port === undefined ? [] : [[port, other] as const];
        }),
    );
  }

  /** Removes the temporary folders of killed commands. */
  #sweep(parent: string, now: Date): void {
    chmodSync(parent, 0o700);
    for (const entry of readdirSync(parent)) {
      if (!entry.startsWith(TEMPORARY_PREFIX)) continue;
      const path = join(parent, entry);
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
      if (now.getTime() - changed > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
    }
  }
}

/** The error for a name that another workload has. */
export const createNameConflict = (name: string, tryNext: readonly string[]): WorkloadError =>
  new WorkloadError('conflict', `A workload named '${name}' already exists`, tryNext);

/** The error for a new workload whose name another one has. */
export const createReservedError = (name: string): WorkloadError =>
  createNameConflict(name, [`gatehouse rm ${name}   removes it`, '--name NAME   runs a second one beside it']);

const STATUSES: readonly unknown[] = ['starting', 'running', 'stopping', 'stopped', 'error'];

/** Reads the status in a folder. @throws Error when it is missing or invalid. */
function readStatus(folder: string): StoredStatus {
  const found = JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')) as Partial<StoredStatus> | null;
  const { status, context, created_at, process, first_start } = found ?? {};
  const isValid =
    STATUSES.includes(status) &&
    ['string', 'undefined'].includes(typeof context) &&
    typeof created_at === 'string' &&
    ['true', 'undefined'].includes(String(first_start)) &&
    (process === undefined || (Number.isInteger(process.pid) && typeof process.started === 'string'));
  if (!isValid) throw new Error('it is not a valid status');
  return found as StoredStatus;
}

/** Reads the status in a folder; undefined when it is missing or invalid. */
function findStatus(folder: string): StoredStatus | undefined {
  try {
    return readStatus(folder);
  } catch {
    return undefined;
  }
}

/** Reads the process that removes the workload in a folder. A damaged file names an ended one. */
function findRemoval(folder: string): ProcessIdentity | undefined {
  const path = join(folder, REMOVAL_FILE);
  // Nearly all workloads have none, and an exception costs more than this call.
  if (!existsSync(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const ended = { pid: 0, started: '' };
  try {
    const found = JSON.parse(text) as Partial<ProcessIdentity> | null;
    const { pid, started } = found ?? {};
    return Number.isInteger(pid) && typeof started === 'string' ? { pid: Number(pid), started } : ended;
  } catch {
    return ended;
  }
}

/** The configuration of a workload. @throws WorkloadError (failed) for a damaged one */
export function requireConfig(workload: StoredWorkload): RunConfig {
  if (workload.config) return workload.config;
  throw new WorkloadError(
    'failed',
    `The workload ${workload.name} is damaged: ${workload.problem ?? 'its state is missing'}`,
    [`gatehouse rm ${workload.name}   removes the rest of it`],
  );
}
