import { FORMAT_HEADERS, FORMAT_REQUESTS, type FormatName } from './format-requests.ts';

/** A request of the ledger test. */
export interface LedgerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Parts of the response after which the client disconnects; undefined if it does not. */
  readonly closeAfter: number | undefined;
}

/** Returns a number from 0 to 1, without 1. */
export type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** Directives of the simulated vendors, with how often they occur. */
const DIRECTIVES: readonly (readonly [share: number, create: (random: Random) => string])[] = [
  [50, () => ''],
  [8, (random) => `cached=${1 + Math.floor(random() * 5)}`],
  [6, () => 'reasoning=3 output=9'],
  [6, (random) => `chunks=${1 + Math.floor(random() * 30)}`],
  [5, () => 'split=7'],
  [4, () => 'usage=every'],
  [4, () => 'usage=none'],
  [4, (random) => `fault=status:${pick(random, ['400', '429', '500', '503'])}`],
  [3, () => 'fault=reset_before_headers'],
  [3, () => 'fault=reset_after:2'],
  [2, () => 'fault=truncate:2'],
  [2, () => 'fault=error_event:2'],
  [3, () => 'delay_ms=5 chunks=10'],
];
const TOTAL = DIRECTIVES.reduce((sum, [share]) => sum + share, 0);

function createDirective(random: Random): string {
  let rest = random() * TOTAL;
  for (const [share, create] of DIRECTIVES) {
    rest -= share;
    if (rest < 0) return create(random);
  }
  return '';
}

/** The models of each format, which occurs as often as it is named. */
const FORMATS: readonly (readonly [format: FormatName, models: readonly string[]])[] = [
  ['chat', ['gpt-5.4', 'gpt-5.4-mini']],
  ['chat', ['gpt-5.4', 'gpt-5.4-mini']],
  ['response', ['gpt-5.4']],
  ['message', ['claude-opus-5-5', 'claude-haiku-5-5']],
  ['message', ['claude-opus-5-5', 'claude-haiku-5-5']],
  ['content', ['gemini-2.5-flash']],
];

/** Creates a random request: any vendor, streaming or not. @param key a virtual key */
export function createLedgerRequest(random: Random, key: string): LedgerRequest {
  const text = `Count the gates. [[sim: ${createDirective(random)}]]`;
  const isStream = random() < 0.6;
  const closeAfter = random() < 0.12 ? Math.floor(random() * 4) : undefined;
  const [format, models] = pick(random, FORMATS);
  const facts = { text, model: pick(random, models), isStream, includeUsage: random() < 0.5 };
  const headers = { ...FORMAT_HEADERS, authorization: `Bearer ${key}` };
  return { closeAfter, headers, ...FORMAT_REQUESTS[format](facts) };
}

/** Sends a request, and reads its response or leaves it. */
export async function sendLedgerRequest(
  url: string,
  { path, headers, body, closeAfter }: LedgerRequest,
): Promise<void> {
  const stopping = new AbortController();
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: stopping.signal });
  const reader = response.body?.getReader();
  for (let parts = 0; ; parts += 1) {
    if (parts === closeAfter) stopping.abort();
    if ((await reader?.read())?.done !== false) return;
  }
}

/** A generator of Park and Miller, so that a seed repeats a run. */
export function createRandom(first: number): Random {
  let state = (first % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
