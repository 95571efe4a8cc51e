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
  request: JudgeRequest;
  resolve: (verdict: Verdict) => void;
}

/**
 * Answers up to this length are judged at once: that takes about as long as the way to the worker
 * and back.
 */
const INLINE_BYTES = 64 * 1024;
/**
 * How long the worker may take for one answer, from the moment in which it gets it, and how many
 * bytes may wait for it.
 */
const DEADLINE_MS = 10_000;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js', import.meta.url);

let worker: Worker | undefined;
let nextId = 0;
let waitingBytes = 0;
/** The answers that wait, the oldest first. */
const waiting: Waiting[] = [];
/** The answer that the worker judges. */
let judged: (Waiting & { timer: NodeJS.Timeout }) | undefined;

/**
 * Judges one answer: a small one in this thread, a large one in a worker that this process shares.
 * Why there is one worker and no library for it:
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
      nextId += 1;
      waiting.push({ request: { id: nextId, bytes, form, limits }, resolve });
      judgeNext();
    });
  } finally {
    waitingBytes -= length;
  }
}

/**
 * Gives the worker one answer at a time: an answer that takes too long ends the worker, and no
 * other answer with it.
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
  // Last: a listener for messages keeps the process alive.
  started.unref();
  return started;
}

/** Ends the worker; the next large answer starts another. */
function stop(): void {
  const stopped = worker;
  worker = undefined;
  void stopped?.terminate();
  settle({ excess: 'a message that could not be checked in time' });
}

/** Ends the answer that is judged, and begins the next one. */
function settle(verdict: Verdict): void {
  if (judged === undefined) return;
  const { resolve, timer } = judged;
  judged = undefined;
  clearTimeout(timer);
  resolve(verdict);
  judgeNext();
}
