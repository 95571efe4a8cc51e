import { Worker } from 'node:worker_threads';
import type { AnswerLimits } from './answer-limits.ts';
import type { Verdict } from './judge-answer.ts';
import { type AnswerForm, judge } from './judge-event.ts';

/** A question to the worker. */
export interface JudgeRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly form: AnswerForm;
  readonly limits: AnswerLimits;
}

interface Waiting {
  resolve: (verdict: Verdict) => void;
  timer: NodeJS.Timeout;
}

/** Answers up to this length are judged at once: that takes about as long as the way to the worker and back. */
const INLINE_BYTES = 64 * 1024;
/** How long the worker may take for one answer, and how many bytes may wait for it. */
const DEADLINE_MS = 10_000;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js', import.meta.url);

let worker: Worker | undefined;
let nextId = 0;
let waitingBytes = 0;
const waiting = new Map<number, Waiting>();

/**
 * Judges one answer: a small one in this thread, a large one in a worker that this process shares. Why there is one worker and no library for it:
 * docs/decisions/0003-judge-large-answers-in-a-worker.md.
 * @param bytes belong to the judge from now on
 */
export async function judgeInTime(bytes: Uint8Array, form: AnswerForm, limits: AnswerLimits): Promise<Verdict> {
  if (bytes.length <= INLINE_BYTES) return judge(bytes, form, limits);
  if (waitingBytes + bytes.length > MAX_WAITING_BYTES)
    return { excess: 'more bytes than can be checked at the moment' };
  const { length } = bytes;
  waitingBytes += length;
  try {
    return await new Promise<Verdict>((resolve) => {
      const id = (nextId += 1);
      const timer = setTimeout(stop, DEADLINE_MS).unref();
      waiting.set(id, { resolve, timer });
      const buffer = bytes.buffer;
      const owned = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
      (worker ??= start()).postMessage({ id, bytes, form, limits } satisfies JudgeRequest, owned);
    });
  } finally {
    waitingBytes -= length;
  }
}

function start(): Worker {
  const started = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  started.on('message', ({ id, verdict }: { id: number; verdict: Verdict }) => settle(id, verdict));
  started.on('error', stop);
  started.on('exit', () => {
    if (worker === started) stop();
  });
  // Last: a listener for messages keeps the process alive.
  started.unref();
  return started;
}

/** Ends the worker; the next large answer starts another. */
function stop(): void {
  const stopped = worker;
  worker = undefined;
  void stopped?.terminate();
  for (const id of [...waiting.keys()]) settle(id, { excess: 'a message that could not be checked in time' });
}

function settle(id: number, verdict: Verdict): void {
  const request = waiting.get(id);
  if (request === undefined) return;
  waiting.delete(id);
  clearTimeout(request.timer);
  request.resolve(verdict);
}
