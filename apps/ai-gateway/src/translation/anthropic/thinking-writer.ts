import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

/** The smallest budget that the vendor accepts, in tokens. */
const MIN_BUDGET = 1_024;

/** The members `thinking` and `output_config.effort` of a request. */
interface WrittenThinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** Writes how much the model reasons. @throws ModelCallError `untranslatable` */
export function writeThinking({ reasoning, showsThoughts, toolChoice }: ChatRequest): WrittenThinking {
  if (reasoning === undefined) return {};
  const { value, field } = reasoning;
  if (value.kind === 'off') return { thinking: { type: 'disabled' } };
  // The vendor refuses thinking before a call that is forced.
  if (toolChoice?.value.kind === 'required' || toolChoice?.value.kind === 'named')
    throw createUntranslatableError(field, 'anthropic', 'Do not force a tool, or send the request without reasoning.');
  const display = showsThoughts === true ? { display: 'summarized' } : {};
  switch (value.kind) {
    case 'auto':
      return { thinking: { type: 'adaptive', ...display } };
    case 'effort':
      if (value.effort === 'minimal')
        throw createUntranslatableError(field, 'anthropic', 'Send low, or a higher effort.');
      return { thinking: { type: 'adaptive', ...display }, effort: value.effort };
    case 'budget':
      if (value.tokens < MIN_BUDGET)
        throw createUntranslatableError(field, 'anthropic', `Send a budget of at least ${MIN_BUDGET} tokens.`);
      return { thinking: { type: 'enabled', budget_tokens: value.tokens, ...display } };
  }
}
