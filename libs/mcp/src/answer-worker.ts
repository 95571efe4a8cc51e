import { parentPort } from 'node:worker_threads';
import type { JudgeRequest } from './answer-judge.ts';
import { judge } from './judge-event.ts';

/** The thread in which large answers are judged. It gives back bytes, never the parsed value. */
parentPort?.on('message', ({ id, bytes, form, limits }: JudgeRequest) => {
  const verdict = judge(bytes, form, limits);
  const buffer = 'bytes' in verdict ? verdict.bytes.buffer : undefined;
  parentPort?.postMessage({ id, verdict }, buffer instanceof ArrayBuffer && buffer.byteLength > POOLED ? [buffer] : []);
});

/** A small buffer may be a part of a pool that belongs to others. */
const POOLED = 64 * 1024;
