import { ModelCallError } from '../formats/model-call-error.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import { isWorthAttempt } from '../routing/attempt-order.ts';
import type { UsageOutcome } from '../settlement/usage-recorder.ts';
import type { ProviderCall } from '../upstream/platforms/provider-platform.ts';
import { selectResponseHeaders } from '../upstream/provider-headers.ts';
import { type ProviderRequest, type ProviderResponse, sendToProvider } from '../upstream/provider-request.ts';
import { AttemptCharge, type AttemptEnd } from './attempt-charge.ts';
import { type AttemptedCall, type AttemptPlan, getProviderModel } from './attempt-plan.ts';
import { ErrorBody } from './error-body.ts';
import type { AnswerReview } from './passed-contents.ts';
import { Relay, type RelayOutcome } from './relay.ts';
import { findUnusableAnswer, type UnusableAnswer } from './unusable-answer.ts';

const REFUSED_KEY_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** One attempt at a backend: admission, request, response, settlement. */
export class Attempt {
  private readonly startedAt = performance.now();
  private readonly charge: AttemptCharge;
  private relay: Relay | undefined;
  private isSent = false;
  private isSettled = false;
  private report: ResponseReport | undefined;
  private providerRequestId: string | undefined;

  constructor(
    private readonly call: AttemptedCall,
    private readonly plan: AttemptPlan,
  ) {
    this.charge = new AttemptCharge(call, plan);
  }

  /** @returns whether the response is read on */
  handleClientGone(): boolean {
    this.relay?.handleClientGone();
    return this.relay !== undefined;
  }

  /** Ends the response with an error. @returns false if there is no response yet */
  fail(error: ModelCallError, outcome?: RelayOutcome): boolean {
    this.relay?.fail(error, outcome);
    return this.relay !== undefined;
  }

  /**
   * Makes the attempt.
   * @returns `failed` if the client has no byte yet and another attempt may follow
   * @throws ModelCallError if none may follow
   */
  async run(): Promise<'answered' | 'failed'> {
    const { parts, signal } = this.call;
    const { provider } = this.plan.served;
    const providerCall = this.createProviderCall();
    let request: ProviderRequest;
    try {
      this.requireKey();
      const created = this.plan.platform.createRequest(providerCall, signal);
      request = this.completeRequest(created instanceof Promise ? await created : created);
    } catch (error) {
      // A provider without a usable credential must not stop the others.
      if (this.plan.next !== 'other' || !isUnavailable(error)) throw error;
      return 'failed';
    }
    if (this.plan.operation.isMetered) await this.charge.admit();
    let received: ProviderResponse;
    try {
      signal.throwIfAborted();
      const dispatcher = parts.connections.getDispatcher(provider, this.timeouts.connectSeconds);
      received = await sendToProvider(dispatcher, request, signal);
    } catch (error) {
      return this.handleNoResponse(error as Error);
    }
    try {
      return await this.handleResponse(received, providerCall);
    } catch (error) {
      if (!this.isSettled) await this.settleFailure(received, error as Error);
      throw error;
    }
  }

  private handleResponse(received: ProviderResponse, providerCall: ProviderCall): Promise<'answered' | 'failed'> {
    const response = this.plan.platform.convertResponse?.(received, providerCall) ?? received;
    this.examineHead(response, providerCall);
    const { status } = response;
    return status >= 200 && status < 300 ? this.relayResponse(response) : this.handleErrorStatus(response);
  }

  /** An error of the gateway itself must leave neither a reservation nor an open connection. */
  private async settleFailure(response: ProviderResponse, error: Error): Promise<void> {
    response.abort(error);
    await this.settle(this.charge.createUnreadable(response.status));
  }

  private requireKey(): void {
    const { parts } = this.call;
    const reason = parts.providerKeys.explainMissing(this.plan.served.provider);
    if (reason !== undefined)
      throw new ModelCallError('unavailable', 'The provider of the model is not configured completely.', { reason });
  }

  private createProviderCall(): ProviderCall {
    const { parts, request: incoming, interactionId } = this.call;
    const { served, operation, request, number } = this.plan;
    return {
      provider: served.provider,
      operation,
      request,
      model: getProviderModel(this.plan),
      headers: incoming.headers,
      credential: parts.providerKeys.get(served.provider),
      attemptId: `${interactionId}-${number}`,
    };
  }

  private completeRequest(request: Pick<ProviderRequest, 'path' | 'headers' | 'body'>): ProviderRequest {
    const { requestSeconds, streamIdleSeconds } = this.timeouts;
    return {
      onSent: () => {
        this.isSent = true;
      },
      origin: this.plan.served.provider.endpoint,
      path: request.path,
      headers: request.headers,
      body: request.body,
      timeouts: { responseMs: requestSeconds * 1_000, idleMs: streamIdleSeconds * 1_000 },
    };
  }

  private get timeouts() {
    return { ...this.call.parts.settings, ...this.plan.route.timeouts };
  }

  /** Learns from a response whether the provider works, and whether it accepts its key. */
  private examineHead({ status, headers }: ProviderResponse, { credential }: ProviderCall): void {
    const { breakers, providerKeys } = this.call.parts;
    const { provider } = this.plan.served;
    this.providerRequestId = readProviderRequestId(headers);
    if (status >= 500) breakers.recordFailure(provider.name, {});
    else breakers.recordSuccess(provider.name);
    if (REFUSED_KEY_STATUSES.has(status)) providerKeys.reportRefused(provider);
    if (status === 401 && credential !== undefined) this.plan.platform.reportRefused?.(credential);
  }

  /** An attempt without a response costs at most its prompt, after a disconnect. */
  private async handleNoResponse(error: Error): Promise<'failed'> {
    const { parts, signal, client } = this.call;
    if (!signal.aborted) parts.breakers.recordFailure(this.plan.served.provider.name, error);
    await this.settle(
      client.isGone ? this.charge.createDisconnect(this.isSent) : { outcome: 'upstream_error', upstream_status: 0 },
    );
    if (signal.reason instanceof ModelCallError) throw signal.reason;
    if (this.plan.next !== 'none' && !signal.aborted) return 'failed';
    throw new ModelCallError('provider_error', 'The provider of the model could not be reached.', { cause: error });
  }

  /** Passes an error of the provider on unchanged, unless the next attempt may succeed. */
  private async handleErrorStatus(response: ProviderResponse): Promise<'answered' | 'failed'> {
    const { status, headers } = response;
    const { client, signal } = this.call;
    const isRetried = !client.isGone && isWorthAttempt(this.plan.next, status, headers);
    const body = await new ErrorBody(response, signal).read();
    await this.settle({ outcome: 'upstream_error', upstream_status: status });
    if (signal.reason instanceof ModelCallError) throw signal.reason;
    if (isRetried) return 'failed';
    // The company's key is no matter of the caller.
    if (REFUSED_KEY_STATUSES.has(status) || status < 400)
      throw new ModelCallError('provider_error', 'The provider refused the request of the gateway.', {
        reason: `provider_status_${status}`,
      });
    const { platform, operation } = this.plan;
    this.sendProviderError(response, platform.convertError?.(operation.format, status, body) ?? body);
    return 'answered';
  }

  private sendProviderError({ status, headers }: ProviderResponse, body: Buffer): void {
    const { client } = this.call;
    const passed = selectResponseHeaders(headers);
    const error = this.plan.operation.translation?.translateError(status, body);
    const translated = error && this.call.found.errors.writeError(error, client.requestId);
    const sent = translated === undefined ? body : Buffer.from(translated.body);
    const length = { 'content-length': String(sent.length) };
    client.prepare(translated?.status ?? status, { ...passed, ...translated?.headers, ...length });
    client.end(sent);
  }

  private async relayResponse(provider: ProviderResponse): Promise<'answered'> {
    const { parts, found, client } = this.call;
    const { request, clientRequest, review, operation } = this.plan;
    const unusable = findUnusableAnswer(provider);
    if (unusable !== undefined) throw await this.refuseAnswer(provider, unusable);
    const reader = operation.createReader(request, provider.headers['content-type']);
    this.report = reader.report;
    const headers = this.createHeaders(provider);
    client.prepare(provider.status, headers);
    this.relay = new Relay({
      provider,
      client,
      reader,
      request: clientRequest,
      errors: found.errors,
      drains: parts.drains,
      review: review && createBytesReview(review, headers['content-type'] ?? ''),
      settle: (outcome) => this.settle(this.charge.createEnd(outcome, provider.status, reader.report)),
      onTerminal: (error) =>
        parts.log.warn({ err: error, interaction_id: this.call.interactionId }, 'a response ended early'),
    });
    await this.relay.run();
    return 'answered';
  }

  /** The headers of an answer. Reviews, translations and removed events change its length. */
  private createHeaders({ headers }: ProviderResponse): Record<string, string> {
    const { request, review, operation } = this.plan;
    const { 'content-length': length, ...passed } = selectResponseHeaders(headers);
    const { translation } = operation;
    const keepsLength = !request.isStream && review === undefined && translation === undefined;
    return {
      ...passed,
      ...(length !== undefined && keepsLength && { 'content-length': length }),
      ...(translation && { 'content-type': translation.contentType }),
      ...(request.isStream && { 'x-accel-buffering': 'no' }),
    };
  }

  private async refuseAnswer(
    provider: ProviderResponse,
    { message, isCharged }: UnusableAnswer,
  ): Promise<ModelCallError> {
    provider.receive({ onData: () => undefined, onEnd: () => undefined, onError: () => undefined });
    provider.abort(new Error(message));
    const { status } = provider;
    await this.settle(
      isCharged ? this.charge.createUnreadable(status) : { outcome: 'upstream_error', upstream_status: status },
    );
    return new ModelCallError('provider_error', message);
  }

  /** Records the end of the attempt, and observes it. */
  private async settle(end: AttemptEnd): Promise<void> {
    this.isSettled = true;
    const duration_ms = Math.round(performance.now() - this.startedAt);
    const outcome: UsageOutcome = { raw_usage: null, ...end, duration_ms };
    const cost = await this.charge.settle(outcome);
    const { parts, found, interactionId, client, context } = this.call;
    const { principal, served, route, request, number } = this.plan;
    const { firstByteAt } = client;
    parts.observer.recordAttempt({
      interactionId,
      context,
      attempt: number,
      operation: found.operation,
      principal,
      route,
      served,
      requestedModel: request.model,
      model: getProviderModel(this.plan),
      isStream: request.isStream,
      outcome,
      cost,
      report: this.report,
      timeToFirstByteMs: firstByteAt === undefined ? undefined : firstByteAt - this.startedAt,
      providerRequestId: this.providerRequestId,
    });
  }
}

const createBytesReview = (review: AnswerReview, contentType: string) => async (bytes: Uint8Array) =>
  (await review({ contentType, bytes })).bytes;

const isUnavailable = (error: unknown): boolean => error instanceof ModelCallError && error.failure === 'unavailable';

function readProviderRequestId(headers: ProviderResponse['headers']): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['apim-request-id'];
  return typeof id === 'string' ? id.slice(0, 128) : undefined;
}
