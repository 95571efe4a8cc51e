import { Worker } from 'node:worker_threads';
import type { ResponseLimits } from './response-limits.ts';
import type { CheckResult } from './check-response.ts';
import { type ResponseForm, checkResponse } from './check-event.ts';

/** A request to the worker. */
export interface CheckRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly form: ResponseForm;
  readonly limits: ResponseLimits;
}

interface WaitingResponse {
  request: CheckRequest;
  resolve: (verdict: CheckResult) => void;
}

/**
 * Responses up to this length are checked in this thread, which is as fast as the worker for them.
 */
export const INLINE_BYTES = 64 * 1024;
/** Time limit of the worker for one response, and the maximum number of waiting bytes. */
const DEADLINE_MS = 10_000;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './response-worker.ts' : './response-worker.js',
  import.meta.url,
);

let worker: Worker | undefined;
let nextId = 0;
let waitingBytes = 0;
/** The waiting responses, oldest first. */
const waitingResponses: WaitingResponse[] = [];
/** The response that the worker checks now. */
let currentResponse: (WaitingResponse & { timer: NodeJS.Timeout }) | undefined;

/**
 * Checks one response: a small one in this thread, a large one in the worker of this process. See
 * docs/decisions/0003-check-large-responses-in-a-worker.md.
 * @param bytes the response; the caller must not use it afterwards
 */
export async function checkInTime(bytes: Uint8Array, form: ResponseForm, limits: ResponseLimits): Promise<CheckResult> {
  if (bytes.length <= INLINE_BYTES) return checkResponse(bytes, form, limits);
  if (waitingBytes + bytes.length > MAX_WAITING_BYTES)
    return { excess: 'more bytes than can be checked at the moment' };
  const { length } = bytes;
  waitingBytes += length;
  try {
    return await new Promise<CheckResult>((resolve) => {
      nextId += 1;
      waitingResponses.push({ request: { id: nextId, bytes, form, limits }, resolve });
      checkNext();
    });
  } finally {
    waitingBytes -= length;
  }
}

/**
 * Sends the next response to the worker. It has one at a time, so a timeout affects no other
 * response.
 */
function checkNext(): void {
  if (currentResponse !== undefined) return;
  const next = waitingResponses.shift();
  if (next === undefined) return;
  currentResponse = { ...next, timer: setTimeout(stop, DEADLINE_MS).unref() };
  const { bytes } = next.request;
  const buffer = bytes.buffer;
  const owned = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
  (worker ??= start()).postMessage(next.request, owned);
}

function start(): Worker {
  const started = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  started.on('message', ({ id, verdict }: { id: number; verdict: CheckResult }) => {
    if (currentResponse?.request.id === id) settle(verdict);
  });
  const handleExit = () => {
    if (worker === started) stop();
  };
  started.on('error', handleExit);
  started.on('exit', handleExit);
  // `unref` is the last call, because a listener for messages keeps the process alive.
  started.unref();
  return started;
}

/** Ends the worker. The next large response starts a new one. */
function stop(): void {
  const stopped = worker;
  worker = undefined;
  void stopped?.terminate();
  settle({ excess: 'a message that could not be checked in time' });
}

/** Resolves the current response and sends the next one. */
function settle(verdict: CheckResult): void {
  if (currentResponse === undefined) return;
  const { resolve, timer } = currentResponse;
  currentResponse = undefined;
  clearTimeout(timer);
  resolve(verdict);
  checkNext();
}
