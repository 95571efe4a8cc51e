import { type ModelAnswer, streamPieces } from './answer.ts';
import type { Directives } from './directives.ts';
import { createId } from './identifiers.ts';
import type { Frame, Reply } from './reply.ts';

/** A message before it gets one of its two forms. */
export interface AnthropicMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ContentBlock[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly answer: ModelAnswer;
  readonly tier: string;
  readonly geo: string;
}

/** A block, its form at `content_block_start`, and its deltas. */
interface ContentBlock {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
  /** Whether the deltas are the pieces of the answer. */
  readonly isText?: boolean;
}

const SIGNATURE = 'c2ltdWxhdGVkIHNpZ25hdHVyZQ==';

/** The blocks of an answer: thinking, searches of the server, calls of tools, or the text. */
export function createBlocks({ thoughts, toolCalls, choices }: ModelAnswer, webSearches: number): ContentBlock[] {
  const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: text === '' ? '' : SIGNATURE });
  const blocks: ContentBlock[] = [];
  if (thoughts.length > 0)
    blocks.push({
      whole: thinking(thoughts.join('')),
      start: thinking(''),
      deltas: [
        ...thoughts.map((text) => ({ type: 'thinking_delta', thinking: text })),
        { type: 'signature_delta', signature: SIGNATURE },
      ],
    });
  for (let at = 0; at < webSearches; at += 1) {
    const use = {
      type: 'server_tool_use',
      id: createId('srvtoolu_01', 22),
      name: 'web_search',
      caller: { type: 'direct' },
    };
    const whole = { ...use, input: { query: 'simulated' } };
    blocks.push({
      whole,
      start: { ...use, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: '{"query":"simulated"}' }],
    });
    const result = { type: 'web_search_tool_result', tool_use_id: use.id, content: [], caller: { type: 'direct' } };
    blocks.push({ whole: result, start: result, deltas: [] });
  }
  for (const { name, input } of toolCalls) {
    const use = { type: 'tool_use', id: createId('toolu_01', 22), name, input: {}, caller: { type: 'direct' } };
    const parts = ['', ...(JSON.stringify(input).match(/.{1,12}/gsu) ?? [])];
    const deltas = parts.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    blocks.push({ whole: { ...use, input }, start: use, deltas });
  }
  if (toolCalls.length === 0) {
    const text = (choices[0] ?? []).join('');
    const start = { type: 'text', text: '', citations: null };
    blocks.push({ whole: { ...start, text }, start, deltas: [], isText: true });
  }
  return blocks;
}

/**
 * The usage of a message: `input_tokens` are those outside the cache. At the start of a stream the
 * output is a placeholder; the one of `message_delta` is cumulative.
 */
export function createUsage({ answer: { tokens }, tier, geo }: AnthropicMessage, { web_search }: Directives) {
  const written = tokens.cacheWrite + tokens.cacheWrite1h;
  return {
    input_tokens: Math.max(0, tokens.input - tokens.cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: tokens.cached,
    cache_creation: {
      ephemeral_5m_input_tokens: tokens.cacheWrite,
      ephemeral_1h_input_tokens: tokens.cacheWrite1h,
    },
    output_tokens: tokens.output,
    output_tokens_details: tokens.reasoning > 0 ? { thinking_tokens: tokens.reasoning } : null,
    server_tool_use: web_search > 0 ? { web_search_requests: web_search, web_fetch_requests: 0 } : null,
    service_tier: tier,
    inference_geo: geo,
    speed: 'standard',
  };
}

/** A message as JSON or as events. */
export function streamMessage(message: AnthropicMessage, directives: Directives, isStream: boolean): Reply {
  const usage = createUsage(message, directives);
  const base = { id: message.id, type: 'message', role: 'assistant', model: message.model, container: null };
  if (!isStream) {
    const content = message.blocks.map(({ whole }) => whole);
    const stop = { stop_reason: message.stopReason, stop_sequence: message.stopSequence };
    const body = { ...base, content, ...stop, ...(directives.usage !== 'none' && { usage }) };
    return { kind: 'json', body, usage };
  }
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: null };
  return {
    kind: 'stream',
    contentType: 'text/event-stream; charset=utf-8',
    usage,
    frames: createFrames(message, base, usage, directives),
    errorFrame: createEvent(error).text,
  };
}

const createEvent = (event: { type: string }, members: Partial<Frame> = {}): Frame => ({
  text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  ...members,
});

function* createFrames(
  message: AnthropicMessage,
  base: object,
  usage: ReturnType<typeof createUsage>,
  directives: Directives,
): Generator<Frame> {
  const isSilent = directives.usage === 'none';
  const started = { ...usage, output_tokens: 1, output_tokens_details: null, server_tool_use: null };
  const start = { ...base, content: [], stop_reason: null, stop_sequence: null, ...(!isSilent && { usage: started }) };
  yield createEvent({ type: 'message_start', message: start } as { type: string }, isSilent ? {} : { usage: started });
  for (const [index, block] of message.blocks.entries()) {
    yield createEvent({ type: 'content_block_start', index, content_block: block.start } as { type: string });
    if (index === 0) yield createEvent({ type: 'ping' });
    const pieces = block.isText === true ? streamPieces(message.answer.choices[0] ?? [], directives) : [];
    for (const delta of block.deltas) yield createEvent(createDelta(index, delta));
    for (const text of pieces) yield createEvent(createDelta(index, { type: 'text_delta', text }));
    yield createEvent({ type: 'content_block_stop', index } as { type: string });
  }
  const delta = { stop_reason: message.stopReason, stop_sequence: message.stopSequence, container: null };
  const { cache_creation: _, service_tier: _tier, inference_geo: _geo, speed: _speed, ...cumulative } = usage;
  if (directives.web_search > 0 && !isSilent) {
    const early = { ...cumulative, output_tokens: Math.min(1, usage.output_tokens) };
    const open = { stop_reason: null, stop_sequence: null, container: null };
    yield createEvent({ type: 'message_delta', delta: open, usage: early } as { type: string }, { usage: early });
  }
  const last = { type: 'message_delta', delta, ...(!isSilent && { usage: cumulative }) };
  yield createEvent(last, isSilent ? {} : { usage: cumulative });
  yield createEvent({ type: 'message_stop' }, { isTerminal: true });
}

const createDelta = (index: number, delta: object): { type: string } & Record<string, unknown> => ({
  type: 'content_block_delta',
  index,
  delta,
});
