import type { JsonObject } from '../../formats/model-request.ts';
import type { WireFormat } from '../../formats/operation.ts';
import type { ChatRequest, ChatSettings, Reasoning, ToolChoice } from '../chat/chat-request.ts';
import { joinTurns } from '../chat/turns.ts';
import { parseClientRequest } from '../parse-request.ts';
import { type Located, locate } from '../untranslatable.ts';
import { readMessage, readSystem } from './message-reader.ts';
import { type AnthropicChat, messageSchema } from './message-schema.ts';

/**
 * Reads a request of the Messages API.
 * @param target the format of the provider, for messages
 * @throws ModelCallError `untranslatable` or `invalid_request`, with the field
 */
export function readMessageChat(body: JsonObject, target: WireFormat): ChatRequest {
  const request = parseClientRequest(messageSchema, body, target);
  const contents = [
    { role: 'system' as const, parts: readSystem(request.system ?? '') },
    ...request.messages.map((message, at) => readMessage(message, `messages.${at}`)),
  ];
  return {
    model: request.model,
    isStream: request.stream === true,
    ...joinTurns(contents),
    turnsField: 'messages',
    tools: (request.tools ?? []).map(({ name, description, input_schema: schema, strict }, at) => ({
      name,
      description,
      schema,
      isStrict: strict === true,
      field: `tools.${at}`,
    })),
    ...readSettings(request),
  };
}

function readSettings(request: AnthropicChat): ChatSettings {
  const { tool_choice: choice, stop_sequences: stop, output_config: output } = request;
  const isSingle = choice != null && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true;
  const schema = output?.format?.schema;
  return {
    toolChoice: choice == null || choice.type === 'auto' ? undefined : locate('tool_choice', readToolChoice(choice)),
    singleToolCall: isSingle ? locate('tool_choice.disable_parallel_tool_use', true) : undefined,
    maxTokens: locate('max_tokens', request.max_tokens),
    temperature: locate('temperature', request.temperature),
    topP: locate('top_p', request.top_p),
    topK: locate('top_k', request.top_k),
    stop: stop == null || stop.length === 0 ? undefined : locate('stop_sequences', stop),
    output: schema && locate('output_config.format', { kind: 'json_schema', schema }),
    reasoning: readReasoning(request),
    tier: request.service_tier === 'standard_only' ? locate('service_tier', 'standard') : undefined,
  };
}

function readToolChoice(choice: NonNullable<AnthropicChat['tool_choice']>): ToolChoice {
  if (choice.type === 'tool') return { kind: 'named', names: [choice.name] };
  return { kind: choice.type === 'any' ? 'required' : choice.type };
}

function readReasoning({ thinking, output_config: output }: AnthropicChat): Located<Reasoning> | undefined {
  const effort = output?.effort;
  if (thinking?.type === 'disabled') return locate('thinking', { kind: 'off' });
  if (effort != null) return locate('output_config.effort', { kind: 'effort', effort });
  if (thinking?.type === 'enabled') return locate('thinking', { kind: 'budget', tokens: thinking.budget_tokens });
  return thinking == null ? undefined : locate('thinking', { kind: 'auto' });
}
