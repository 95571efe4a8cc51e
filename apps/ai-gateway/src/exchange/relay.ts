import type { ErrorWriter } from '../formats/error-response.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelRequest } from '../formats/model-request.ts';
import type { ResponseReader } from '../formats/response-reader.ts';
import type { ProviderResponse } from '../upstream/provider-request.ts';
import type { ClientResponse } from './client-response.ts';
import type { DrainSlots } from './drain-slots.ts';
import { createWithheldError } from './passed-contents.ts';

/** How a response ended. */
export type RelayOutcome = 'delivered' | 'client_disconnect' | 'upstream_error' | 'blocked_downstream';

/** The parts of a relay. */
export interface RelayParts {
  readonly provider: ProviderResponse;
  readonly client: ClientResponse;
  readonly reader: ResponseReader;
  readonly request: ModelRequest;
  readonly errors: ErrorWriter;
  readonly drains: DrainSlots;
  /**
   * Examines the whole answer. No byte reaches the client before. Undefined if answers pass
   * unexamined.
   * @throws ModelCallError to withhold the answer
   */
  readonly review?: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined;
  /** Records the usage durably. The last bytes of the answer follow it. */
  settle(outcome: RelayOutcome): Promise<void>;
  onTerminal(error: unknown): void;
}

/** Time for the end of a response after its last part, so that its connection can be used again. */
const END_MS = 2_000;

/** The largest answer that is examined as a whole. */
const MAX_REVIEWED_BYTES = 32 * 1024 * 1024;

/**
 * Passes one response of a provider to the client. The last bytes wait until the usage is recorded.
 * When the client disconnects, the response is read on for its usage, as long as `DrainSlots`
 * permits it.
 */
export class Relay {
  private readonly held: Uint8Array[] = [];
  /** Bytes of `held`, while the whole answer waits for its review. */
  private heldBytes = 0;
  private state: 'passing' | 'settling' | 'ended' = 'passing';
  private isPaused = false;
  private leaveDrain: (() => void) | undefined;
  private endTimer: NodeJS.Timeout | undefined;
  private readonly done: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(private readonly parts: RelayParts) {}

  /** Resolves when the usage is recorded and the answer has ended. */
  run(): Promise<void> {
    const { provider, client } = this.parts;
    provider.receive({
      onData: (chunk) => this.guard(() => this.handleData(chunk)),
      onEnd: () => this.guard(() => this.handleEnd()),
      onError: (error) => this.handleError(error),
    });
    if (client.isGone) this.handleClientGone();
    return this.done.promise;
  }

  /** The client has disconnected. */
  handleClientGone(): void {
    if (this.state !== 'passing' || this.leaveDrain !== undefined) return;
    this.leaveDrain = this.parts.drains.enter(() => this.giveUp());
    if (this.leaveDrain === undefined) this.giveUp();
    else if (this.isPaused) this.resume();
  }

  /** Ends the response with an error of the gateway, for example at the end of its time. */
  fail(error: ModelCallError, outcome: RelayOutcome = 'upstream_error'): void {
    if (this.state !== 'passing') return;
    this.handleError(error, outcome);
    this.parts.provider.abort(error);
  }

  private giveUp(): void {
    if (this.state !== 'passing') return;
    this.settle('client_disconnect');
    this.parts.provider.abort(new Error('the client has disconnected'));
  }

  private handleData(chunk: Buffer): void {
    // Bytes after the last part do not belong to the answer.
    if (this.state !== 'passing') return;
    const { reader, client, request } = this.parts;
    const bytes = reader.push(chunk);
    if (bytes !== undefined && !client.isGone) this.pass(bytes);
    if (reader.report.failure !== undefined || !reader.report.isComplete || !request.isStream) return;
    // The answer is complete although the provider keeps the connection open.
    this.endTimer = setTimeout(() => this.parts.provider.abort(new Error('the response was complete')), END_MS);
    this.settle('delivered');
  }

  /** Passes bytes on. The last ones stay here, until the usage is recorded. */
  private pass(bytes: Uint8Array): void {
    const { reader, request, review } = this.parts;
    if (review !== undefined) {
      this.hold(bytes);
      return;
    }
    if (request.isStream && !reader.report.isComplete) {
      this.write(bytes);
      return;
    }
    const earlier = request.isStream ? undefined : this.held.pop();
    if (earlier !== undefined) this.write(earlier);
    this.held.push(bytes);
  }

  /** Keeps a part of an answer. An answer too large for its review is read on for its usage. */
  private hold(bytes: Uint8Array): void {
    this.heldBytes += bytes.length;
    if (this.parts.review !== undefined && this.heldBytes > MAX_REVIEWED_BYTES) this.held.length = 0;
    else this.held.push(bytes);
  }

  private write(bytes: Uint8Array): void {
    const { client, provider } = this.parts;
    if (client.write(bytes) || this.isPaused) return;
    this.isPaused = true;
    provider.pause();
    client.onceWritable(() => this.resume());
  }

  private resume(): void {
    this.isPaused = false;
    this.parts.provider.resume();
  }

  private handleEnd(): void {
    clearTimeout(this.endTimer);
    if (this.state !== 'passing') return;
    const { reader, client } = this.parts;
    const last = reader.end();
    if (last !== undefined && !client.isGone) this.hold(last);
    this.settle(this.isUsable() ? 'delivered' : 'upstream_error');
  }

  /** Whether the provider has finished its answer. */
  private isUsable(): boolean {
    const { report } = this.parts.reader;
    return report.failure === undefined && (report.isComplete || !this.parts.request.isStream);
  }

  private handleError(error: Error, outcome: RelayOutcome = 'upstream_error'): void {
    clearTimeout(this.endTimer);
    if (this.state !== 'passing') return;
    this.parts.onTerminal(error);
    this.settle(this.parts.client.isGone ? 'client_disconnect' : outcome, error);
  }

  /** Runs a step; an error of the reader ends the response. */
  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.parts.provider.abort(error as Error);
      this.handleError(error as Error);
    }
  }

  private settle(outcome: RelayOutcome, error?: Error): void {
    this.state = 'settling';
    this.leaveDrain?.();
    const { review, client } = this.parts;
    if (review === undefined || client.isGone) this.record(outcome, error);
    // A part of an answer cannot be examined.
    else if (outcome !== 'delivered') this.record(outcome, error ?? new Error('the response ended early'));
    else
      this.reviewHeld(review).then(
        () => this.record('delivered'),
        (refusal: unknown) => this.record('blocked_downstream', toReviewError(refusal)),
      );
  }

  private async reviewHeld(review: NonNullable<RelayParts['review']>): Promise<void> {
    if (this.heldBytes > MAX_REVIEWED_BYTES) throw createWithheldError('answer_too_large_for_guardrails');
    this.held.splice(0, Infinity, await review(Buffer.concat(this.held)));
  }

  private record(outcome: RelayOutcome, error?: Error): void {
    const isUnseen = outcome === 'delivered' && this.parts.client.isGone;
    this.parts.settle(isUnseen ? 'client_disconnect' : outcome).then(
      () => this.finish(outcome, error),
      (failure: unknown) => this.abandon(failure),
    );
  }

  /** Sends what was held and ends the answer. */
  private finish(outcome: RelayOutcome, error: Error | undefined): void {
    this.state = 'ended';
    const { client } = this.parts;
    if (client.isGone) client.destroy();
    else if (outcome === 'delivered' || error === undefined) this.sendRest();
    else this.sendError(error);
    this.done.resolve();
  }

  private sendRest(): void {
    const { client } = this.parts;
    const last = this.held.pop();
    for (const bytes of this.held) client.write(bytes);
    client.end(last);
  }

  /** A stream gets a last event; any other answer that has begun is cut. */
  private sendError(error: Error): void {
    const { client, errors, request } = this.parts;
    if (!client.hasBegun) {
      this.done.reject(toCallError(error));
      return;
    }
    if (request.isStream) client.end(errors.writeStreamError(toCallError(error), request));
    else client.destroy();
  }

  /** The usage could not be recorded: the answer must not look complete. */
  private abandon(failure: unknown): void {
    this.state = 'ended';
    this.parts.onTerminal(failure);
    this.parts.client.destroy();
    this.done.resolve();
  }
}

const toReviewError = (refusal: unknown): ModelCallError =>
  refusal instanceof ModelCallError ? refusal : createWithheldError('guardrail_failed', refusal);

const toCallError = (error: Error): ModelCallError =>
  error instanceof ModelCallError
    ? error
    : new ModelCallError('provider_error', 'The provider ended its response early.', { cause: error });
