import { createEcho, type Echo } from './echo.ts';
import {
  DemoRequestError,
  type DemoRequest,
  findLastMessage,
  formatEvent,
  readLimit,
  readText,
  type Reply,
  requireModel,
} from './reply.ts';

/** `POST /v1/responses` (OpenAI API reference, Responses). Tools are ignored; nothing is stored. */
export function createResponse({ body }: DemoRequest): Reply {
  const model = requireModel(body);
  const { input } = body;
  if (typeof input !== 'string' && !Array.isArray(input))
    throw new DemoRequestError('input: must be a text or a list of items');
  const last = typeof input === 'string' ? input : readText(findLastMessage(input, 'user')['content']);
  const limit = readLimit(body, 'max_output_tokens');
  const echo = createEcho([input, body['instructions'], body['tools']], last, limit);
  const created = {
    id: `resp_demo${echo.digest}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  };
  if (body['stream'] === true) return { contentType: 'text/event-stream', frames: streamResponse(created, echo) };
  return { json: finish(created, echo) };
}

function finish(created: object, echo: Echo): object {
  const { promptTokens, outputTokens, isCut } = echo;
  return {
    ...created,
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [createItem(echo, isCut ? 'incomplete' : 'completed', [createPart(echo.text)])],
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + outputTokens,
    },
  };
}

const createPart = (text: string): object => ({ type: 'output_text', text, annotations: [] });

const createItem = ({ digest }: Echo, status: string, content: readonly object[]): object => ({
  id: `msg_demo${digest}`,
  type: 'message',
  role: 'assistant',
  status,
  content,
});

function streamResponse(created: object, echo: Echo): string[] {
  const started = { ...created, status: 'in_progress', output: [], usage: null };
  const place = { item_id: `msg_demo${echo.digest}`, output_index: 0, content_index: 0 };
  const state = echo.isCut ? 'incomplete' : 'completed';
  const events: [type: string, members: object][] = [
    ['response.created', { response: started }],
    ['response.in_progress', { response: started }],
    ['response.output_item.added', { output_index: 0, item: createItem(echo, 'in_progress', []) }],
    ['response.content_part.added', { ...place, part: createPart('') }],
    ...echo.chunks.map((delta): [string, object] => ['response.output_text.delta', { ...place, delta }]),
    ['response.output_text.done', { ...place, text: echo.text }],
    ['response.content_part.done', { ...place, part: createPart(echo.text) }],
    ['response.output_item.done', { output_index: 0, item: createItem(echo, state, [createPart(echo.text)]) }],
    [`response.${state}`, { response: finish(created, echo) }],
  ];
  return events.map(([type, members], at) => formatEvent({ type, sequence_number: at, ...members }, type));
}
