import type { JsonObject } from '../../formats/model-request.ts';
import { omitUndefined } from '../chat/members.ts';
import type { ChatRequest, Effort } from '../chat/chat-request.ts';
import { createUntranslatableError } from '../untranslatable.ts';

/** Models before Gemini 3 know budgets only. Google publishes these for the efforts of OpenAI. */
const EFFORT_BUDGETS: Readonly<Partial<Record<Effort, number>>> = {
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
};
const OLDER_MODEL = /gemini-[12]\b/;

/** Writes `thinkingConfig`. @throws ModelCallError `untranslatable` */
export function writeThinkingConfig({ reasoning, showsThoughts }: ChatRequest, model: string): JsonObject | undefined {
  const includeThoughts = showsThoughts === true ? true : undefined;
  if (reasoning === undefined) return includeThoughts && { includeThoughts };
  const { value, field } = reasoning;
  switch (value.kind) {
    case 'off':
      return { thinkingBudget: 0 };
    case 'auto':
      return includeThoughts && { includeThoughts };
    case 'budget':
      return omitUndefined({ thinkingBudget: value.tokens, includeThoughts });
    case 'effort': {
      const budget = EFFORT_BUDGETS[value.effort];
      if (budget === undefined) throw createUntranslatableError(field, 'google', 'Send high, or a lower effort.');
      const amount = OLDER_MODEL.test(model) ? { thinkingBudget: budget } : { thinkingLevel: value.effort };
      return omitUndefined({ ...amount, includeThoughts });
    }
  }
}
