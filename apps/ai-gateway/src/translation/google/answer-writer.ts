import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerFacts } from '../chat/answer-writer.ts';
import type { AnswerUsage } from '../chat/answer-usage.ts';
import type { CollectedCall, CollectedChoice, CollectedText } from '../chat/collected-answer.ts';
import { omitUndefined } from '../chat/members.ts';
import { parseCallArguments } from '../chat/tool-call-arguments.ts';
import type { FinishReason } from '../chat/answer-events.ts';

/** Writes an answer of `generateContent`. @param showsThoughts whether the client wants thoughts */
export const writeContentDocument = (
  choices: readonly CollectedChoice[],
  facts: AnswerFacts,
  showsThoughts: boolean,
): JsonObject => ({
  candidates: choices.map(({ parts, reason = 'stop' }, index) => ({
    content: { parts: parts.flatMap((part) => writePart(part, reason, showsThoughts)), role: 'model' },
    finishReason: writeReason(reason),
    index,
  })),
  ...writeUsage(facts),
  ...writeNames(facts),
});

/** The members that each chunk of a stream has. */
export const writeNames = ({ model, id }: AnswerFacts): JsonObject => ({ modelVersion: model, responseId: id });

/** The usage, which the last chunk of a stream has. */
export const writeUsage = ({ usage }: AnswerFacts): JsonObject =>
  usage === undefined ? {} : { usageMetadata: writeContentUsage(usage) };

/** Writes a part; none for a hidden thought and for a call that the limit of tokens has cut. */
export function writePart(
  part: CollectedText | CollectedCall,
  reason: FinishReason | undefined,
  showsThoughts: boolean,
): JsonObject[] {
  if (part.kind === 'thought') return showsThoughts ? [{ text: part.text, thought: true }] : [];
  if (part.kind !== 'tool_call') return [{ text: part.text }];
  const args = parseCallArguments(part.arguments, reason);
  if (args === undefined) return [];
  return [omitUndefined({ functionCall: { id: part.id, name: part.name, args }, thoughtSignature: part.signature })];
}

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

/** Writes the reason for which an answer has ended. */
export const writeReason = (reason: FinishReason): string => REASONS[reason];

/** Writes `usageMetadata`, whose thoughts are not part of the candidates. */
const writeContentUsage = ({ input, cached, output, reasoning }: AnswerUsage): JsonObject =>
  omitUndefined({
    promptTokenCount: input,
    cachedContentTokenCount: cached === 0 ? undefined : cached,
    candidatesTokenCount: Math.max(0, output - reasoning),
    thoughtsTokenCount: reasoning === 0 ? undefined : reasoning,
    totalTokenCount: input + output,
  });
