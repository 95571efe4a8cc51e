import { answerPrompt, type ModelAnswer, type ModelPrompt, type OfferedTool } from './answer.ts';
import { createId, readSeconds } from './identifiers.ts';
import { chatSchema, type ChatRequest } from './openai-schemas.ts';
import { type ChatCompletion, streamChatCompletion } from './openai-chat-stream.ts';
import { chooseTier, createChatUsage, refuseField } from './openai-usage.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorOperation } from './reply.ts';
import { parseWith } from './schema.ts';

const FINISH = { stop: 'stop', stop_sequence: 'stop', length: 'length', tool: 'tool_calls' } as const;

/** `POST /v1/chat/completions`. */
export const createChatCompletion =
  (requireModel: (model: string) => string): VendorOperation =>
  ({ body, record, directives }) => {
    const request = parseWith(chatSchema, body, refuseField);
    record.model = requireModel(request.model);
    if (request.stream_options != null && request.stream !== true) {
      const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
      throw new VendorRefusal(400, 'invalid_request_error', message, null, 'stream_options');
    }
    checkToolMessages(request);
    const answer = answerPrompt(readPrompt(request), directives);
    const completion: ChatCompletion = {
      id: createId('chatcmpl-'),
      created: readSeconds(),
      model: directives.served ?? request.model,
      tier: chooseTier(request.service_tier, directives),
      finish: FINISH[answer.finish],
      calls: createCalls(answer),
      usage: createChatUsage(answer, directives),
      answer,
    };
    if (request.stream === true)
      return streamChatCompletion(completion, directives, request.stream_options?.include_usage === true);
    return { kind: 'json', body: createBody(completion, directives.usage === 'none'), usage: completion.usage };
  };

function createBody({ id, created, model, tier, finish, calls, usage, answer }: ChatCompletion, isSilent: boolean) {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: answer.choices.map((pieces, index) => ({
      index,
      message: {
        role: 'assistant',
        content: calls.length > 0 ? null : pieces.join(''),
        ...(calls.length > 0 && { tool_calls: calls }),
        refusal: null,
        annotations: [],
      },
      logprobs: null,
      finish_reason: finish,
    })),
    ...(!isSilent && { usage }),
    service_tier: tier,
    system_fingerprint: 'fp_simulated',
  };
}

const createCalls = ({ toolCalls }: ModelAnswer): ChatCompletion['calls'] =>
  toolCalls.map(({ name, input }) => ({
    id: createId('call_'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));

/** Each message of a tool follows the call that it answers. */
function checkToolMessages({ messages }: ChatRequest): void {
  const called = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) called.add(id);
    if (message.role !== 'tool' || called.has(message.tool_call_id)) continue;
    const text = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    throw new VendorRefusal(400, 'invalid_request_error', text, null, `messages.[${index}].role`);
  }
}

function readPrompt(request: ChatRequest): ModelPrompt {
  const { messages, tools = [], tool_choice: choice, stop, reasoning_effort: effort } = request;
  const texts = messages.map(({ content }) => readTexts(content).join(' '));
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(lastUser + 1).flatMap(({ role }, at) => (role === 'tool' ? [lastUser + 1 + at] : []));
  return {
    texts,
    lastText: texts[lastUser] ?? '',
    toolResults: results.map((at) => texts[at] ?? ''),
    imageCount: messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(isImage).length,
    tools: tools.map(({ function: { name, parameters } }): OfferedTool => ({ name, schema: parameters })),
    toolChoice: readChoice(choice),
    choiceCount: request.n ?? 1,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    stopSequences: typeof stop === 'string' ? [stop] : (stop ?? []),
    isReasoning: effort != null && effort !== 'none',
    isJson: request.response_format !== undefined && request.response_format.type !== 'text',
  };
}

const readChoice = (choice: ChatRequest['tool_choice']): string | boolean | undefined =>
  typeof choice === 'object'
    ? choice.function.name
    : { none: false, required: true, auto: undefined }[choice ?? 'auto'];

const isImage = ({ type }: { type: string }): boolean => type === 'image_url';

const readTexts = (content: ChatRequest['messages'][number]['content']): string[] =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
