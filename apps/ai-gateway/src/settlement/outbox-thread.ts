import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OutboxInUseError, OutboxUnavailableError, OutboxUnusableError } from './outbox-errors.ts';
import type {
  OpenedOutbox,
  OutboxCounts,
  OutboxFiles,
  OutboxMessage,
  OutboxRequest,
  OutboxResponse,
  OutboxTask,
} from './outbox-messages.ts';

const PROGRAM = new URL(`./outbox-worker${extname(import.meta.url)}`, import.meta.url);
const RESTART = { firstMs: 100, longestMs: 5_000 };
/** Time in which requests gather while they come together: a commit of 16 costs as much as two. */
const GATHER_MS = 1;

/** The options of a thread. */
export interface OutboxThreadOptions extends Omit<OutboxFiles, 'isProcessStart'> {
  /** The folder of the files, for messages. */
  readonly folder: string;
  /** Is called after each commit with its duration. */
  readonly onCommit: (seconds: number) => void;
  /** Is called when the thread has ended by itself. Another one is started. */
  readonly onEnd: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The worker thread of the outbox. It is started again when it ends by itself. */
export class OutboxThread {
  private readonly waiting = new Map<number, Waiting>();
  private readonly stopping = new AbortController();
  private lastId = 0;
  private worker: Worker | undefined;
  /** Requests for the next message. */
  private gathered: OutboxRequest[] = [];
  /** Whether the last message had several requests, so that more are likely. */
  private hasCompany = false;
  private ended: Promise<void> = Promise.resolve();
  /** The counts after the last commit. */
  counts: OutboxCounts = { waiting: 0, rejected: 0 };

  constructor(private readonly options: OutboxThreadOptions) {}

  /** Opens the files. @throws OutboxInUseError, OutboxUnusableError */
  start(): Promise<OpenedOutbox> {
    return this.open(true);
  }

  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** Performs a task. @throws OutboxUnavailableError */
  perform(task: OutboxTask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.worker === undefined) {
        reject(new OutboxUnavailableError('its thread does not run'));
        return;
      }
      const id = (this.lastId += 1);
      this.waiting.set(id, { resolve, reject });
      this.gathered.push({ id, task });
      if (this.gathered.length === 1) this.sendNext();
    });
  }

  /** Ends the thread after the tasks that it has. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.send();
    this.worker?.postMessage('close' satisfies OutboxMessage);
    await this.ended;
  }

  /**
   * Sends one message for several requests: those of a turn of the event loop, and of a millisecond
   * while requests come together. Requests that follow gather until the worker has answered.
   */
  private sendNext(): void {
    const isIdle = this.waiting.size === this.gathered.length;
    if (!isIdle || this.gathered.length === 0) return;
    if (this.hasCompany) setTimeout(() => this.send(), GATHER_MS);
    else setImmediate(() => this.send());
  }

  private send(): void {
    if (this.gathered.length === 0) return;
    this.hasCompany = this.gathered.length > 1;
    this.worker?.postMessage(this.gathered satisfies OutboxMessage);
    this.gathered = [];
  }

  private async open(isProcessStart: boolean): Promise<OpenedOutbox> {
    await this.ended;
    const { database, intents, gatewayId, folder } = this.options;
    const workerData: OutboxFiles = { database, intents, gatewayId, isProcessStart };
    return new Promise((resolve, reject) => {
      const worker = new Worker(PROGRAM, { workerData });
      let failure: Error = new OutboxUnavailableError('its thread ended');
      this.ended = new Promise((end) => worker.once('exit', () => end()));
      worker.on('message', (response: OutboxResponse) => {
        if (response.type === 'opened') {
          this.counts = response.opened;
          this.worker = worker;
          resolve(response.opened);
        } else if (response.type === 'unusable')
          failure = response.isInUse ? new OutboxInUseError(folder) : new OutboxUnusableError(folder, response.reason);
        else this.receive(response);
      });
      worker.on('error', (cause) => {
        failure = new OutboxUnusableError(folder, (cause as Error).message, cause);
      });
      worker.once('exit', () => {
        reject(failure);
        if (this.worker === worker) this.handleEnd(failure);
      });
    });
  }

  private receive(response: Exclude<OutboxResponse, { type: 'opened' | 'unusable' }>): void {
    if (response.type === 'committed') {
      this.counts = response.counts;
      this.options.onCommit(response.seconds);
      for (const id of response.ids) this.take(id)?.resolve(undefined);
    } else if (response.type === 'result') this.take(response.id)?.resolve(response.value);
    else for (const id of response.ids) this.take(id)?.reject(new OutboxUnavailableError(response.reason));
  }

  private take(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    this.sendNext();
    return found;
  }

  private handleEnd(error: Error): void {
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.gathered = [];
    if (this.stopping.signal.aborted) return;
    this.options.onEnd(error);
    const { signal } = this.stopping;
    retry(() => this.open(false), { backoff: new Backoff(RESTART), signal }).catch(() => undefined);
  }
}
