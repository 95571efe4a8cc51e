import { type ModelAnswer, streamPieces } from './answer.ts';
import type { Directives } from './directives.ts';
import { createId } from './identifiers.ts';
import type { Frame, Reply, VendorCall } from './reply.ts';

/** The form of an answer: one JSON object, an event stream, or a JSON array of chunks. */
interface ContentForm {
  readonly form: 'whole' | 'events' | 'array';
  readonly includesThoughts: boolean;
}

const FINISH = { stop: 'STOP', stop_sequence: 'STOP', length: 'MAX_TOKENS', tool: 'STOP' } as const;
const SIGNATURE = 'c2ltdWxhdGVkIHNpZ25hdHVyZQ==';

/** Returns the content that a model generates, in its form. */
export function createContentReply(
  call: VendorCall,
  answer: ModelAnswer,
  { form, includesThoughts }: ContentForm,
): Reply {
  const { directives, record } = call;
  const usage = createUsageMetadata(answer, directives);
  const members = { modelVersion: directives.served ?? record.model, responseId: createId('', 22) };
  const grounding = createGrounding(directives);
  if (form === 'whole') {
    const candidates = answer.choices.map((pieces, index) => ({
      content: { parts: createParts(answer, pieces, includesThoughts), role: 'model' },
      finishReason: FINISH[answer.finish],
      index,
      ...grounding,
    }));
    const body = { candidates, ...(directives.usage !== 'none' && { usageMetadata: usage }), ...members };
    return { kind: 'json', body, usage };
  }
  const chunks = listChunks(answer, directives, { usage, members, grounding, includesThoughts });
  const error = {
    error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  };
  const text = JSON.stringify(error);
  return form === 'events'
    ? {
        kind: 'stream',
        contentType: 'text/event-stream',
        hasCrlf: true,
        usage,
        frames: createEvents(chunks),
        errorFrame: `data: ${text}\n\n`,
      }
    : {
        kind: 'stream',
        contentType: 'application/json; charset=UTF-8',
        usage,
        frames: createArray(chunks),
        errorFrame: `,\r\n${text}\n]`,
      };
}

/**
 * The usage of an answer: cached tokens are part of the prompt, thoughts are not part of the
 * candidates, and the total adds prompt, candidates, prompts of tools and thoughts.
 */
function createUsageMetadata({ tokens }: ModelAnswer, { tool_prompt }: Directives) {
  const candidates = Math.max(0, tokens.output - tokens.reasoning);
  const audio = tokens.audioIn > 0 ? [{ modality: 'AUDIO', tokenCount: tokens.audioIn }] : [];
  const spoken = tokens.audioOut > 0 ? [{ modality: 'AUDIO', tokenCount: tokens.audioOut }] : [];
  return {
    promptTokenCount: tokens.input,
    ...(candidates > 0 && { candidatesTokenCount: candidates }),
    totalTokenCount: tokens.input + candidates + tool_prompt + tokens.reasoning,
    ...(tokens.cached > 0 && {
      cachedContentTokenCount: tokens.cached,
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: tokens.cached }],
    }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens.input - tokens.audioIn }, ...audio],
    ...(spoken.length > 0 && {
      candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: candidates - tokens.audioOut }, ...spoken],
    }),
    ...(tool_prompt > 0 && { toolUsePromptTokenCount: tool_prompt }),
    ...(tokens.reasoning > 0 && { thoughtsTokenCount: tokens.reasoning }),
  };
}

const createGrounding = ({ web_search }: Directives): object =>
  web_search === 0
    ? {}
    : { groundingMetadata: { webSearchQueries: Array.from({ length: web_search }, (_, at) => `query ${at + 1}`) } };

const createThought = (text: string) => ({ text, thought: true });

const createCallParts = ({ toolCalls }: ModelAnswer) =>
  toolCalls.map(({ name, input }) => ({
    functionCall: { id: createId('', 8), name, args: input },
    thoughtSignature: SIGNATURE,
  }));

const createParts = (answer: ModelAnswer, pieces: readonly string[], includesThoughts: boolean): object[] => [
  ...(includesThoughts && answer.thoughts.length > 0 ? [createThought(answer.thoughts.join(''))] : []),
  ...(answer.toolCalls.length > 0 ? createCallParts(answer) : [{ text: pieces.join('') }]),
];

interface ChunkMembers {
  readonly usage: ReturnType<typeof createUsageMetadata>;
  readonly members: object;
  readonly grounding: object;
  readonly includesThoughts: boolean;
}

/** The chunks of a stream, each with the usage up to it. */
function* listChunks(
  answer: ModelAnswer,
  directives: Directives,
  own: ChunkMembers,
): Generator<Pick<Frame, 'text' | 'usage'>> {
  const { usage, members, grounding, includesThoughts } = own;
  const mode = directives.usage;
  let generated = 0;
  const chunk = (candidates: object[] | undefined, isLast: boolean) => {
    const early = { ...usage, totalTokenCount: usage.promptTokenCount + generated, candidatesTokenCount: generated };
    const sent = isLast ? usage : early;
    const isTold = mode !== 'none' && (mode !== 'finish' || isLast);
    const body = {
      ...(candidates !== undefined && { candidates }),
      ...(isTold && { usageMetadata: sent }),
      ...members,
    };
    return { text: JSON.stringify(body), ...(isTold && { usage: sent }) };
  };
  const candidate = (index: number, parts: object[], isLast = false) => ({
    content: { parts, role: 'model' },
    ...(isLast && { finishReason: FINISH[answer.finish], ...grounding }),
    index,
  });
  if (includesThoughts) for (const text of answer.thoughts) yield chunk([candidate(0, [createThought(text)])], false);
  for (const [index, pieces] of answer.choices.entries())
    for (const text of streamPieces(pieces, directives)) {
      generated += 1;
      yield chunk([candidate(index, [{ text }])], false);
    }
  if (answer.toolCalls.length > 0) yield chunk([candidate(0, createCallParts(answer))], false);
  const last = answer.choices.map((_, index) => candidate(index, [{ text: '' }], true));
  const isSeparate = mode === 'separate';
  yield chunk(last, !isSeparate);
  if (isSeparate) yield chunk(undefined, true);
}

function* createEvents(chunks: Iterable<Pick<Frame, 'text' | 'usage'>>): Generator<Frame> {
  for (const [chunk, isTerminal] of markLast(chunks)) yield { ...chunk, text: `data: ${chunk.text}\n\n`, isTerminal };
}

function* createArray(chunks: Iterable<Pick<Frame, 'text' | 'usage'>>): Generator<Frame> {
  let before = '[';
  for (const [chunk, isTerminal] of markLast(chunks)) {
    yield { ...chunk, text: `${before}${chunk.text}${isTerminal ? '\n]' : ''}`, isTerminal };
    before = ',\r\n';
  }
}

function* markLast<T>(values: Iterable<T>): Generator<[value: T, isLast: boolean]> {
  let previous: T | undefined;
  for (const value of values) {
    if (previous !== undefined) yield [previous, false];
    previous = value;
  }
  if (previous !== undefined) yield [previous, true];
}
