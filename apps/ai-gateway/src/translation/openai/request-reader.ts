import type { JsonObject } from '../../formats/model-request.ts';
import type { WireFormat } from '../../formats/operation.ts';
import type { ChatRequest, ChatSettings, OutputForm, Reasoning, ToolChoice } from '../chat/chat-request.ts';
import { joinTurns } from '../chat/turns.ts';
import { parseClientRequest } from '../parse-request.ts';
import { locate } from '../untranslatable.ts';
import { chatSchema, type OpenAiChat } from './chat-schema.ts';
import { readMessages } from './message-reader.ts';

/**
 * Reads a request of chat completions.
 * @param target the format of the provider, for messages
 * @throws ModelCallError `untranslatable` or `invalid_request`, with the field
 */
export function readChatRequest(body: JsonObject, target: WireFormat): ChatRequest {
  const request = parseClientRequest(chatSchema, body, target);
  return {
    model: request.model,
    isStream: request.stream === true,
    ...joinTurns(readMessages(request.messages)),
    turnsField: 'messages',
    tools: (request.tools ?? []).map(({ function: { name, description, parameters, strict } }, at) => ({
      name,
      description: description ?? undefined,
      schema: parameters ?? undefined,
      isStrict: strict === true,
      field: `tools.${at}.function`,
    })),
    ...readSettings(request),
  };
}

function readSettings(request: OpenAiChat): ChatSettings {
  const choice = request.tool_choice;
  const effort = request.reasoning_effort;
  const limitField = request.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens';
  const { stop, service_tier: tier } = request;
  return {
    toolChoice: choice == null || choice === 'auto' ? undefined : locate('tool_choice', readToolChoice(choice)),
    singleToolCall: request.parallel_tool_calls === false ? locate('parallel_tool_calls', true) : undefined,
    maxTokens: locate(limitField, request[limitField]),
    temperature: locate('temperature', request.temperature),
    topP: locate('top_p', request.top_p),
    stop: stop == null || stop.length === 0 ? undefined : locate('stop', typeof stop === 'string' ? [stop] : stop),
    seed: locate('seed', request.seed),
    presencePenalty: locate('presence_penalty', request.presence_penalty === 0 ? undefined : request.presence_penalty),
    frequencyPenalty: locate(
      'frequency_penalty',
      request.frequency_penalty === 0 ? undefined : request.frequency_penalty,
    ),
    answers: locate('n', request.n === 1 ? undefined : request.n),
    output: locate('response_format', readOutputForm(request.response_format)),
    reasoning: locate('reasoning_effort', effort == null ? undefined : readEffort(effort)),
    tier: locate('service_tier', tier == null || tier === 'auto' ? undefined : tier === 'default' ? 'standard' : tier),
  };
}

const readToolChoice = (choice: NonNullable<OpenAiChat['tool_choice']>): ToolChoice =>
  typeof choice === 'string' ? { kind: choice } : { kind: 'named', names: [choice.function.name] };

function readOutputForm(format: OpenAiChat['response_format']): OutputForm | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { kind: 'json' };
  const { name, schema } = format.json_schema;
  return { kind: 'json_schema', name, schema: schema ?? {} };
}

const readEffort = (effort: NonNullable<OpenAiChat['reasoning_effort']>): Reasoning =>
  effort === 'none' ? { kind: 'off' } : { kind: 'effort', effort };
