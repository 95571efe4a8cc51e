import { maxOutputTokens } from '@gatehouse/money/model-limits';
import type { JsonObject } from '../../formats/model-request.ts';
import type { ChatRequest, ChatTool } from '../chat/chat-request.ts';
import { requireOpenTurn } from '../chat/conversation-rules.ts';
import { omitUndefined } from '../chat/members.ts';
import { createUntranslatableError, refuseSettings } from '../untranslatable.ts';
import { writeTurn } from './content-writer.ts';
import { writeThinking } from './thinking-writer.ts';
import { writeToolChoice } from './tool-choice-writer.ts';

const TARGET = 'anthropic';
const MAX_TOOL_NAME = /^[\w-]{1,128}$/;

/**
 * Writes a request of the Messages API.
 * @param model whose longest output is the limit of a request without one
 * @throws ModelCallError `untranslatable`, with the field of the client's request
 */
export function writeMessageRequest(chat: ChatRequest, model: string): JsonObject {
  refuseSettings(TARGET, [chat.seed, chat.presencePenalty, chat.frequencyPenalty, chat.answers]);
  requireOpenTurn(chat, TARGET);
  if (chat.turns[0]?.role === 'assistant')
    throw createUntranslatableError(chat.turnsField, TARGET, 'Begin the conversation with a message of the user.');
  const { temperature, stop, output } = chat;
  if (temperature !== undefined && temperature.value > 1)
    throw createUntranslatableError(temperature.field, TARGET, 'Send a temperature from 0 to 1.');
  if (output?.value.kind === 'json')
    throw createUntranslatableError(output.field, TARGET, 'Send a JSON schema for the answer.');
  const { thinking, effort } = writeThinking(chat);
  const format =
    output?.value.kind === 'json_schema' ? { type: 'json_schema', schema: output.value.schema } : undefined;
  return omitUndefined({
    model: chat.model,
    max_tokens: chat.maxTokens?.value ?? maxOutputTokens(TARGET, model),
    system: chat.instructions.length === 0 ? undefined : chat.instructions.map(({ text }) => ({ type: 'text', text })),
    messages: chat.turns.map(writeTurn),
    tools: chat.tools.length === 0 ? undefined : chat.tools.map(writeTool),
    tool_choice: writeToolChoice(chat),
    temperature: temperature?.value,
    top_p: chat.topP?.value,
    top_k: chat.topK?.value,
    stop_sequences: stop?.value,
    service_tier: writeTier(chat),
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : omitUndefined({ effort, format }),
    stream: chat.isStream ? true : undefined,
  });
}

function writeTool({ name, description, schema, isStrict, field }: ChatTool): JsonObject {
  if (!MAX_TOOL_NAME.test(name))
    throw createUntranslatableError(`${field}.name`, TARGET, 'Use at most 128 letters, digits, _ and -.');
  return omitUndefined({
    name,
    description,
    input_schema: { type: 'object', ...schema },
    strict: isStrict ? true : undefined,
  });
}

function writeTier({ tier }: ChatRequest): 'standard_only' | undefined {
  if (tier === undefined) return undefined;
  if (tier.value === 'standard') return 'standard_only';
  throw createUntranslatableError(tier.field, TARGET);
}
