import { type ModelAnswer, streamPieces } from './answer.ts';
import type { Directives } from './directives.ts';
import type { Frame, Reply } from './reply.ts';

/** A chat completion before it gets one of its two forms. */
export interface ChatCompletion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly tier: string;
  readonly finish: 'stop' | 'length' | 'tool_calls';
  readonly calls: readonly { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  readonly usage: object;
  readonly answer: ModelAnswer;
}

const ERROR = {
  error: {
    message: 'The server had an error while processing your request.',
    type: 'server_error',
    param: null,
    code: null,
  },
};

/** The chunks of a chat completion. */
export function streamChatCompletion(
  completion: ChatCompletion,
  directives: Directives,
  includesUsage: boolean,
): Reply {
  return {
    kind: 'stream',
    contentType: 'text/event-stream; charset=utf-8',
    usage: completion.usage,
    frames: createFrames(completion, directives, includesUsage),
    errorFrame: `data: ${JSON.stringify(ERROR)}\n\n`,
  };
}

/**
 * `include_usage` puts `usage: null` on each chunk and adds one with no choices. Compatible servers
 * put it on every chunk (`every`), on the last one with choices (`finish`), or nowhere (`none`).
 */
function* createFrames(completion: ChatCompletion, directives: Directives, includesUsage: boolean): Generator<Frame> {
  const { id, created, model, tier, finish, usage, answer } = completion;
  const mode = directives.usage;
  const frame = (choices: object[], own?: object): Frame => {
    const sent = own ?? (mode === 'every' ? usage : undefined);
    const last = sent !== undefined ? { usage: sent } : includesUsage && mode !== 'none' ? { usage: null } : {};
    const chunk = {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      service_tier: tier,
      system_fingerprint: 'fp_simulated',
    };
    return {
      text: `data: ${JSON.stringify({ ...chunk, choices, ...last })}\n\n`,
      ...(sent !== undefined && { usage: sent }),
    };
  };
  const choice = (index: number, delta: object, reason: string | null = null) => ({
    index,
    delta,
    logprobs: null,
    finish_reason: reason,
  });
  for (const [index, pieces] of answer.choices.entries()) {
    yield frame([
      choice(index, { role: 'assistant', content: completion.calls.length > 0 ? null : '', refusal: null }),
    ]);
    for (const content of streamPieces(pieces, directives)) yield frame([choice(index, { content })]);
    for (const delta of createCallDeltas(completion.calls)) yield frame([choice(index, delta)]);
  }
  for (const index of answer.choices.keys())
    yield frame([choice(index, {}, finish)], mode === 'finish' ? usage : undefined);
  if (mode === 'separate' || (includesUsage && mode === 'normal')) yield frame([], usage);
  yield { text: 'data: [DONE]\n\n', isTerminal: true };
}

function* createCallDeltas(calls: ChatCompletion['calls']): Generator<object> {
  for (const [index, { id, type, function: called }] of calls.entries()) {
    yield { tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] };
    for (const part of called.arguments.match(/.{1,12}/gsu) ?? [])
      yield { tool_calls: [{ index, function: { arguments: part } }] };
  }
}
