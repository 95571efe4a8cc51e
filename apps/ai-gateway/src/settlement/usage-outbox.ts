import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ModelCallError } from '../formats/model-call-error.ts';
import { IntentFile } from './intent-file.ts';
import { OutboxUnavailableError, OutboxUnusableError } from './outbox-errors.ts';
import type { OpenedOutbox, RejectedUsage, UsageBatch } from './outbox-messages.ts';
import { OutboxThread } from './outbox-thread.ts';
import { RunningIntents } from './running-intents.ts';
import { createUsageEvent, type UsageEvent } from './usage-event.ts';
import { type UsageIntent, type UsageOutcome, UsageRecorder } from './usage-recorder.ts';

const SAVE_AGAIN = { firstMs: 100, longestMs: 2_000 };

/** The options of an outbox. */
export interface UsageOutboxOptions {
  /** Absolute path of a folder of this process alone. It is created. */
  readonly folder: string;
  readonly gatewayId: string;
  /** Largest number of running attempts, waiting events and rejected events together. */
  readonly maxEvents: number;
  /** Is called after each commit with its duration. */
  readonly onCommit?: (seconds: number) => void;
  /** Is called when usage cannot be stored. */
  readonly onProblem?: (error: unknown) => void;
}

/**
 * The durable usage outbox of this replica (spec 4 section 5): an SQLite file with the events that
 * wait for delivery, and a file with the intents of running attempts.
 */
export class UsageOutbox extends UsageRecorder {
  private readonly stopping = new AbortController();
  /** Events that could not be stored. They stay here until they are. */
  private readonly unsaved = new Map<UsageEvent, UsageIntent>();
  private onStored: () => void = () => undefined;
  /** The failure of the last write of an intent. */
  private intentFailure: unknown;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly thread: OutboxThread,
    private readonly intents: RunningIntents,
    private readonly file: IntentFile,
    private readonly options: UsageOutboxOptions,
  ) {
    super();
  }

  /**
   * Opens the outbox, and makes events of the intents that a killed process left.
   * @throws OutboxInUseError, OutboxUnusableError
   */
  static async open(options: UsageOutboxOptions): Promise<{ outbox: UsageOutbox; opened: OpenedOutbox }> {
    const { folder, gatewayId, onCommit = () => undefined, onProblem = () => undefined } = options;
    const paths = { database: join(folder, 'usage.db'), intents: join(folder, 'intents') };
    createFolder(folder);
    const thread = new OutboxThread({ folder, gatewayId, ...paths, onCommit, onEnd: onProblem });
    const opened = await thread.start();
    try {
      const file = new IntentFile(paths.intents);
      return { outbox: new UsageOutbox(thread, new RunningIntents(file), file, options), opened };
    } catch (cause) {
      await thread.close();
      throw new OutboxUnusableError(folder, (cause as Error).message, cause);
    }
  }

  /** The numbers of events and running attempts. */
  get counts(): { readonly waiting: number; readonly rejected: number; readonly running: number } {
    return { ...this.thread.counts, running: this.intents.count };
  }

  /** Calls the listener when an event waits for delivery. */
  setStoredListener(listener: () => void): void {
    this.onStored = listener;
  }

  override begin(intent: UsageIntent): void {
    this.requireRoom();
    try {
      this.intents.add(intent);
      this.intentFailure = undefined;
    } catch (cause) {
      if (this.intentFailure === undefined) this.options.onProblem?.(cause);
      this.intentFailure = cause;
      throw createRefusal(cause);
    }
  }

  override async finish(intent: UsageIntent, outcome: UsageOutcome): Promise<void> {
    const event = createUsageEvent(this.options.gatewayId, intent, outcome);
    try {
      await this.save(event, intent);
    } catch (cause) {
      this.keep(event, intent, cause);
      throw createRefusal(cause);
    }
  }

  override discard(intent: UsageIntent): void {
    this.intents.discard(intent);
  }

  /** Reads the oldest events. @returns undefined without one @throws OutboxUnavailableError */
  readBatch(limit: number): Promise<UsageBatch | undefined> {
    return this.thread.perform({ type: 'read', limit }) as Promise<UsageBatch | undefined>;
  }

  /** Removes the events of a batch, and keeps rejected ones aside. */
  async settle({ ids }: UsageBatch, rejected: readonly RejectedUsage[]): Promise<void> {
    await this.thread.perform({ type: 'settle', ids, rejected });
  }

  /** The time at which the oldest waiting event was stored, in milliseconds. */
  readOldest(): Promise<number | undefined> {
    return this.thread.perform({ type: 'read_oldest' }) as Promise<number | undefined>;
  }

  /** Checks that attempts can be recorded. @throws an error with the reason */
  requireUsable(): void {
    this.requireRoom();
    if (this.intentFailure === undefined) return;
    this.intents.requireWritable();
    this.intentFailure = undefined;
  }

  /**
   * Stores what attempts still report, then closes the files. Events that cannot be stored even now
   * are charged by estimate at the next start.
   */
  close(): Promise<void> {
    return (this.closing ??= this.closeFiles());
  }

  private async closeFiles(): Promise<void> {
    this.stopping.abort();
    await this.saveKept().catch(() => undefined);
    await this.thread.close();
    this.file.close();
  }

  private requireRoom(): void {
    const { waiting, rejected, running } = this.counts;
    if (!this.thread.isRunning) throw createRefusal(new OutboxUnavailableError('its thread does not run'));
    if (this.unsaved.size > 0)
      throw createRefusal(new OutboxUnavailableError(`${this.unsaved.size} events cannot be stored`));
    if (waiting + rejected + running >= this.options.maxEvents)
      throw createRefusal(
        new OutboxUnavailableError(
          `it is full: ${waiting} events wait for the enterprise manager, ${rejected} were rejected and ${running} attempts run`,
        ),
      );
  }

  /** Stores an event, unless another one of its attempt is being stored. */
  private save(event: UsageEvent, intent: UsageIntent): Promise<void> {
    const running = this.intents.find(intent);
    if (running?.saving !== undefined) return running.saving;
    const saving = this.store(event, running?.slot).then(
      () => this.intents.release(intent),
      (error: unknown) => {
        if (running !== undefined) running.saving = undefined;
        throw error;
      },
    );
    if (running !== undefined) running.saving = saving;
    return saving;
  }

  private async store(event: UsageEvent, slot: number | undefined): Promise<void> {
    await this.thread.perform({ type: 'store', event, slot });
    this.onStored();
  }

  /** Keeps an event that could not be stored, and tries again until it is. */
  private keep(event: UsageEvent, intent: UsageIntent, cause: unknown): void {
    const isTrying = this.unsaved.size > 0;
    this.unsaved.set(event, intent);
    if (isTrying) return;
    this.options.onProblem?.(cause);
    const { signal } = this.stopping;
    retry(() => this.saveKept(), { backoff: new Backoff(SAVE_AGAIN), signal }).catch(() => undefined);
  }

  private async saveKept(): Promise<void> {
    while (this.unsaved.size > 0)
      await Promise.all(
        [...this.unsaved].map(async ([event, intent]) => {
          await this.save(event, intent);
          this.unsaved.delete(event);
        }),
      );
  }
}

const createRefusal = (cause: unknown): ModelCallError =>
  new ModelCallError('unavailable', 'The gateway cannot record the usage of the request now. Try again later.', {
    cause,
    reason: cause instanceof Error ? cause.message : String(cause),
    retryAfterMs: 1_000,
  });

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new OutboxUnusableError(folder, (cause as Error).message, cause);
  }
}
