import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';

/** Options of {@link AuditLog}. */
export interface AuditLogOptions {
  readonly path: string;
  /** Size in bytes at which the file becomes an older one. */
  readonly maxBytes: number;
  /** Number of older files that are kept: `path.1` is the newest. */
  readonly maxFiles: number;
  /** Receives sentences about lost events and their end. */
  readonly report: (sentence: string) => void;
  /** Milliseconds of a clock that never goes back. Default: that of the process. */
  readonly now?: () => number;
}

/** How long the file is taken for the one at its path without another look at it. */
const LOOK_MS = 100;

/** An open file, as the last look at it has found it and by what was written since. */
interface OpenFile {
  readonly descriptor: number;
  readonly ino: number;
  readonly dev: number;
  size: number;
  lookedAt: number;
}

/** Lines that wait for the end of a turn of the event loop; more are lost. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Pause between attempts while the file cannot be written. */
const RETRY_MS = 1_000;

/**
 * An audit log with older files. The lines of one turn of the event loop are written together, by
 * one synchronous write. Writing never throws: a full disk loses events, which is reported, and the
 * traffic continues. A file that another program has moved or removed is created again, at most
 * {@link LOOK_MS} later.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #now: () => number;
  #file: OpenFile | undefined;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isScheduled = false;
  #lost = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last line is incomplete, because the disk was full. */
  #isCut = false;

  /** @throws Error when the file cannot be opened */
  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#file = openFile(options.path, this.#now());
  }

  /** Appends a line at the end of this turn of the event loop. */
  write(line: string): void {
    if (this.#waitingLength > MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  /** Writes the waiting lines and closes the file. */
  close(): void {
    this.#flush();
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#isScheduled = false;
    if (lines.length === 0) return;
    if (this.#now() - this.#failedAt < RETRY_MS) {
      this.#lost += lines.length;
      return;
    }
    try {
      const bytes = Buffer.from(`${this.#isCut ? '\n' : ''}${lines.join('')}`);
      const file = this.#openFile(bytes.length);
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(file.descriptor, bytes, at);
        file.size += written;
        at += written;
        this.#isCut = at < bytes.length;
      }
      this.#recover();
    } catch (error) {
      this.#fail(error, lines.length);
    }
  }

  #openFile(more: number): OpenFile {
    const { path, maxBytes } = this.#options;
    const now = this.#now();
    const file = this.#file;
    if (file !== undefined && (now - file.lookedAt >= LOOK_MS || file.size + more > maxBytes)) {
      const named = statSync(path, { throwIfNoEntry: false });
      const isOurs = named?.ino === file.ino && named.dev === file.dev;
      const isFull = isOurs && named.size > 0 && named.size + more > maxBytes;
      if (isFull) this.#rotate();
      if (isFull || !isOurs) {
        closeSync(file.descriptor);
        this.#file = undefined;
        this.#isCut = false;
      } else {
        file.size = named.size;
        file.lookedAt = now;
      }
    }
    return (this.#file ??= openFile(path, now));
  }

  #rotate(): void {
    const { path, maxFiles } = this.#options;
    for (let number = maxFiles - 1; number >= 1; number -= 1) {
      if (statSync(`${path}.${number}`, { throwIfNoEntry: false }) !== undefined)
        renameSync(`${path}.${number}`, `${path}.${number + 1}`);
    }
    renameSync(path, `${path}.1`);
  }

  #fail(error: unknown, count: number): void {
    if (this.#failedAt === Number.NEGATIVE_INFINITY) {
      const { path, report } = this.#options;
      report(`audit events are lost: ${path} cannot be written: ${describeFileProblem(error)}`);
    }
    this.#lost += count;
    this.#failedAt = this.#now();
  }

  #recover(): void {
    if (this.#failedAt === Number.NEGATIVE_INFINITY && this.#lost === 0) return;
    this.#options.report(`${this.#options.path} is written again; ${this.#lost} audit events were lost`);
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.#lost = 0;
  }
}

function openFile(path: string, lookedAt: number): OpenFile {
  const descriptor = openSync(path, 'a', 0o600);
  const { ino, dev, size } = fstatSync(descriptor);
  return { descriptor, ino, dev, size, lookedAt };
}
