import { removeMarkers, type Directives } from './directives.ts';

/** A tool of a request, in one shape for all vendors. */
export interface OfferedTool {
  readonly name: string;
  /** JSON schema of its input, of type object. Types may be in capital letters (Google). */
  readonly schema: ToolSchema | undefined;
}

interface ToolSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, ToolSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** A request to a model, in one shape for all vendors. */
export interface ModelPrompt {
  /** All texts of the request. Their size gives the number of input tokens. */
  readonly texts: readonly string[];
  /** The last text of the user. */
  readonly lastText: string;
  /** The results of tools in the last turn. */
  readonly toolResults: readonly string[];
  readonly imageCount: number;
  readonly tools: readonly OfferedTool[];
  /** A tool that the request forces, `true` for any, `false` for none. */
  readonly toolChoice: string | boolean | undefined;
  readonly choiceCount: number;
  readonly maxTokens: number | undefined;
  readonly stopSequences: readonly string[];
  readonly isReasoning: boolean;
  readonly isJson: boolean;
}

/** A call of a tool by the model. */
export interface ToolCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** Token counts of an answer. Vendors subtract the parts where their usage object is disjoint. */
export interface TokenCounts {
  /** All of the prompt: with cached, written and audio tokens. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly audioIn: number;
  /** All of the output: with reasoning and audio tokens. */
  readonly output: number;
  readonly reasoning: number;
  readonly audioOut: number;
}

/** The answer of the simulated model. */
export interface ModelAnswer {
  /** One list of text pieces for each choice; one piece is one token. */
  readonly choices: readonly (readonly string[])[];
  readonly thoughts: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly finish: 'stop' | 'length' | 'tool' | 'stop_sequence';
  readonly stopSequence: string | undefined;
  readonly tokens: TokenCounts;
}

const TOKENS_PER_IMAGE = 85;
const DEFAULT_REASONING_TOKENS = 16;

/** The token count of a text: one for every four bytes. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** The token count of a prompt. */
export const countPrompt = ({ texts, imageCount, tools }: ModelPrompt): number =>
  texts.reduce((sum, text) => sum + countTokens(text), 0) +
  imageCount * TOKENS_PER_IMAGE +
  tools.reduce((sum, tool) => sum + countTokens(JSON.stringify(tool)), 0);

/**
 * Answers a prompt. The text depends on the prompt only: `You said: <last text>.` and the numbers
 * from 1 on, or `The tool said: <result>.` after a call of a tool. Every offered tool whose name is
 * in the last text is called; inputs come from `name=value` in that text.
 */
export function answerPrompt(prompt: ModelPrompt, directives: Directives): ModelAnswer {
  const toolCalls = chooseTools(prompt, directives).map((tool) => createCall(tool, prompt.lastText));
  const reasoning = directives.reasoning ?? (prompt.isReasoning ? DEFAULT_REASONING_TOKENS : 0);
  const full = toolCalls.length > 0 ? [] : createPieces(prompt, directives);
  const { pieces, finish, stopSequence } = cutPieces(full, prompt);
  const choices = Array.from({ length: prompt.choiceCount }, () => pieces);
  const callTokens = toolCalls.reduce((sum, call) => sum + countTokens(JSON.stringify(call)), 0);
  const generated = pieces.length * prompt.choiceCount + callTokens + reasoning + directives.audio_out;
  return {
    choices,
    thoughts: reasoning > 0 ? ['I think', ' about it.'] : [],
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool' : finish,
    stopSequence,
    tokens: {
      input: directives.input ?? countPrompt(prompt) + directives.audio_in,
      cached: directives.cached,
      cacheWrite: directives.cache_write ?? 0,
      cacheWrite1h: directives.cache_write_1h ?? 0,
      audioIn: directives.audio_in,
      output: directives.output ?? generated,
      reasoning,
      audioOut: directives.audio_out,
    },
  };
}

function createPieces({ lastText, toolResults, isJson, imageCount }: ModelPrompt, directives: Directives): string[] {
  const { chunks, huge = 0 } = directives;
  const said = removeMarkers(lastText).slice(0, 200);
  if (isJson) return JSON.stringify({ answer: said }).match(/.{1,8}/gsu) ?? [];
  const images = imageCount > 0 ? ` with ${imageCount} image(s)` : '';
  const first = toolResults.length > 0 ? `The tool said: ${toolResults.join(' ')}.` : `You said${images}: ${said}.`;
  return Array.from({ length: Math.max(1, chunks) }, (_, at) => (at === 0 ? first + 'x'.repeat(huge) : ` ${at}`));
}

/** Ends an answer at a stop sequence or at the most tokens. */
function cutPieces(full: readonly string[], { maxTokens, stopSequences }: ModelPrompt) {
  const text = full.join('');
  const stopSequence = stopSequences.find((stop) => text.includes(stop));
  if (stopSequence !== undefined) {
    const pieces = [text.slice(0, text.indexOf(stopSequence))];
    return { pieces, finish: 'stop_sequence' as const, stopSequence };
  }
  if (maxTokens !== undefined && full.length > maxTokens)
    return { pieces: full.slice(0, maxTokens), finish: 'length' as const, stopSequence };
  return { pieces: full, finish: 'stop' as const, stopSequence };
}

function chooseTools({ tools, toolChoice, toolResults, lastText }: ModelPrompt, { tool }: Directives): OfferedTool[] {
  if (toolChoice === false || toolResults.length > 0) return [];
  const named = (wanted: string) => tools.filter(({ name }) => name === wanted);
  if (tool !== undefined) return named(tool);
  if (typeof toolChoice === 'string') return named(toolChoice);
  const asked = tools.filter(({ name }) => removeMarkers(lastText).includes(name));
  return asked.length === 0 && toolChoice === true ? tools.slice(0, 1) : asked;
}

function createCall({ name, schema }: OfferedTool, text: string): ToolCall {
  const { properties = {}, required = Object.keys(properties) } = schema ?? {};
  const input = required.map((property) => [property, createValue(property, properties[property], text)]);
  return { name, input: Object.fromEntries(input) as Record<string, unknown> };
}

function createValue(property: string, schema: ToolSchema | undefined, text: string): unknown {
  const given = new RegExp(`\\b${property}=([^\\s,;]+)`).exec(text)?.[1];
  const first = Array.isArray(schema?.type) ? (schema.type[0] as unknown) : schema?.type;
  const type = typeof first === 'string' ? first.toLowerCase() : 'string';
  if (schema?.enum !== undefined) return schema.enum[0];
  if (type === 'number' || type === 'integer') return Number(given ?? 1);
  if (type === 'boolean') return given !== 'false';
  if (type === 'array') return [];
  if (type === 'object') return {};
  return given ?? property;
}

/** The pieces of one choice; without an end if the directives say so. */
export function* streamPieces(pieces: readonly string[], { endless }: Directives): Generator<string> {
  yield* pieces;
  for (let at = pieces.length; endless; at += 1) yield ` ${at}`;
}
