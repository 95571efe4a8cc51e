import type { GuardrailWebhook } from '@gatehouse/ai-resources/generated/types';
import type { Log } from '@gatehouse/service-kit/log';
import type { CallPass, PassedCall, WholeAnswer } from '../exchange/call-pass.ts';
import { createWithheldError } from '../exchange/passed-contents.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { type GuardrailCalls, type Verdict, WebhookFailedError } from './guardrail-webhook.ts';

/** The parts of a pass that asks a webhook. */
export interface WebhookPassParts {
  readonly webhook: GuardrailWebhook;
  readonly calls: Pick<GuardrailCalls, 'ask'>;
  readonly log: Log;
}

/** Asks for a verdict, and applies the failure mode. It logs the first failure and its end. */
class WebhookVerdicts {
  private isFailing = false;

  constructor(
    private readonly parts: WebhookPassParts,
    private readonly type: 'model_call.request' | 'model_call.response',
  ) {}

  /** @throws WebhookFailedError if calls without a verdict are refused */
  async ask(call: PassedCall, contents: object): Promise<Verdict> {
    const { calls, webhook } = this.parts;
    try {
      const verdict = await calls.ask(this.type, { ...describeCall(call), ...contents }, call.signal);
      this.report(undefined);
      return verdict;
    } catch (error) {
      if (!(error instanceof WebhookFailedError)) throw error;
      // The end of the call says nothing about the webhook.
      if (!call.signal.aborted) this.report(error.message);
      if (webhook.failureMode === 'Closed') throw error;
      return { verdict: 'allow' };
    }
  }

  private report(problem: string | undefined): void {
    if ((problem !== undefined) === this.isFailing) return;
    this.isFailing = problem !== undefined;
    const fields = { webhook: this.type, ...(problem !== undefined && { problem }) };
    if (this.isFailing) this.parts.log.warn(fields, 'a guardrail webhook gives no verdicts');
    else this.parts.log.info(fields, 'a guardrail webhook gives verdicts again');
  }
}

/** Asks a webhook whether a prompt may go to the provider. */
export class RequestWebhookPass implements CallPass {
  private readonly verdicts: WebhookVerdicts;

  constructor(parts: WebhookPassParts) {
    this.verdicts = new WebhookVerdicts(parts, 'model_call.request');
  }

  async handleRequest(body: JsonObject, call: PassedCall): Promise<JsonObject> {
    const verdict = await this.verdicts.ask(call, { request: body }).catch((cause: unknown) => {
      throw new ModelCallError('unavailable', 'The gateway could not examine the request. Try again later.', {
        reason: 'request_webhook_failed',
        cause,
      });
    });
    if (verdict.verdict === 'deny') throw createDenial(verdict.message, 'request');
    return verdict.verdict === 'replace' ? verdict.request : body;
  }
}

/** Asks a webhook whether an answer may go to the client. */
export class ResponseWebhookPass implements CallPass {
  private readonly verdicts: WebhookVerdicts;

  constructor(parts: WebhookPassParts) {
    this.verdicts = new WebhookVerdicts(parts, 'model_call.response');
  }

  async handleAnswer(answer: WholeAnswer, call: PassedCall): Promise<WholeAnswer> {
    const response = { content_type: answer.contentType, body: Buffer.from(answer.bytes).toString('utf8') };
    const verdict = await this.verdicts.ask(call, { response }).catch((cause: unknown) => {
      throw createWithheldError('response_webhook_failed', cause);
    });
    if (verdict.verdict === 'deny') throw createDenial(verdict.message, 'response');
    if (verdict.verdict === 'replace') throw createWithheldError('response_webhook_failed');
    return answer;
  }
}

const describeCall = ({ interactionId, operation, principal, model }: PassedCall) => ({
  interaction_id: interactionId,
  operation: operation.name,
  format: operation.format,
  principal: principal.wire,
  owner: principal.owner,
  model,
});

const createDenial = (message: string | undefined, contents: 'request' | 'response'): ModelCallError =>
  new ModelCallError('denied', message ?? `A rule of your organisation does not permit this ${contents}.`, {
    reason: `denied_by_${contents}_webhook`,
  });
