import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerDocumentWriter, AnswerFacts } from '../chat/answer-writer.ts';
import type { AnswerUsage } from '../chat/answer-usage.ts';
import type { CollectedChoice } from '../chat/collected-answer.ts';
import { parseCallArguments } from '../chat/tool-call-arguments.ts';
import type { FinishReason } from '../chat/answer-events.ts';

/** Writes a message. Thoughts of other vendors are left out: they have no signature. */
export const writeMessageDocument: AnswerDocumentWriter = ([choice], facts) => ({
  ...createMessageMembers(facts),
  content: choice === undefined ? [] : writeBlocks(choice),
  ...createStop(choice?.reason, choice?.stopSequence),
  usage: writeMessageUsage(facts.usage),
});

/** The members that messages and their streams begin with. */
export const createMessageMembers = ({ id, model }: AnswerFacts): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
});

const writeBlocks = ({ parts, reason }: CollectedChoice): JsonObject[] =>
  parts.flatMap((part): JsonObject[] => {
    if (part.kind === 'thought') return [];
    if (part.kind !== 'tool_call') return [{ type: 'text', text: part.text, citations: null }];
    const input = parseCallArguments(part.arguments, reason);
    return input === undefined ? [] : [{ type: 'tool_use', id: part.id, name: part.name, input }];
  });

const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** The members that say why a message has ended. */
export const createStop = (reason: FinishReason = 'stop', stopSequence: string | undefined): JsonObject => ({
  stop_reason: stopSequence === undefined ? REASONS[reason] : 'stop_sequence',
  stop_sequence: stopSequence ?? null,
});

/** Writes a usage object, whose counts are disjoint, and 0 for a provider that reports none. */
export function writeMessageUsage(usage: AnswerUsage | undefined): JsonObject {
  const { input, cached, written, output } = usage ?? { input: 0, cached: 0, written: 0, output: 0 };
  return {
    input_tokens: Math.max(0, input - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}
