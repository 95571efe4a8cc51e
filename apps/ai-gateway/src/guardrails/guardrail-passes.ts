import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { TextRedaction } from '@gatehouse/content-controls/text-redaction';
import type { Log } from '@gatehouse/service-kit/log';
import type { CallPass, CallPasses } from '../exchange/call-pass.ts';
import { PromptLogPass } from './prompt-log-pass.ts';
import { AnswerRedactionPass, RequestRedactionPass } from './redaction-pass.ts';

const NONE: readonly CallPass[] = [];

/** The passes of `spec.guardrails` of AIGateways, created once for each version. */
export class GuardrailPasses implements CallPasses {
  private readonly remembered = new WeakMap<AIGateway, readonly CallPass[]>();

  constructor(private readonly log: Log) {}

  list(gateway: AIGateway): readonly CallPass[] {
    if (gateway.spec.guardrails === undefined) return NONE;
    const known = this.remembered.get(gateway);
    if (known !== undefined) return known;
    const passes = this.create(gateway.spec.guardrails);
    this.remembered.set(gateway, passes);
    return passes;
  }

  private create({ redaction, promptLogging }: NonNullable<AIGateway['spec']['guardrails']>): readonly CallPass[] {
    const texts = redaction && new TextRedaction(redaction.patterns);
    return [
      ...(texts === undefined ? [] : [new RequestRedactionPass(texts)]),
      ...(texts !== undefined && redaction?.responses === true ? [new AnswerRedactionPass(texts)] : []),
      ...(promptLogging?.enabled === true ? [new PromptLogPass(this.log)] : []),
    ];
  }
}
