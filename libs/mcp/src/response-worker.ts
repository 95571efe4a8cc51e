import { parentPort } from 'node:worker_threads';
import type { CheckRequest } from './response-checker.ts';
import { checkResponse } from './check-event.ts';

/** The thread that checks large responses. It returns bytes, never the parsed value. */
parentPort?.on('message', ({ id, bytes, form, limits }: CheckRequest) => {
  const verdict = checkResponse(bytes, form, limits);
  const buffer = 'bytes' in verdict ? verdict.bytes.buffer : undefined;
  parentPort?.postMessage({ id, verdict }, buffer instanceof ArrayBuffer && buffer.byteLength > POOLED ? [buffer] : []);
});

/** Size up to which a buffer can be part of a shared pool, which must not be transferred. */
const POOLED = 64 * 1024;
