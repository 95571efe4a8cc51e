import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Tinypool } from 'tinypool';

import type redact from './redaction-worker.ts';
import type { RedactedTexts, RedactionTask } from './redaction-worker.ts';

/** Texts could not be redacted in time, so they must not be passed on. */
export class RedactionFailedError extends GatehouseError {
  override readonly code = 'redaction_failed';
}

/** Longest time for the texts of one message. */
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

/**
 * Redacts texts in a thread of its own, so that a slow search does not hold the event loop. A
 * thread that misses the deadline is ended. See docs/decisions/0203-redact-with-re2js.md.
 * @param deadlineMs longest time, including the wait for a free thread
 * @throws RedactionFailedError
 */
export async function redactInWorker(task: RedactionTask, deadlineMs = DEADLINE_MS): Promise<RedactedTexts> {
  const length = getLength(task.texts);
  if (waitingLength + length > MAX_WAITING_LENGTH) throw new RedactionFailedError('too many texts wait for redaction');
  waitingLength += length;
  try {
    const redacted = await runInTime(task, deadlineMs);
    if (getLength(redacted.texts) > Math.max(length, MAX_REDACTED_LENGTH))
      throw new RedactionFailedError(`the redacted texts have more than ${MAX_REDACTED_LENGTH} characters`);
    return redacted;
  } finally {
    waitingLength -= length;
  }
}

async function runInTime(task: RedactionTask, deadlineMs: number): Promise<RedactedTexts> {
  // With no thread at all, a task that waits behind an ended one would never start.
  pool ??= new Tinypool({ filename: WORKER.href, minThreads: 1, maxThreads: MAX_THREADS });
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return (await pool.run(task, { signal: deadline.signal })) as ReturnType<typeof redact>;
  } catch (cause) {
    throw new RedactionFailedError('the texts could not be redacted', { cause });
  } finally {
    clearTimeout(timer);
  }
}

const getLength = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
