import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { checkMessage } from './check-response.ts';
import { readJson } from './read-json.ts';
import { DEFAULT_RESPONSE_LIMITS, type ResponseLimits } from './response-limits.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Limits that small messages reach. The reserve of `checkMessage` is 1,000 values and 64 KiB. */
const LIMITS: ResponseLimits = {
  ...DEFAULT_RESPONSE_LIMITS,
  parsedBytes: 64 * 1024 + 400,
  json: { nodes: 1_030, keys: 1_020, depth: 8, members: 12 },
  listItems: 3,
  itemBytes: 200,
  contentItems: 3,
};

/** The verdict and the value of `checkMessage`, which scans and parses in two steps. */
function readInTwoSteps(text: string): unknown {
  const verdict = checkMessage(encode(text), LIMITS);
  if ('excess' in verdict) return { excess: verdict.excess };
  return JSON.parse(new TextDecoder().decode(verdict.bytes));
}

async function readAtOnce(text: string): Promise<unknown> {
  try {
    return await readJson(encode(text), LIMITS);
  } catch (error) {
    return { excess: (error as Error).message.replace('answered with ', '') };
  }
}

const tool = fc.record(
  { name: fc.string({ maxLength: 5 }), inputSchema: fc.constantFrom({ type: 'object' }, {}), x: fc.jsonValue() },
  { requiredKeys: ['name'] },
);
const block = fc.record(
  { type: fc.constantFrom('text', 'image'), text: fc.string({ maxLength: 80 }), x: fc.jsonValue() },
  { requiredKeys: ['type'] },
);
const holder = fc.record(
  {
    tools: fc.oneof(fc.array(tool, { maxLength: 5 }), fc.jsonValue()),
    content: fc.oneof(fc.array(block, { maxLength: 5 }), fc.jsonValue()),
    messages: fc.array(fc.record({ role: fc.constant('user'), content: fc.oneof(block, fc.jsonValue()) }), {
      maxLength: 5,
    }),
    other: fc.jsonValue({ maxDepth: 9 }),
    many: fc.array(fc.constant(0), { maxLength: 60 }),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  { jsonrpc: fc.constant('2.0'), id: fc.nat(), result: holder, params: holder },
  { requiredKeys: ['jsonrpc'] },
);

describe('readJson', () => {
  it('gives the verdict and the value of checkMessage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue()), async (value) => {
        const text = JSON.stringify(value);
        expect(await readAtOnce(text)).toEqual(readInTwoSteps(text));
      }),
      { seed, numRuns: 2_000 * effort },
    );
  });

  it('refuses exactly the texts that are not JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        message,
        fc.nat(),
        fc.constantFrom('', '"', '{', ',', '\\', '\0'),
        async (value, at, inserted) => {
          const whole = JSON.stringify(value);
          const place = at % (whole.length + 1);
          const text = whole.slice(0, place) + inserted + whole.slice(place + 1);
          const read = await readAtOnce(text);
          const isRefused = typeof read === 'object' && read !== null && 'excess' in read;
          expect(isRefused).toBe('excess' in (readInTwoStepsOrExcess(text) as object));
        },
      ),
      { seed, numRuns: 1_000 * effort },
    );
  });
});

function readInTwoStepsOrExcess(text: string): unknown {
  try {
    return readInTwoSteps(text);
  } catch {
    return { excess: 'a text that is not JSON' };
  }
}
