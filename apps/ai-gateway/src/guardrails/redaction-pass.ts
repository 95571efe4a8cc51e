import { type TextRedaction } from '@gatehouse/content-controls/text-redaction';
import type { CallPass, PassedCall, WholeAnswer } from '../exchange/call-pass.ts';
import { createWithheldError } from '../exchange/passed-contents.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { findAnswerTexts } from './answer-texts.ts';
import { findTextLeaves, type TextLeaf } from './text-leaves.ts';

/** Replaces passages of prompts before the provider sees them. */
export class RequestRedactionPass implements CallPass {
  constructor(private readonly redaction: TextRedaction) {}

  async handleRequest(body: JsonObject, call: PassedCall): Promise<JsonObject> {
    try {
      await redactLeaves(this.redaction, findTextLeaves(body), call.principal.id);
    } catch (cause) {
      throw new ModelCallError('unavailable', 'The gateway could not examine the request. Send a shorter one.', {
        reason: 'redaction_failed',
        cause,
      });
    }
    return body;
  }
}

/** Replaces passages of answers before the client sees them. */
export class AnswerRedactionPass implements CallPass {
  constructor(private readonly redaction: TextRedaction) {}

  async handleAnswer(answer: WholeAnswer, call: PassedCall): Promise<WholeAnswer> {
    try {
      const texts = findAnswerTexts(answer);
      const count = await redactLeaves(this.redaction, texts.leaves, call.principal.id);
      return count === 0 ? answer : { ...answer, bytes: texts.write() };
    } catch (cause) {
      throw createWithheldError('redaction_failed', cause);
    }
  }
}

/**
 * Redacts texts. The parts of one text in a stream are joined first, so that a passage over several
 * parts is found; the first part then has the whole text.
 * @returns how many passages were replaced
 */
async function redactLeaves(redaction: TextRedaction, leaves: readonly TextLeaf[], owner: string): Promise<number> {
  const places = Map.groupBy(leaves, ({ place }) => place);
  const parts = [...places.values()];
  const texts = parts.map((part) => part.map(({ text }) => text).join(''));
  const redacted = await redaction.redact(texts, { owner });
  if (redacted === undefined || redacted.count === 0) return 0;
  for (const [at, part] of parts.entries()) {
    const text = redacted.texts[at] ?? '';
    if (text === texts[at]) continue;
    for (const [position, leaf] of part.entries()) leaf.replace(position === 0 ? text : '');
  }
  return redacted.count;
}
