import type { UsageEvent } from './usage-event.ts';

/** The files that the worker opens. */
export interface OutboxFiles {
  readonly database: string;
  readonly intents: string;
  readonly gatewayId: string;
  /** Whether the intents of the file are orphans. They are not when only the worker ended. */
  readonly isProcessStart: boolean;
}

/** The numbers of events in the outbox. */
export interface OutboxCounts {
  readonly waiting: number;
  readonly rejected: number;
}

/** The oldest events. */
export interface UsageBatch {
  readonly ids: readonly number[];
  /** The reports as a JSON array. */
  readonly reports: string;
}

/** An event that the enterprise manager refused. */
export interface RejectedUsage {
  readonly id: number;
  readonly error: string;
}

/** A task for the worker. Writes that wait together share a commit. */
export type OutboxTask =
  /** Stores an event, then empties the slot of its intent. */
  | { readonly type: 'store'; readonly event: UsageEvent; readonly slot: number | undefined }
  /** Removes the events of a batch, and keeps rejected ones aside. */
  | { readonly type: 'settle'; readonly ids: readonly number[]; readonly rejected: readonly RejectedUsage[] }
  | { readonly type: 'read'; readonly limit: number }
  | { readonly type: 'read_oldest' };

/** A task with the number by which its result names it. */
export interface OutboxRequest {
  readonly id: number;
  readonly task: OutboxTask;
}

/** A message to the worker: requests, or its end. */
export type OutboxMessage = readonly OutboxRequest[] | 'close';

/** The state of the outbox after its worker has opened it. */
export interface OpenedOutbox extends OutboxCounts {
  /** Attempts of a killed process that are now charged by estimate. */
  readonly orphans: number;
  /** Intents that could not be read. */
  readonly damaged: number;
}

/** A message of the worker. */
export type OutboxResponse =
  | { readonly type: 'opened'; readonly opened: OpenedOutbox }
  | { readonly type: 'unusable'; readonly reason: string; readonly isInUse: boolean }
  /** The writes are committed. */
  | {
      readonly type: 'committed';
      readonly ids: readonly number[];
      readonly counts: OutboxCounts;
      readonly seconds: number;
    }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly ids: readonly number[]; readonly reason: string };
