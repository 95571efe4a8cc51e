import type { GuardrailWebhook } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { TextRedaction } from '@gatehouse/content-controls/text-redaction';
import type { Egress } from '@gatehouse/egress/egress';
import type { Log } from '@gatehouse/service-kit/log';
import type { CallPass, CallPasses } from '../exchange/call-pass.ts';
import { GuardrailCalls, openWebhookEgress, type WebhookSecrets } from './guardrail-webhook.ts';
import { PromptLogPass } from './prompt-log-pass.ts';
import { AnswerRedactionPass, RequestRedactionPass } from './redaction-pass.ts';
import { RequestWebhookPass, ResponseWebhookPass, type WebhookPassParts } from './webhook-pass.ts';

/** The longest time limit of a webhook that the CRD permits. */
const LONGEST_CALL_MS = 30_000;
const NONE: readonly CallPass[] = [];

/** The parts of guardrails. */
interface GuardrailParts {
  readonly log: Log;
  readonly secrets: WebhookSecrets;
  /** Whether webhooks may be on this machine. */
  readonly allowLoopback: boolean;
}

/** The passes of `spec.guardrails` of AIGateways, created once for each version. */
export class GuardrailPasses implements CallPasses {
  private readonly remembered = new WeakMap<AIGateway, readonly CallPass[]>();
  /** The connections to webhooks by their addresses. */
  private readonly open = new Map<string, Egress>();

  constructor(private readonly parts: GuardrailParts) {}

  list(gateway: AIGateway): readonly CallPass[] {
    if (gateway.spec.guardrails === undefined) return NONE;
    const known = this.remembered.get(gateway);
    if (known !== undefined) return known;
    const passes = this.create(gateway.spec.guardrails);
    this.remembered.set(gateway, passes);
    return passes;
  }

  /** Closes the connections to webhooks. */
  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((egress) => egress.close()));
    this.open.clear();
  }

  private create(guardrails: NonNullable<AIGateway['spec']['guardrails']>): readonly CallPass[] {
    const { redaction, requestWebhook, responseWebhook, promptLogging } = guardrails;
    this.retain([requestWebhook, responseWebhook]);
    const texts = redaction && new TextRedaction(redaction.patterns);
    return [
      ...(texts === undefined ? [] : [new RequestRedactionPass(texts)]),
      ...(texts !== undefined && redaction?.responses === true ? [new AnswerRedactionPass(texts)] : []),
      ...(requestWebhook === undefined ? [] : [new RequestWebhookPass(this.createParts(requestWebhook))]),
      ...(responseWebhook === undefined ? [] : [new ResponseWebhookPass(this.createParts(responseWebhook))]),
      ...(promptLogging?.enabled === true ? [new PromptLogPass(this.parts.log)] : []),
    ];
  }

  private createParts(webhook: GuardrailWebhook): WebhookPassParts {
    const { log, secrets, allowLoopback } = this.parts;
    let egress = this.open.get(webhook.url);
    if (egress === undefined) this.open.set(webhook.url, (egress = openWebhookEgress(webhook.url, allowLoopback)));
    return { webhook, calls: new GuardrailCalls(webhook, egress, secrets), log };
  }

  /** Closes the connections that the newest AIGateway does not need, when their calls ended. */
  private retain(webhooks: readonly (GuardrailWebhook | undefined)[]): void {
    const urls = new Set(webhooks.map((webhook) => webhook?.url));
    for (const [url, egress] of this.open) {
      if (urls.has(url)) continue;
      this.open.delete(url);
      setTimeout(() => void egress.close(), LONGEST_CALL_MS).unref();
    }
  }
}
