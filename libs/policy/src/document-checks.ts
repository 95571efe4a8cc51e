import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckRequest } from './check-worker.ts';
import type { ClaimMapping } from './claims.ts';
import type { Examination } from './document.ts';

/** Time limit for the check of one document. The largest valid documents need about a second. */
const CHECK_TIMEOUT_MS = 15_000;
/** The maximum number of documents that wait for a check. */
const MAX_WAITING = 32;

/** Too many documents wait for a check, or a check exceeds its time limit. A retry may succeed. */
export class ChecksBusyError extends GatehouseError {
  override readonly code = 'document_checks_busy';
}

/**
 * Examines documents in a worker thread, one after the other. A hostile document therefore cannot
 * block the event loop or crash the engine that decides. A thread that fails or exceeds the time
 * limit is terminated, and the next document gets a new thread.
 */
export class DocumentChecks {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private closed = false;
  /** Terminated threads that have not ended yet. */
  private readonly ending = new Set<Promise<unknown>>();

  private readonly timeoutMs: number;

  /** @param timeoutMs the time limit for one document */
  constructor(timeoutMs = CHECK_TIMEOUT_MS) {
    this.timeoutMs = timeoutMs;
  }

  /**
   * Examines a document as `examineDocument` does.
   * @throws ChecksBusyError; Error when the thread fails
   */
  async examine(text: string, connectorId: string, claims: ClaimMapping): Promise<Examination> {
    if (this.waiting >= MAX_WAITING) throw new ChecksBusyError('too many policies wait for their check');
    this.waiting += 1;
    const mine = this.last.then(() => this.requestExamination({ text, connectorId, claims }));
    this.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.waiting -= 1;
    }
  }

  /** Terminates the thread, waits for terminated ones, and rejects the checks that wait. */
  async close(): Promise<void> {
    this.closed = true;
    const { worker } = this;
    this.worker = undefined;
    if (worker) this.end(worker);
    await Promise.all(this.ending);
  }

  private end(worker: Worker): void {
    const gone = worker.terminate().finally(() => this.ending.delete(gone));
    this.ending.add(gone);
  }

  private requestExamination(request: CheckRequest): Promise<Examination> {
    if (this.closed) return Promise.reject(new ChecksBusyError('the service is stopping and checks no more policies'));
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        worker.off('message', handleMessage).off('error', handleError).off('exit', handleExit);
        worker.unref();
        settle();
      };
      const fail = (error: Error) => {
        finish(() => reject(error));
        if (this.worker === worker) this.worker = undefined;
        this.end(worker);
      };
      const handleMessage = (examination: Examination) => finish(() => resolve(examination));
      const handleError = (cause: unknown) => fail(new Error('the check of a policy failed', { cause }));
      const handleExit = () => fail(new Error('the check of a policy ended without a response'));
      const timer = setTimeout(
        () => fail(new ChecksBusyError('the check of the policy exceeded its time limit')),
        this.timeoutMs,
      );
      worker.once('message', handleMessage).once('error', handleError).once('exit', handleExit);
      worker.ref();
      worker.postMessage(request);
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./check-worker${extname(import.meta.url)}`, import.meta.url));
    // Each request has its own listener. Later errors of a terminated thread are irrelevant.
    return worker.on('error', () => undefined);
  }
}
