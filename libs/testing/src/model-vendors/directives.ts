import { z } from 'zod';

const whole = z.coerce.number().int().nonnegative();
const flag = z.enum(['0', '1']).transform((text) => text === '1');

/** Names of faults. README.md of this folder says what each does. */
export const FAULTS = [
  'status',
  'reset_before_headers',
  'reset_after_headers',
  'reset_after',
  'half_frame',
  'silence',
  'truncate',
  'error_event',
  'garbage',
  'invalid_utf8',
  'redirect',
] as const;

const fault = z
  .string()
  .transform((text) => ({ name: text.replace(/:.*$/s, ''), argument: /:(.*)$/s.exec(text)?.[1] ?? '' }))
  .pipe(z.object({ name: z.enum(FAULTS), argument: z.string() }));

const schema = z.strictObject({
  name: z.string().optional(),
  chunks: whole.default(4),
  delay_ms: whole.default(0),
  first_ms: whole.default(0),
  fault: fault.optional(),
  times: whole.optional(),
  retry_after: whole.optional(),
  usage: z.enum(['normal', 'none', 'every', 'finish', 'separate']).default('normal'),
  input: whole.optional(),
  cached: whole.default(0),
  cache_write: whole.optional(),
  cache_write_1h: whole.optional(),
  output: whole.optional(),
  reasoning: whole.optional(),
  audio_in: whole.default(0),
  audio_out: whole.default(0),
  accepted: whole.default(0),
  rejected: whole.default(0),
  tool_prompt: whole.default(0),
  web_search: whole.default(0),
  tool: z.string().optional(),
  tier: z.string().optional(),
  served: z.string().optional(),
  split: whole.optional(),
  crlf: flag.optional(),
  comments: flag.default(false),
  huge: whole.optional(),
  endless: flag.default(false),
  content_type: z.string().optional(),
  gzip: flag.default(false),
  keep_open: flag.default(false),
});

/** How a simulated vendor answers one request. README.md of this folder describes each member. */
export type Directives = z.infer<typeof schema>;

/** Header with directives. Its members replace those of the prompt. */
export const DIRECTIVES_HEADER = 'x-sim';

const MARKER = /\[\[sim:([^\]]*)\]\]/g;

/**
 * Reads the directives of a request: the last marker `[[sim: chunks=20 fault=reset_after:3]]` in
 * its body, and the header `x-sim: chunks=20`.
 * @throws {Error} for an unknown directive or a wrong value, so that a test notices its mistake
 */
export function readDirectives(body: string, header: string | undefined): Directives {
  const marker = [...body.matchAll(MARKER)].at(-1)?.[1] ?? '';
  return schema.parse({ ...parsePairs(marker), ...parsePairs(header ?? '') });
}

/** Returns a text without markers. */
export const removeMarkers = (text: string): string => text.replace(MARKER, '').trim();

const parsePairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .filter((pair) => pair !== '')
      .map((pair) => [pair.replace(/=.*$/s, ''), pair.replace(/^[^=]*=?/, '')]),
  );
