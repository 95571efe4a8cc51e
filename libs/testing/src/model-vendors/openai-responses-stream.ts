import { type ModelAnswer, streamPieces } from './answer.ts';
import type { Directives } from './directives.ts';
import { createId } from './identifiers.ts';
import type { Frame, Reply } from './reply.ts';

/** An item of the output, with the pieces of its text or of its arguments. */
export interface OutputItem {
  readonly item: { id: string; type: string } & Record<string, unknown>;
  readonly pieces: readonly string[];
}

/** A response before it is written as events. */
export interface StreamedResponse {
  readonly started: object;
  readonly complete: { status: string };
  readonly items: readonly OutputItem[];
  readonly usage: object;
  readonly directives: Directives;
}

/** The items of the output: reasoning, web searches, calls of functions, or the message. */
export function createItems(answer: ModelAnswer, webSearches: number): OutputItem[] {
  const { thoughts, toolCalls, finish } = answer;
  const pieces = answer.choices[0] ?? [];
  const reasoning = thoughts.length === 0 ? [] : [{ id: createId('rs_', 48), type: 'reasoning', summary: [] }];
  const searches = Array.from({ length: webSearches }, () => ({
    id: createId('ws_', 48),
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'simulated' },
  }));
  const calls = toolCalls.map(({ name, input }) => {
    const id = createId('fc_', 48);
    return {
      id,
      type: 'function_call',
      status: 'completed',
      call_id: createId('call_'),
      name,
      arguments: JSON.stringify(input),
    };
  });
  const message = {
    id: createId('msg_', 48),
    type: 'message',
    status: finish === 'length' ? 'incomplete' : 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text: pieces.join('') }],
  };
  return [
    ...[...reasoning, ...searches].map((item) => ({ item, pieces: [] })),
    ...calls.map((item) => ({ item, pieces: item.arguments.match(/.{1,12}/gsu) ?? [] })),
    ...(calls.length > 0 ? [] : [{ item: message, pieces }]),
  ];
}

/** The events of a response. Only the terminal one carries the usage. */
export function streamResponse(response: StreamedResponse): Reply {
  const error = {
    type: 'error',
    code: 'server_error',
    message: 'The server had an error while processing your request.',
    param: null,
    sequence_number: 0,
  };
  return {
    kind: 'stream',
    contentType: 'text/event-stream; charset=utf-8',
    usage: response.usage,
    frames: numberEvents(createEvents(response), response),
    errorFrame: `event: error\ndata: ${JSON.stringify(error)}\n\n`,
  };
}

function* numberEvents(events: Iterable<{ type: string }>, { usage, directives }: StreamedResponse): Generator<Frame> {
  let sequence_number = 0;
  for (const event of events) {
    const text = `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence_number++ })}\n\n`;
    const isTerminal = event.type === 'response.completed' || event.type === 'response.incomplete';
    const isTold = isTerminal && directives.usage !== 'none';
    yield { text, isTerminal, ...(isTold && { usage }) };
  }
}

function* createEvents({ started, complete, items, directives }: StreamedResponse): Generator<{ type: string }> {
  yield event('response.created', { response: started });
  yield event('response.in_progress', { response: started });
  for (const [output_index, { item, pieces }] of items.entries()) {
    const at = { output_index, item_id: item.id };
    if (item.type === 'message') yield* createMessageEvents(item, pieces, at, directives);
    else if (item.type === 'function_call') yield* createCallEvents(item, pieces, at);
    else {
      yield event('response.output_item.added', { output_index, item });
      yield event('response.output_item.done', { output_index, item });
    }
  }
  yield event(`response.${complete.status}`, { response: complete });
}

const event = (type: string, members: object): { type: string } => ({ type, ...members });

type Place = Readonly<{ output_index: number; item_id: string }>;

function* createMessageEvents(
  item: OutputItem['item'],
  pieces: readonly string[],
  place: Place,
  directives: Directives,
) {
  const at = { ...place, content_index: 0 };
  const part = { type: 'output_text', annotations: [], logprobs: [], text: '' };
  const { output_index } = place;
  yield event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } });
  yield event('response.content_part.added', { ...at, part });
  for (const delta of streamPieces(pieces, directives))
    yield event('response.output_text.delta', { ...at, delta, logprobs: [] });
  const text = pieces.join('');
  yield event('response.output_text.done', { ...at, text, logprobs: [] });
  yield event('response.content_part.done', { ...at, part: { ...part, text } });
  yield event('response.output_item.done', { output_index, item });
}

function* createCallEvents(item: OutputItem['item'], pieces: readonly string[], place: Place) {
  const { output_index } = place;
  yield event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
  for (const delta of pieces) yield event('response.function_call_arguments.delta', { ...place, delta });
  yield event('response.function_call_arguments.done', { ...place, arguments: item['arguments'], name: item['name'] });
  yield event('response.output_item.done', { output_index, item });
}
