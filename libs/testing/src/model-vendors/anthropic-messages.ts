import { answerPrompt, countPrompt, countTokens, type ModelPrompt, type OfferedTool } from './answer.ts';
import { type AnthropicMessage, createBlocks, streamMessage } from './anthropic-stream.ts';
import { countSchema, messageSchema, type CountRequest, type MessageRequest } from './anthropic-schemas.ts';
import { checkVersion } from './anthropic-version.ts';
import type { Directives } from './directives.ts';
import { createId } from './identifiers.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorOperation } from './reply.ts';
import { parseWith, type SchemaFault } from './schema.ts';

const STOP = { stop: 'end_turn', stop_sequence: 'stop_sequence', length: 'max_tokens', tool: 'tool_use' } as const;

/** `POST /v1/messages/count_tokens`. */
export const countMessageTokens =
  (requireModel: (model: string) => string): VendorOperation =>
  ({ body, record, directives }) => {
    const request = parseWith(countSchema, body, refuseField);
    record.model = requireModel(request.model);
    checkToolResults(request);
    return { kind: 'json', body: { input_tokens: directives.input ?? countPrompt(readPrompt(request)) } };
  };

/** `POST /v1/messages`. */
export const createMessage =
  (requireModel: (model: string) => string): VendorOperation =>
  ({ body, record, headers, directives }) => {
    const request = parseWith(messageSchema, body, refuseField);
    record.model = requireModel(request.model);
    checkToolResults(request);
    checkThinking(request);
    checkVersion(headers['anthropic-version'], request);
    const answer = answerPrompt(
      { ...readPrompt(request), maxTokens: request.max_tokens, stopSequences: request.stop_sequences ?? [] },
      fillCacheWrites(request, directives),
    );
    const message: AnthropicMessage = {
      id: createId('msg_01', 22),
      model: directives.served ?? request.model,
      blocks: createBlocks(answer, directives.web_search),
      stopReason: STOP[answer.finish],
      stopSequence: answer.stopSequence ?? null,
      answer,
      tier: directives.tier ?? 'standard',
      geo: request.inference_geo ?? 'not_available',
    };
    return streamMessage(message, directives, request.stream === true);
  };

/** A request with a cache breakpoint writes its `system`, unless the directives say otherwise. */
function fillCacheWrites(request: MessageRequest, directives: Directives): Directives {
  if (directives.cache_write !== undefined || directives.cache_write_1h !== undefined) return directives;
  const text = JSON.stringify(request);
  if (directives.cached > 0 || !text.includes('"cache_control":{')) return directives;
  const written = countTokens(JSON.stringify(request.system ?? ''));
  return { ...directives, ...(text.includes('"ttl":"1h"') ? { cache_write_1h: written } : { cache_write: written }) };
}

/** Each result of a tool follows the message with its call. */
function checkToolResults({ messages }: CountRequest): void {
  if (messages[0]?.role === 'assistant') throw refuse('messages: first message must use the "user" role');
  for (const [at, { content }] of messages.entries()) {
    const previous = messages[at - 1]?.content;
    const calls = Array.isArray(previous) ? previous.flatMap((one) => (one.type === 'tool_use' ? [one.id] : [])) : [];
    for (const block of typeof content === 'string' ? [] : content)
      if (block.type === 'tool_result' && !calls.includes(block.tool_use_id))
        throw refuse(
          `messages.${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
  }
}

function checkThinking({ thinking, max_tokens, tool_choice }: MessageRequest): void {
  if (thinking?.type !== 'enabled') return;
  if (thinking.budget_tokens >= max_tokens) throw refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  if (tool_choice?.type === 'any' || tool_choice?.type === 'tool')
    throw refuse('Thinking may not be enabled when tool_choice forces tool use.');
}

const refuse = (message: string) => new VendorRefusal(400, 'invalid_request_error', message);

function refuseField({ path, message, unknownField, isMissing }: SchemaFault): VendorRefusal {
  const field = path.map(String).join('.');
  if (unknownField !== undefined)
    return refuse(`${field === '' ? unknownField : `${field}.${unknownField}`}: Extra inputs are not permitted`);
  return refuse(`${field}: ${isMissing ? 'Field required' : message}`);
}

function readPrompt(request: CountRequest): ModelPrompt {
  const { messages, system, tools = [], tool_choice: choice, thinking } = request;
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return {
    texts: [...messages.map(({ content }) => readTexts(content)), readTexts(system ?? '')],
    lastText: readTexts(last) === '' ? findLastText(messages) : readTexts(last),
    toolResults:
      typeof last === 'string'
        ? []
        : last.flatMap((block) => (block.type === 'tool_result' ? [readTexts(block.content ?? '')] : [])),
    imageCount: blocks.filter(({ type }) => type === 'image').length,
    tools: tools.flatMap((tool): OfferedTool[] =>
      'input_schema' in tool ? [{ name: tool.name, schema: tool.input_schema as OfferedTool['schema'] }] : [],
    ),
    toolChoice:
      choice?.type === 'tool' ? choice.name : { any: true, none: false, auto: undefined }[choice?.type ?? 'auto'],
    choiceCount: 1,
    maxTokens: undefined,
    stopSequences: [],
    isReasoning: thinking?.type === 'enabled' || thinking?.type === 'adaptive',
    isJson: request.output_config?.format != null,
  };
}

const findLastText = (messages: CountRequest['messages']): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => readTexts(content))
    .findLast((text) => text !== '') ?? '';

const readTexts = (content: string | readonly { type: string }[]): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : [])).join(' ');
