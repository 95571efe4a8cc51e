import { createEcho, type Echo } from './echo.ts';
import {
  type DemoRequest,
  findLastMessage,
  formatEvent,
  readLimit,
  readText,
  type Reply,
  requireList,
  requireModel,
} from './reply.ts';

/** `POST /v1/chat/completions` (OpenAI API reference, Chat). Tools are ignored. */
export function completeChat({ body }: DemoRequest): Reply {
  const model = requireModel(body);
  const messages = requireList(body, 'messages');
  const limit = readLimit(body, 'max_completion_tokens', 'max_tokens');
  const echo = createEcho([messages, body['tools']], readText(findLastMessage(messages, 'user')['content']), limit);
  const common = { id: `chatcmpl-demo-${echo.digest}`, created: Math.floor(Date.now() / 1000), model };
  const finish_reason = echo.isCut ? 'length' : 'stop';
  if (body['stream'] === true) {
    const { include_usage: includeUsage } = (body['stream_options'] ?? {}) as { include_usage?: unknown };
    return { contentType: 'text/event-stream', frames: streamChat(common, echo, finish_reason, includeUsage === true) };
  }
  const message = { role: 'assistant', content: echo.text, refusal: null };
  return {
    json: {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage: createUsage(echo),
    },
  };
}

function streamChat(common: object, echo: Echo, finishReason: string, includeUsage: boolean): string[] {
  const usage = includeUsage ? { usage: null } : {};
  const createChunk = (delta: object, finish_reason: string | null) =>
    formatEvent({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...usage,
    });
  return [
    createChunk({ role: 'assistant', content: '' }, null),
    ...echo.chunks.map((content) => createChunk({ content }, null)),
    createChunk({}, finishReason),
    ...(includeUsage
      ? [formatEvent({ ...common, object: 'chat.completion.chunk', choices: [], usage: createUsage(echo) })]
      : []),
    formatEvent('[DONE]'),
  ];
}

const createUsage = ({ promptTokens, outputTokens }: Echo): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});
