import { Worker } from 'node:worker_threads';
import type { AnswerLimits } from './answer-limits.ts';
import type { Verdict } from './judge-answer.ts';
import { type AnswerForm, judge } from './judge-event.ts';

/** A request to the worker. */
export interface JudgeRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly form: AnswerForm;
  readonly limits: AnswerLimits;
}

interface Waiting {
  request: JudgeRequest;
  resolve: (verdict: Verdict) => void;
}

/** Answers up to this length are judged in this thread, which is as fast as the worker for them. */
const INLINE_BYTES = 64 * 1024;
/** Time limit of the worker for one answer, and the maximum number of waiting bytes. */
const DEADLINE_MS = 10_000;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js', import.meta.url);

let worker: Worker | undefined;
let nextId = 0;
let waitingBytes = 0;
/** The waiting answers, oldest first. */
const waiting: Waiting[] = [];
/** The answer that the worker judges now. */
let judged: (Waiting & { timer: NodeJS.Timeout }) | undefined;

/**
 * Judges one answer: a small one in this thread, a large one in the worker of this process. See
 * docs/decisions/0003-judge-large-answers-in-a-worker.md.
 * @param bytes the answer; the caller must not use it afterwards
 */
export async function judgeInTime(bytes: Uint8Array, form: AnswerForm, limits: AnswerLimits): Promise<Verdict> {
  if (bytes.length <= INLINE_BYTES) return judge(bytes, form, limits);
  if (waitingBytes + bytes.length > MAX_WAITING_BYTES)
    return { excess: 'more bytes than can be checked at the moment' };
  const { length } = bytes;
  waitingBytes += length;
  try {
    return await new Promise<Verdict>((resolve) => {
      nextId += 1;
      waiting.push({ request: { id: nextId, bytes, form, limits }, resolve });
      judgeNext();
    });
  } finally {
    waitingBytes -= length;
  }
}

/**
 * Sends the next answer to the worker. It has one at a time, so a timeout affects no other answer.
 */
function judgeNext(): void {
  if (judged !== undefined) return;
  const next = waiting.shift();
  if (next === undefined) return;
  judged = { ...next, timer: setTimeout(stop, DEADLINE_MS).unref() };
  const { bytes } = next.request;
  const buffer = bytes.buffer;
  const owned = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
  (worker ??= start()).postMessage(next.request, owned);
}

function start(): Worker {
  const started = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  started.on('message', ({ id, verdict }: { id: number; verdict: Verdict }) => {
    if (judged?.request.id === id) settle(verdict);
  });
  const ended = () => {
    if (worker === started) stop();
  };
  started.on('error', ended);
  started.on('exit', ended);
  // `unref` is the last call, because a listener for messages keeps the process alive.
  started.unref();
  return started;
}

/** Ends the worker. The next large answer starts a new one. */
function stop(): void {
  const stopped = worker;
  worker = undefined;
  void stopped?.terminate();
  settle({ excess: 'a message that could not be checked in time' });
}

/** Resolves the current answer and sends the next one. */
function settle(verdict: Verdict): void {
  if (judged === undefined) return;
  const { resolve, timer } = judged;
  judged = undefined;
  clearTimeout(timer);
  resolve(verdict);
  judgeNext();
}
