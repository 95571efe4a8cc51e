import { maxOutputTokens } from '@gatehouse/money/model-limits';
import type { Usd } from '@gatehouse/money/usd';
import type { RequestContext } from '@gatehouse/service-kit/request-context';
import type { IncomingMessage } from 'node:http';
import type { AdmittedAttempt } from '../admission/admission.ts';
import { createEstimatedUsage, estimateTokens } from '../formats/estimated-usage.ts';
import type { FoundOperation } from '../formats/find-operation.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject, ModelRequest } from '../formats/model-request.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import type { Principal } from '../identity/principals.ts';
import type { ServedBackend, ServedRoute } from '../policy/served-routes.ts';
import type { UsageIntent, UsageOutcome } from '../settlement/usage-recorder.ts';
import { createProviderHeaders, selectResponseHeaders } from '../upstream/provider-headers.ts';
import { type ProviderRequest, type ProviderResponse, sendToProvider } from '../upstream/provider-request.ts';
import { createProviderPath } from '../upstream/provider-path.ts';
import type { CallParts } from './call-parts.ts';
import type { ClientResponse } from './client-response.ts';
import { ErrorBody } from './error-body.ts';
import type { AnswerReview } from './passed-contents.ts';
import { Relay, type RelayOutcome } from './relay.ts';

/** The call of an attempt. */
export interface AttemptedCall {
  readonly interactionId: string;
  readonly context: RequestContext | undefined;
  readonly parts: CallParts;
  readonly found: FoundOperation;
  readonly request: IncomingMessage;
  readonly client: ClientResponse;
  /** Aborted when the client disconnects before an answer, and at the end of the call’s time. */
  readonly signal: AbortSignal;
  /** Takes the usage of an ended attempt: the reported one, else the estimated one. */
  addUsage(usage: JsonObject | undefined): void;
}

/** The request and the backend of an attempt. */
export interface AttemptPlan {
  readonly principal: Principal;
  readonly route: ServedRoute;
  readonly request: ModelRequest;
  readonly served: ServedBackend;
  /** From 1. */
  readonly number: number;
  /** Whether no other attempt follows. */
  readonly isLast: boolean;
  /** Undefined if answers pass unexamined. */
  readonly review?: AnswerReview | undefined;
}

/** An admission and an intent that the end of the attempt settles. */
interface Debt {
  readonly admitted: AdmittedAttempt;
  readonly intent: UsageIntent;
}

/** Statuses of a provider after which another backend may succeed. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 409, 425, 429]);
const REFUSED_KEY_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** One attempt at a backend: admission, request, response, settlement. */
export class Attempt {
  private readonly startedAt = performance.now();
  private relay: Relay | undefined;
  private isSent = false;
  private report: ResponseReport | undefined;
  private providerRequestId: string | undefined;

  constructor(
    private readonly call: AttemptedCall,
    private readonly plan: AttemptPlan,
  ) {}

  private get model(): string {
    return this.plan.served.backend.model ?? this.plan.request.model;
  }

  /** @returns whether the response is read on */
  handleClientGone(): boolean {
    this.relay?.handleClientGone();
    return this.relay !== undefined;
  }

  /** Ends the response with an error. @returns false if there is no response yet */
  fail(error: ModelCallError): boolean {
    this.relay?.fail(error);
    return this.relay !== undefined;
  }

  /**
   * Makes the attempt.
   * @returns `failed` if the client has no byte yet and another attempt may follow
   * @throws ModelCallError if none may follow
   */
  async run(): Promise<'answered' | 'failed'> {
    const { parts, found, signal } = this.call;
    this.requireKey();
    const request = this.createRequest();
    const debt = found.operation.isMetered ? await this.admit() : undefined;
    let response: ProviderResponse;
    try {
      signal.throwIfAborted();
      const { provider } = this.plan.served;
      const dispatcher = parts.connections.getDispatcher(provider, this.timeouts.connectSeconds);
      response = await sendToProvider(dispatcher, request, signal);
    } catch (error) {
      return this.handleNoResponse(error as Error, debt);
    }
    const { provider } = this.plan.served;
    const { status, headers } = response;
    this.providerRequestId = readProviderRequestId(headers);
    if (status >= 500) parts.breakers.recordFailure(provider.name, {});
    else parts.breakers.recordSuccess(provider.name);
    if (REFUSED_KEY_STATUSES.has(status)) parts.providerKeys.reportRefused(provider);
    if (status >= 200 && status < 300) return this.relayResponse(response, debt);
    return this.handleErrorStatus(response, debt);
  }

  private requireKey(): void {
    const { parts } = this.call;
    const reason = parts.providerKeys.explainMissing(this.plan.served.provider);
    if (reason !== undefined)
      throw new ModelCallError('unavailable', 'The provider of the model is not configured completely.', { reason });
  }

  private async admit(): Promise<Debt> {
    const { parts, found, interactionId, signal } = this.call;
    const { principal, route, request, number } = this.plan;
    if (parts.budgets === undefined)
      throw new ModelCallError(
        'unavailable',
        'The gateway has no enterprise manager, so it cannot serve billed calls.',
      );
    const { admission, recorder } = parts.budgets;
    const { format } = found.operation;
    const query = {
      interactionId,
      attempt: number,
      principal,
      provider: format,
      route: route.name,
      requestedModel: request.model,
      model: this.model,
      estimate: request.estimate,
    };
    const answer = admission.admit(query, signal);
    const admitted = answer instanceof Promise ? await answer : answer;
    const intent: UsageIntent = {
      interaction_id: interactionId,
      attempt: number,
      reservation_id: admitted.reservationId,
      event_time: admitted.admittedAt,
      principal: principal.wire,
      provider: format,
      route: route.name,
      requested_model: request.model,
      model: this.model,
      estimated_usage: createEstimatedUsage(format, request.estimate, this.computeMaxOutput()),
    };
    try {
      recorder.begin(intent);
    } catch (cause) {
      admitted.finish(undefined);
      throw new ModelCallError('unavailable', 'The gateway cannot record usage now. Try again later.', { cause });
    }
    return { admitted, intent };
  }

  /** The largest output. It is charged if the process ends before the attempt. */
  private computeMaxOutput(): number {
    const { format, telemetryName } = this.call.found.operation;
    if (telemetryName === 'embeddings') return 0;
    return this.plan.request.estimate.maxOutputTokens ?? maxOutputTokens(format, this.model);
  }

  private get timeouts() {
    return { ...this.call.parts.settings, ...this.plan.route.timeouts };
  }

  private createRequest(): ProviderRequest {
    const { parts, found, request: incoming, interactionId } = this.call;
    const { served, request, number } = this.plan;
    const { provider } = served;
    const { requestSeconds, streamIdleSeconds } = this.timeouts;
    const { operation } = found;
    return {
      onSent: () => {
        this.isSent = true;
      },
      origin: provider.endpoint,
      path: createProviderPath(provider, operation.createPath(request, this.model)),
      headers: createProviderHeaders({
        format: operation.format,
        headers: incoming.headers,
        credential: parts.providerKeys.get(provider),
        attemptId: `${interactionId}-${number}`,
      }),
      body: operation.createBody(request, this.model),
      timeouts: { responseMs: requestSeconds * 1_000, idleMs: streamIdleSeconds * 1_000 },
    };
  }

  /** An attempt without a response costs at most its prompt, after a disconnect. */
  private async handleNoResponse(error: Error, debt: Debt | undefined): Promise<'failed'> {
    const { parts, signal, client } = this.call;
    if (!signal.aborted) parts.breakers.recordFailure(this.plan.served.provider.name, error);
    await this.settle(
      debt,
      client.isGone ? this.createDisconnect() : { outcome: 'upstream_error', upstream_status: 0 },
    );
    if (signal.reason instanceof ModelCallError) throw signal.reason;
    if (!this.plan.isLast && !signal.aborted) return 'failed';
    throw new ModelCallError('provider_error', 'The provider of the model could not be reached.', { cause: error });
  }

  /** The provider may have read the prompt before it saw that the client has gone. */
  private createDisconnect(): Outcome {
    const { format } = this.call.found.operation;
    const promptTokens = this.isSent ? this.plan.request.estimate.promptTokens : 0;
    const estimated_usage = createEstimatedUsage(format, { promptTokens }, 0);
    return { outcome: 'client_disconnect', upstream_status: 0, estimated_usage };
  }

  /** Passes an error of the provider on unchanged, unless another backend may succeed. */
  private async handleErrorStatus(response: ProviderResponse, debt: Debt | undefined): Promise<'answered' | 'failed'> {
    const { status, headers } = response;
    const { client, signal } = this.call;
    const isRetried = (status >= 500 || RETRIED_STATUSES.has(status)) && !this.plan.isLast && !client.isGone;
    const body = await new ErrorBody(response, signal).read();
    await this.settle(debt, { outcome: 'upstream_error', upstream_status: status });
    if (signal.reason instanceof ModelCallError) throw signal.reason;
    if (isRetried) return 'failed';
    // The company's key is no matter of the caller.
    if (REFUSED_KEY_STATUSES.has(status) || status < 400)
      throw new ModelCallError('provider_error', 'The provider refused the request of the gateway.', {
        reason: `provider_status_${status}`,
      });
    client.prepare(status, { ...selectResponseHeaders(headers), 'content-length': String(body.length) });
    client.end(body);
    return 'answered';
  }

  private async relayResponse(provider: ProviderResponse, debt: Debt | undefined): Promise<'answered'> {
    const { parts, found, client } = this.call;
    const { request, review } = this.plan;
    if (isEncoded(provider)) throw await this.refuseEncoded(provider, debt);
    const reader = found.operation.createReader(request, provider.headers['content-type']);
    this.report = reader.report;
    client.prepare(provider.status, {
      ...(review === undefined ? selectResponseHeaders : selectReviewedHeaders)(provider.headers),
      ...(request.isStream && { 'x-accel-buffering': 'no' }),
    });
    this.relay = new Relay({
      provider,
      client,
      reader,
      request,
      errors: found.errors,
      drains: parts.drains,
      review: review && createBytesReview(review, provider),
      settle: (outcome) => this.settle(debt, this.createOutcome(outcome, provider.status, reader.report)),
      onTerminal: (error) =>
        parts.log.warn({ err: error, interaction_id: this.call.interactionId }, 'a response ended early'),
    });
    await this.relay.run();
    return 'answered';
  }

  private async refuseEncoded(provider: ProviderResponse, debt: Debt | undefined): Promise<ModelCallError> {
    provider.receive({ onData: () => undefined, onEnd: () => undefined, onError: () => undefined });
    provider.abort(new Error('the response is compressed'));
    const { estimate } = this.plan.request;
    const { format } = this.call.found.operation;
    await this.settle(debt, {
      outcome: 'upstream_error',
      upstream_status: provider.status,
      estimated_usage: createEstimatedUsage(format, estimate, 0),
    });
    return new ModelCallError('provider_error', 'The provider sent a compressed response, which was not requested.');
  }

  /** The usage that was reported, else an estimate of what was received. */
  private createOutcome(outcome: RelayOutcome, status: number, report: ResponseReport): Outcome {
    const { format } = this.call.found.operation;
    if (report.usage !== undefined) return { outcome, upstream_status: status, raw_usage: report.usage };
    const output = estimateTokens(report.outputBytes);
    const estimated_usage = createEstimatedUsage(format, this.plan.request.estimate, output, report.promptUsage);
    return { outcome, upstream_status: status, estimated_usage };
  }

  /** Records the end of the attempt, and gives its reservation back. */
  private async settle(debt: Debt | undefined, partial: Outcome): Promise<void> {
    const { parts } = this.call;
    const duration_ms = Math.round(performance.now() - this.startedAt);
    const outcome: UsageOutcome = { raw_usage: null, ...partial, duration_ms };
    let cost: Usd | undefined;
    if (debt !== undefined) {
      await parts.budgets?.recorder.finish(debt.intent, outcome);
      const usage = outcome.raw_usage ?? outcome.estimated_usage;
      cost = debt.admitted.finish(usage);
      this.call.addUsage(usage);
    }
    this.observe(outcome, cost);
  }

  private observe(outcome: UsageOutcome, cost: Usd | undefined): void {
    const { parts, found, interactionId, client } = this.call;
    const { principal, served, route, request, number } = this.plan;
    const { firstByteAt } = client;
    parts.observer.recordAttempt({
      interactionId,
      context: this.call.context,
      attempt: number,
      operation: found.operation,
      principal,
      route,
      served,
      requestedModel: request.model,
      model: this.model,
      isStream: request.isStream,
      outcome,
      cost,
      report: this.report,
      timeToFirstByteMs: firstByteAt === undefined ? undefined : firstByteAt - this.startedAt,
      providerRequestId: this.providerRequestId,
    });
  }
}

/** The end of an attempt without its duration. */
type Outcome = Omit<UsageOutcome, 'duration_ms' | 'raw_usage'> & { readonly raw_usage?: JsonObject };

/** A review can change the length. */
function selectReviewedHeaders(headers: ProviderResponse['headers']): Record<string, string> {
  const { 'content-length': _length, ...others } = selectResponseHeaders(headers);
  return others;
}

const createBytesReview =
  (review: AnswerReview, { headers }: ProviderResponse) =>
  async (bytes: Uint8Array) => {
    const contentType = headers['content-type'] ?? '';
    return (await review({ contentType, bytes })).bytes;
  };

const isEncoded = ({ headers }: ProviderResponse): boolean =>
  headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';

function readProviderRequestId(headers: ProviderResponse['headers']): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'];
  return typeof id === 'string' ? id.slice(0, 128) : undefined;
}
