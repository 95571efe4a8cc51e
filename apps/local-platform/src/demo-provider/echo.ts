import { createHash } from 'node:crypto';

/** The model that the demo provider offers in each format. */
export const DEMO_MODEL = 'demo-echo';

/** The answer to a prompt: the same for the same prompt. */
export interface Echo {
  /** The parts of the answer, as a stream sends them. */
  readonly chunks: readonly string[];
  readonly text: string;
  /** Whether the limit of the request cut the answer. */
  readonly isCut: boolean;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** 24 hex digits that depend on the prompt only, for ids. */
  readonly digest: string;
}

/** The invented token of the demo provider: four characters. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_CHUNK = 5;
/** The longest repeated message in characters. */
const LONGEST_MESSAGE = 2_000;

/** Counts the tokens of a text or of a JSON value. */
export function countTokens(prompt: unknown): number {
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * Answers a prompt with its last user message.
 * @param prompt everything that counts as input
 * @param maxTokens the limit of the request; undefined without one
 */
export function createEcho(prompt: unknown, lastMessage: string, maxTokens: number | undefined): Echo {
  const repeated = Array.from(lastMessage).slice(0, LONGEST_MESSAGE).join('');
  const end = repeated.length < lastMessage.length ? '…' : '';
  const whole = Array.from(`[demo: no model was called] You said: ${repeated}${end}`);
  const limit = (maxTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_PER_TOKEN;
  const answer = whole.slice(0, limit);
  const size = TOKENS_PER_CHUNK * CHARACTERS_PER_TOKEN;
  const count = Math.ceil(answer.length / size);
  return {
    chunks: Array.from({ length: count }, (_, at) => answer.slice(at * size, (at + 1) * size).join('')),
    text: answer.join(''),
    isCut: answer.length < whole.length,
    promptTokens: countTokens(prompt),
    outputTokens: Math.ceil(answer.length / CHARACTERS_PER_TOKEN),
    digest: createHash('sha256').update(JSON.stringify(prompt)).digest('hex').slice(0, 24),
  };
}

/** Creates a vector of length 1 that depends on the text only. */
export function createVector(text: string, dimensions: number): number[] {
  const values = Array.from({ length: dimensions }, (_, at) => {
    const digest = createHash('sha256').update(`${at} ${text}`).digest();
    return digest.readInt32BE() / 2 ** 31;
  });
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
}
