import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { currentRequest } from '@gatehouse/service-kit/request-context';
import { Backoff } from '@gatehouse/retry/backoff';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { v7 as createId } from 'uuid';
import type { FoundOperation } from '../formats/find-operation.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject, ModelRequest } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import { countTokens } from '../formats/token-counts.ts';
import { getOwnerKey, type Principal } from '../identity/principals.ts';
import type { CountedTokens } from '../limits/call-rates.ts';
import { listAttempts } from '../routing/attempt-order.ts';
import { orderBackends } from '../routing/backend-order.ts';
import { Attempt } from './attempt.ts';
import type { AttemptPlan, UsableBackend } from './attempt-plan.ts';
import type { CallParts } from './call-parts.ts';
import { ClientResponse } from './client-response.ts';
import { type AnswerReview, createReview, passRequest } from './passed-contents.ts';
import { readCredential } from './credential.ts';
import type { RelayOutcome } from './relay.ts';
import { readRequestBody } from './request-body.ts';
import type { BodyMemory } from './request-memory.ts';
import { countTranslatedBytes, listUsableBackends } from './usable-backends.ts';

/** The longest pause before the same backend is asked again; half of it is random. */
const LONGEST_PAUSE_MS = 300;

/**
 * One model call, step by step: credential, identity, limits, body, policy, route, and attempts at
 * its backends until one answers.
 */
export class ModelCall {
  readonly interactionId = createId();
  readonly context = currentRequest();
  readonly client: ClientResponse;
  /** Aborted when the client disconnects before an answer, and at the end of the call’s time. */
  private readonly stopping = new AbortController();
  private current: Attempt | undefined;
  private caller: Principal | undefined;
  /** Undefined without a limit of tokens. */
  private counted: CountedTokens | undefined;
  private usedTokens = 0;
  private review: AnswerReview | undefined;
  private model: string | undefined;

  constructor(
    readonly parts: CallParts,
    readonly found: FoundOperation,
    readonly request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.client = new ClientResponse(response, () => this.handleClientGone());
  }

  /** The caller, as soon as it is identified. */
  get principal(): Principal | undefined {
    return this.caller;
  }

  /** The model of the call, as soon as it is known and granted. */
  get grantedModel(): string | undefined {
    return this.model;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Serves the call. @throws ModelCallError, HttpError */
  async run(): Promise<void> {
    const { parts, found, request } = this;
    const credential = readCredential(request, found.query);
    const gateway = parts.getGateway();
    const identified = parts.principals.identify(credential);
    const principal = identified instanceof Promise ? await identified : identified;
    this.caller = principal;
    const owner = getOwnerKey(principal);
    const leave = parts.limits.enter(owner, gateway.spec.limits);
    const leaveRunning = parts.running.enter({ principal, credential, end: (refusal) => this.handleRefusal(refusal) });
    const memory = parts.memory.open(principal);
    try {
      if (gateway.spec.limits !== undefined) await parts.limits.rates.countRequest(owner, gateway.spec.limits);
      await this.runFor(principal, gateway, memory);
    } finally {
      leaveRunning();
      memory.close();
      leave();
    }
  }

  private async runFor(principal: Principal, gateway: AIGateway, memory: BodyMemory): Promise<void> {
    const { parts, found, request } = this;
    const maxBytes = gateway.spec.limits?.requestBytes ?? parts.settings.requestBytes;
    const { bytes, body } = await readRequestBody(request, maxBytes, memory);
    const { pathModel, query } = found;
    const received = found.operation.readRequest({ bytes, body, pathModel, query });
    const route = parts.grants.requireRoute(principal, gateway, received.model);
    this.model = received.model;
    const modelRequest = await this.passRequest(principal, gateway, received);
    const usable = listUsableBackends(found.operation, modelRequest, route, parts.platforms);
    memory.take(countTranslatedBytes(usable, modelRequest));
    this.counted = await this.countTokens(principal, gateway, modelRequest);
    try {
      await this.tryBackends(usable, { principal, route, clientRequest: modelRequest });
    } finally {
      this.counted?.correct(this.usedTokens);
    }
  }

  /** Gives the request to the passes of the AIGateway. Without any, it costs nothing. */
  private async passRequest(principal: Principal, gateway: AIGateway, request: ModelRequest): Promise<ModelRequest> {
    const passes = this.parts.passes?.list(gateway) ?? [];
    if (passes.length === 0) return request;
    const { interactionId, context, found } = this;
    const { operation } = found;
    const call = { interactionId, context, operation, principal, model: request.model, signal: this.signal };
    this.review = createReview(passes, call);
    return passRequest(passes, request, call);
  }

  private countTokens(
    principal: Principal,
    { spec: { limits } }: AIGateway,
    { estimate }: ModelRequest,
  ): Promise<CountedTokens | undefined> | undefined {
    const { parts, found } = this;
    if (limits === undefined || !found.operation.isMetered) return undefined;
    return parts.limits.rates.countTokens(getOwnerKey(principal), limits, estimate.promptTokens);
  }

  /** Takes the usage of an ended attempt: the reported one, else the estimated one. */
  addUsage(format: WireFormat, usage: JsonObject | undefined): void {
    const counts = usage && this.counted && countTokens(format, usage);
    if (counts !== undefined) this.usedTokens += counts.input + counts.output;
  }

  private async tryBackends(
    usable: readonly UsableBackend[],
    call: Pick<AttemptPlan, 'principal' | 'route' | 'clientRequest'>,
  ): Promise<void> {
    const { parts, review } = this;
    const ordered = orderBackends(usable, parts.breakers, Math.random);
    const seconds = call.route.timeouts.requestSeconds ?? parts.settings.requestSeconds;
    const timer = globalThis.setTimeout(() => this.handleTimeout(), seconds * 1_000);
    try {
      for (const [at, { backend, next }] of listAttempts(ordered).entries()) {
        this.current = new Attempt(this, { ...backend, ...call, number: at + 1, next, review });
        if ((await this.current.run()) === 'answered') return;
        if (next === 'same') await this.pause();
      }
    } finally {
      clearTimeout(timer);
      this.current = undefined;
    }
  }

  /** Gives the only backend a moment. A disconnect ends it, and then the next attempt. */
  private async pause(): Promise<void> {
    const pause = new Backoff({ firstMs: LONGEST_PAUSE_MS, longestMs: LONGEST_PAUSE_MS }).next();
    await setTimeout(pause, undefined, { signal: this.signal }).catch(() => undefined);
  }

  private handleClientGone(): void {
    if (this.current?.handleClientGone() !== true) this.stopping.abort(new Error('the client has disconnected'));
  }

  private handleTimeout(): void {
    this.stop(new ModelCallError('provider_timeout', 'The provider did not finish its response in time.'));
  }

  /** The caller is refused since the call began. A client that has left gets nothing anyway. */
  private handleRefusal(refusal: ModelCallError): void {
    if (!this.client.isGone) this.stop(refusal, 'blocked_downstream');
  }

  private stop(error: ModelCallError, outcome?: RelayOutcome): void {
    if (this.current?.fail(error, outcome) !== true) this.stopping.abort(error);
  }
}
