import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckRequest } from './check-worker.ts';
import type { ClaimMapping } from './claims.ts';
import type { Examination } from './document.ts';

/**
 * Milliseconds that a document may take to be checked; the largest ones that are allowed take about
 * a second.
 */
const PATIENCE_MS = 15_000;
/** Documents that may wait for their turn. */
const MOST_WAITING = 32;

/** Too many documents wait to be checked, or one takes too long: later it may work. */
export class ChecksBusy extends GatehouseError {
  override readonly code = 'document_checks_busy';
}

/**
 * Examines documents in a thread of its own, one after the other, so that whatever somebody writes
 * neither stops the service from answering nor breaks the engine that decides. A thread that fails
 * or takes too long is given up; the next document gets another one.
 */
export class DocumentChecks {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private closed = false;
  /** Threads that were given up and are not gone yet. */
  private readonly ending = new Set<Promise<unknown>>();

  private readonly patienceMs: number;

  /** @param patienceMs how long one document may take */
  constructor(patienceMs = PATIENCE_MS) {
    this.patienceMs = patienceMs;
  }

  /**
   * What is wrong with a document, as `examineDocument` tells it.
   * @throws ChecksBusy; Error when the thread fails
   */
  async examine(text: string, connectorId: string, claims: ClaimMapping): Promise<Examination> {
    if (this.waiting >= MOST_WAITING) throw new ChecksBusy('too many policies are being checked');
    this.waiting += 1;
    const mine = this.last.then(() => this.ask({ text, connectorId, claims }));
    this.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.waiting -= 1;
    }
  }

  /** Ends the thread, and waits for those that were given up; whoever waits is refused. */
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

  private ask(request: CheckRequest): Promise<Examination> {
    if (this.closed) return Promise.reject(new ChecksBusy('policies are not checked any more'));
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        worker.off('message', answered).off('error', failed).off('exit', ended);
        worker.unref();
        settle();
      };
      const giveUp = (error: Error) => {
        done(() => reject(error));
        if (this.worker === worker) this.worker = undefined;
        this.end(worker);
      };
      const answered = (answer: Examination) => done(() => resolve(answer));
      const failed = (cause: unknown) => giveUp(new Error('the check of a policy failed', { cause }));
      const ended = () => giveUp(new Error('the check of a policy ended without an answer'));
      const timer = setTimeout(() => giveUp(new ChecksBusy('the policy takes too long to check')), this.patienceMs);
      worker.once('message', answered).once('error', failed).once('exit', ended);
      worker.ref();
      worker.postMessage(request);
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./check-worker${extname(import.meta.url)}`, import.meta.url));
    // Whoever asked has their own listener; what a thread says afterwards concerns nobody.
    return worker.on('error', () => undefined);
  }
}
