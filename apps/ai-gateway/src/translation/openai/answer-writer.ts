import type { JsonObject } from '../../formats/model-request.ts';
import type { AnswerDocumentWriter, AnswerFacts } from '../chat/answer-writer.ts';
import type { AnswerUsage } from '../chat/answer-usage.ts';
import type { CollectedCall, CollectedChoice } from '../chat/collected-answer.ts';

/** Writes a chat completion. Chat completions do not show thoughts. */
export const writeChatDocument: AnswerDocumentWriter = (choices, facts) => ({
  ...createChatMembers(facts, 'chat.completion'),
  choices: choices.map((choice, index) => ({
    index,
    message: writeMessage(choice),
    logprobs: null,
    finish_reason: choice.reason ?? 'stop',
  })),
  ...(facts.usage && { usage: writeChatUsage(facts.usage) }),
});

/** The members that chat completions and their chunks begin with. */
export const createChatMembers = ({ id, model, createdAt }: AnswerFacts, object: string): JsonObject => ({
  id,
  object,
  created: createdAt,
  model,
});

function writeMessage({ parts }: CollectedChoice): JsonObject {
  const join = (kind: 'text' | 'refusal') =>
    parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('') || null;
  const calls = parts.filter((part) => part.kind === 'tool_call');
  return {
    role: 'assistant',
    content: join('text'),
    refusal: join('refusal'),
    ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
  };
}

const writeCall = (call: CollectedCall): JsonObject => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
  ...writeSignature(call.signature),
});

/** Google requires its signature with the call in later requests; its own API puts it here, too. */
export const writeSignature = (signature: string | undefined): JsonObject =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

/** Writes a usage object, whose totals contain their details. */
export const writeChatUsage = ({ input, cached, output, reasoning }: AnswerUsage): JsonObject => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});
