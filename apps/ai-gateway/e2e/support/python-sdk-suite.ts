import { beforeAll, describe, expect, it } from '@jest/globals';
import { runProcess } from '@gatehouse/testing/process';
import { join } from 'node:path';
import { describeLeft, expectLeft, nameRequest, PIXEL, readEnded, SDK_MODELS, type SdkTarget } from './sdk-target.ts';

/** Folder of the script and of its requirements. */
export const PYTHON_FOLDER = join(import.meta.dirname, '..', 'python');

const SAID = 'You said: hello. 1 2 3';
const LOOKED = 'You said with 1 image(s): look. 1 2 3';
const TOLD = 'The tool said: sun in Paris. 1 2 3';
const STREAMED = `You said: héllo 世界 🙂. ${Array.from({ length: 19 }, (_, at) => at + 1).join(' ')}`;

const failed = (error: string, status: number | null, message = ''): object => ({
  error,
  status,
  message: expect.stringContaining(message),
});

/** The results of each feature of the script, by vendor. */
const EXPECTED = {
  openai: {
    plain: [SAID, 100, 40],
    stream: [STREAMED, [20]],
    tools: ['{"city":"Paris"}', TOLD],
    image: LOOKED,
    retry: 'You said: a. 1 2 3',
    cancel: [0, 0, 0],
    responses: [4, SAID, 4],
    embeddings: [[16, 16], 2],
    models: [true, SDK_MODELS.openai],
    agent: TOLD,
    error: failed('RateLimitError', 429, 'Rate limit'),
    unknown_model: failed('NotFoundError', 404, 'gpt-none'),
    wrong_key: failed('AuthenticationError', 401),
    stream_error: failed('APIError', null, 'The server had an error'),
  },
  anthropic: {
    plain: [SAID, 50, 40, 4],
    stream: [STREAMED, 20],
    tools: [{ city: 'Paris' }, 'tool_use', TOLD],
    image: LOOKED,
    retry: 'You said: a. 1 2 3',
    cancel: ['message_start', 'content_block_start'],
    count: 123,
    models: [true, SDK_MODELS.anthropic],
    error: failed('OverloadedError', 529, 'Overloaded'),
    unknown_model: failed('NotFoundError', 404, 'claude-none'),
    wrong_key: failed('AuthenticationError', 401),
    stream_error: failed('APIStatusError', 200, 'Overloaded'),
  },
  google: {
    plain: [SAID, 100, 40, 104],
    stream: [STREAMED, 20],
    tools: TOLD,
    image: LOOKED,
    retry: 'You said: a. 1 2 3',
    cancel: 3,
    count: 123,
    embeddings: [16, 16],
    models: [true, `models/${SDK_MODELS.google}`],
    error: failed('ClientError', 429, 'RESOURCE_EXHAUSTED'),
    unknown_model: failed('ClientError', 404, 'gemini-none'),
    wrong_key: { error: 'ClientError', status: expect.any(Number), message: expect.any(String) },
  },
};

/**
 * Defines the tests of the PyPI packages `openai`, `anthropic`, `google-genai` and `openai-agents`.
 * @param python an interpreter with these packages
 */
export function describePythonSdks(python: string, getTarget: () => SdkTarget): void {
  const vendors = Object.keys(EXPECTED) as (keyof typeof EXPECTED)[];
  const names = Object.fromEntries(
    vendors.flatMap((vendor) => ['retry', 'cancel'].map((feature) => [`${vendor}_${feature}`, nameRequest()])),
  );
  const createLeft = () =>
    Object.fromEntries(vendors.map((vendor) => [vendor, describeLeft(names[`${vendor}_cancel`]!, getTarget())]));
  let observed: Record<string, unknown>;

  beforeAll(async () => {
    const { urls, keys } = getTarget();
    const { stdout, stderr } = await runProcess({
      command: [python, join(PYTHON_FOLDER, 'stock_sdks.py')],
      env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
      input: JSON.stringify({ urls, keys, models: SDK_MODELS, names, left: createLeft(), pixel: PIXEL }),
    });
    if (stdout === '') throw new Error(stderr);
    observed = JSON.parse(stdout) as typeof observed;
  }, 120_000);

  describe.each(vendors)('the Python SDK of %s', (vendor) => {
    it.each(Object.entries(EXPECTED[vendor]))('has the feature %s', (feature, expected) => {
      expect(observed[`${vendor}_${feature}`]).toEqual(expected);
    });

    it('repeats a refused request, and ends a stream that it leaves', async () => {
      const repeated = await readEnded(getTarget(), names[`${vendor}_retry`]!);
      expect(repeated.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'answered']);
      await expectLeft(getTarget(), names[`${vendor}_cancel`]!);
    });
  });
}
