import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatRequest, ChatTool, Reasoning } from '../chat/chat-request.ts';
import { requireOpenTurn } from '../chat/conversation-rules.ts';
import { omitUndefined } from '../chat/members.ts';
import { createUntranslatableError, refuseSettings } from '../untranslatable.ts';
import { writeMessages } from './message-writer.ts';

const TARGET = 'openai';
const TOOL_NAME = /^[\w-]{1,64}$/;
const MAX_STOP_SEQUENCES = 4;

/** The budgets that Google publishes for the efforts of OpenAI (page OpenAI compatibility). */
const EFFORT_BUDGETS = [
  { effort: 'low', tokens: 1_024 },
  { effort: 'medium', tokens: 8_192 },
] as const;

/**
 * Writes a request of chat completions.
 * @throws ModelCallError `untranslatable`, with the field of the client's request
 */
export function writeChatRequest(chat: ChatRequest): JsonObject {
  refuseSettings(TARGET, [chat.topK]);
  requireOpenTurn(chat, TARGET);
  const { stop, tools } = chat;
  if (stop !== undefined && stop.value.length > MAX_STOP_SEQUENCES)
    throw createUntranslatableError(stop.field, TARGET, `Send at most ${MAX_STOP_SEQUENCES} sequences.`);
  return omitUndefined({
    model: chat.model,
    messages: writeMessages(chat),
    tools: tools.length === 0 ? undefined : tools.map(writeTool),
    tool_choice: writeToolChoice(chat),
    parallel_tool_calls: chat.singleToolCall !== undefined && tools.length > 0 ? false : undefined,
    max_completion_tokens: chat.maxTokens?.value,
    temperature: chat.temperature?.value,
    top_p: chat.topP?.value,
    stop: stop?.value,
    seed: chat.seed?.value,
    presence_penalty: chat.presencePenalty?.value,
    frequency_penalty: chat.frequencyPenalty?.value,
    n: chat.answers?.value,
    response_format: writeOutputForm(chat),
    reasoning_effort: chat.reasoning && writeEffort(chat.reasoning.value),
    service_tier: chat.tier && (chat.tier.value === 'standard' ? 'default' : chat.tier.value),
    stream: chat.isStream ? true : undefined,
  });
}

function writeTool({ name, description, schema, isStrict, field }: ChatTool): JsonObject {
  if (!TOOL_NAME.test(name))
    throw createUntranslatableError(`${field}.name`, TARGET, 'Use at most 64 letters, digits, _ and -.');
  const strict = isStrict ? true : undefined;
  return { type: 'function', function: omitUndefined({ name, description, parameters: schema, strict }) };
}

function writeToolChoice({ toolChoice, tools }: ChatRequest): unknown {
  if (toolChoice === undefined || tools.length === 0) return undefined;
  const { value, field } = toolChoice;
  if (value.kind !== 'named') return value.kind;
  const [name, ...others] = value.names;
  if (others.length > 0) throw createUntranslatableError(field, TARGET, 'Name one tool.');
  return { type: 'function', function: { name } };
}

function writeOutputForm({ output }: ChatRequest): JsonObject | undefined {
  if (output === undefined) return undefined;
  if (output.value.kind === 'json') return { type: 'json_object' };
  const { name = 'answer', schema } = output.value;
  return { type: 'json_schema', json_schema: { name, schema, strict: true } };
}

/** Without an effort, the model has its default. */
function writeEffort(reasoning: Reasoning): string | undefined {
  switch (reasoning.kind) {
    case 'off':
      return 'none';
    case 'auto':
      return undefined;
    case 'effort':
      return reasoning.effort;
    case 'budget':
      return EFFORT_BUDGETS.find(({ tokens }) => reasoning.tokens <= tokens)?.effort ?? 'high';
  }
}
