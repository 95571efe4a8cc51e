import { countTokens, createEcho, type Echo } from './echo.ts';
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

/** `POST /v1/messages` (Anthropic API reference). Tools are ignored. */
export function createMessage({ body }: DemoRequest): Reply {
  const model = requireModel(body);
  const messages = requireList(body, 'messages');
  const limit = readLimit(body, 'max_tokens');
  const last = readText(findLastMessage(messages, 'user')['content']);
  const echo = createEcho(selectPrompt(body), last, limit);
  const common = { id: `msg_demo${echo.digest}`, type: 'message', role: 'assistant', model, stop_sequence: null };
  const stop_reason = echo.isCut ? 'max_tokens' : 'end_turn';
  if (body['stream'] === true)
    return { contentType: 'text/event-stream', frames: streamMessage(common, echo, stop_reason) };
  const content = [{ type: 'text', text: echo.text }];
  return { json: { ...common, content, stop_reason, usage: createUsage(echo, echo.outputTokens) } };
}

/** `POST /v1/messages/count_tokens`. */
export function countMessageTokens({ body }: DemoRequest): Reply {
  requireModel(body);
  requireList(body, 'messages');
  return { json: { input_tokens: countTokens(selectPrompt(body)) } };
}

const selectPrompt = ({ system, messages, tools }: DemoRequest['body']): unknown => [system, messages, tools];

const createUsage = ({ promptTokens }: Echo, outputTokens: number): object => ({
  input_tokens: promptTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
});

function streamMessage(common: object, echo: Echo, stopReason: string): string[] {
  const send = (type: string, members: object) => formatEvent({ type, ...members }, type);
  const message = { ...common, content: [], stop_reason: null, usage: createUsage(echo, 1) };
  return [
    send('message_start', { message }),
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    send('ping', {}),
    ...echo.chunks.map((text) => send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    send('content_block_stop', { index: 0 }),
    send('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: echo.outputTokens },
    }),
    send('message_stop', {}),
  ];
}
