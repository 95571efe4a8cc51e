import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Tinypool } from 'tinypool';
import type redact from './redaction-worker.ts';
import type { RedactedTexts, RedactionTask } from './redaction-worker.ts';

/** Texts could not be redacted in time, so they must not be passed on. */
export class RedactionFailedError extends GatehouseError {
  override readonly code = 'redaction_failed';
}

/** Longest time for the texts of one message, including the wait for a thread. */
const DEADLINE_MS = 10_000;
/** Most characters that wait at the same time, and most characters of redacted texts. */
const MAX_WAITING_LENGTH = 128 * 1024 * 1024;
const MAX_REDACTED_LENGTH = 16 * 1024 * 1024;
const MAX_THREADS = 2;

const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './redaction-worker.ts' : './redaction-worker.js',
  import.meta.url,
);

let pool: Tinypool | undefined;
let waitingLength = 0;
/** The last task of each owner. */
const lastTasks = new Map<string, Promise<unknown>>();

/** The owner of the texts, and the limits of their wait and of their search. */
export interface RedactionOptions {
  /** The tasks of an owner run one after the other, so that none takes the threads of others. */
  readonly owner: string;
  readonly deadlineMs?: number;
}

/**
 * Redacts texts in a thread of its own, so that a slow search does not hold the event loop. A
 * thread that misses the deadline is ended. See docs/decisions/0203-redact-with-re2js.md.
 * @throws RedactionFailedError
 */
export async function redactInWorker(
  task: RedactionTask,
  { owner, deadlineMs = DEADLINE_MS }: RedactionOptions,
): Promise<RedactedTexts> {
  const length = getLength(task.texts);
  if (waitingLength + length > MAX_WAITING_LENGTH) throw new RedactionFailedError('too many texts wait for redaction');
  waitingLength += length;
  try {
    const redacted = await runInTime(task, owner, deadlineMs);
    if (getLength(redacted.texts) > Math.max(length, MAX_REDACTED_LENGTH))
      throw new RedactionFailedError(`the redacted texts have more than ${MAX_REDACTED_LENGTH} characters`);
    return redacted;
  } finally {
    waitingLength -= length;
  }
}

async function runInTime(task: RedactionTask, owner: string, deadlineMs: number): Promise<RedactedTexts> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await runInTurn(owner, () => run(task, deadline.signal));
  } catch (cause) {
    throw new RedactionFailedError('the texts could not be redacted in time', { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function run(task: RedactionTask, signal: AbortSignal): Promise<RedactedTexts> {
  signal.throwIfAborted();
  // With no thread at all, a task that waits behind an ended one would never start.
  pool ??= new Tinypool({ filename: WORKER.href, minThreads: 1, maxThreads: MAX_THREADS });
  return (await pool.run(task, { signal })) as ReturnType<typeof redact>;
}

function runInTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const done = (lastTasks.get(owner) ?? Promise.resolve()).then(work, work);
  lastTasks.set(owner, done);
  const forget = () => {
    if (lastTasks.get(owner) === done) lastTasks.delete(owner);
  };
  done.then(forget, forget);
  return done;
}

const getLength = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
