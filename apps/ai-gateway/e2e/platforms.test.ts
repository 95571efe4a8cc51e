import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { describeWhen } from '@gatehouse/testing/fixture';
import { pythonWith } from '@gatehouse/testing/python-environment';
import { join } from 'node:path';
import OpenAI from 'openai';
import { describeAnthropicSdk } from './support/anthropic-sdk-suite.ts';
import { describeGoogleSdk } from './support/google-sdk-suite.ts';
import { checkLedger } from './support/ledger-check.ts';
import { createLedgerRequest, createRandom, type LedgerRequest, sendLedgerRequest } from './support/ledger-requests.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { describeOpenAiSdk } from './support/openai-sdk-suite.ts';
import { createPlatformModels, VERTEX_CHAT_MODEL } from './support/platform-models.ts';
import { describePythonSdks, PYTHON_FOLDER } from './support/python-sdk-suite.ts';
import { collectValues, EMBEDDING_PRICE, SDK_MODELS, type SdkTarget } from './support/sdk-target.ts';

/** The prices that those of the release do not contain. */
const PRICES = [
  EMBEDDING_PRICE,
  {
    provider: 'openai',
    model: VERTEX_CHAT_MODEL,
    openai: { inputUsdPerMillion: '0.30', outputUsdPerMillion: '2.50' },
  },
];

/** The models of the random requests. */
const LEDGER_MODELS = ['gpt-5.4', 'gpt-5.4-mini', 'claude-opus-5-5', 'claude-haiku-5-5', 'gemini-2.5-flash'];
const REQUESTS = 150 * effort;
const CLIENTS = 8;

let world: MeteredWorld;
let target: SdkTarget;

beforeAll(async () => {
  world = await MeteredWorld.open({
    environment: { ADDITIONAL_PRICES: JSON.stringify(PRICES) },
    createModels: createPlatformModels,
  });
  const { url } = world.gateways[0]!;
  target = {
    urls: { openai: url, anthropic: url, google: url },
    keys: { openai: world.key, anthropic: world.key, google: world.key },
    readLog: () => world.vendors.readLog(),
    readsOn: true,
  };
}, 120_000);
afterAll(() => world.close());

describeOpenAiSdk(() => target);
describeAnthropicSdk(() => target);
describeGoogleSdk(() => target);
describeWhen(await pythonWith('sdks', join(PYTHON_FOLDER, 'requirements.txt')), 'Python', (python) =>
  describePythonSdks(python, () => target),
);

describe('chat completions of Vertex AI for the npm package openai', () => {
  const model = VERTEX_CHAT_MODEL;
  const connect = () => new OpenAI({ baseURL: `${target.urls.openai}/v1`, apiKey: target.keys.openai, maxRetries: 0 });
  const user = (content: string): [OpenAI.ChatCompletionUserMessageParam] => [{ role: 'user', content }];

  it('have text and usage', async () => {
    const completion = await connect().chat.completions.create({ model, messages: user('hello') });
    expect(completion).toMatchObject({
      choices: [{ message: { content: 'You said: hello. 1 2 3' } }],
      usage: { completion_tokens: 4 },
    });
  });

  it('stream', async () => {
    const stream = await connect().chat.completions.create({ model, stream: true, messages: user('hello') });
    const chunks = await collectValues(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('You said: hello. 1 2 3');
  });

  it('raise the error of a field', async () => {
    const create = connect().chat.completions.create({ model, messages: [] });
    await expect(create).rejects.toMatchObject({ status: 400, message: expect.stringContaining('messages') });
  });

  it('are the only operation', async () => {
    const create = connect().responses.create({ model, input: 'hello' });
    await expect(create).rejects.toMatchObject({ status: 400, message: expect.stringContaining('this operation') });
  });
});

describe('the ledger of calls to platforms', () => {
  it('has the usage that the platforms say, at the prices of the models', async () => {
    const random = createRandom(seed);
    await sendAll(Array.from({ length: REQUESTS }, () => createLedgerRequest(random, world.key)));
    await world.untilDelivered();
    const { records, events, counts } = await checkLedger(world, PRICES);
    expect(new Set(records.map(({ vendor }) => vendor))).toEqual(new Set(['azure', 'vertex', 'google']));
    expect(new Set(events.map(({ model }) => model))).toEqual(
      new Set([...Object.values(SDK_MODELS), ...LEDGER_MODELS, VERTEX_CHAT_MODEL]),
    );
    console.info(`${records.length} requests at platforms, ${events.length} events: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(5);
  }, 120_000);
});

async function sendAll(requests: readonly LedgerRequest[]): Promise<void> {
  const send = async (at: number): Promise<void> => {
    for (let next = at; next < requests.length; next += CLIENTS)
      // A disconnect and a cut connection reject.
      await sendLedgerRequest(target.urls.openai, requests[next]!).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => send(at)));
}
