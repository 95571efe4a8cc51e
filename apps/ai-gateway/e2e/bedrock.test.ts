import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { pythonWith } from '@gatehouse/testing/python-environment';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { join } from 'node:path';
import { describeAnthropicSdk } from './support/anthropic-sdk-suite.ts';
import { createBedrockModels } from './support/bedrock-models.ts';
import { checkLedger } from './support/ledger-check.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { describePythonSdks, PYTHON_FOLDER } from './support/python-sdk-suite.ts';
import { EMBEDDING_PRICE, nameRequest, readEnded, SDK_MODELS, type SdkTarget } from './support/sdk-target.ts';

let world: MeteredWorld;
let target: SdkTarget;

beforeAll(async () => {
  world = await MeteredWorld.open({
    createModels: createBedrockModels,
    environment: { ADDITIONAL_PRICES: JSON.stringify([EMBEDDING_PRICE]) },
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

const connect = () => new Anthropic({ baseURL: target.urls.anthropic, apiKey: target.keys.anthropic, maxRetries: 0 });
const ask = (model: string, content: string) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user' as const, content }],
});

describeAnthropicSdk(() => target);
describeWhen(await pythonWith('sdks', join(PYTHON_FOLDER, 'requirements.txt')), 'Python', (python) =>
  describePythonSdks(python, () => target),
);

describe('models on Amazon Bedrock', () => {
  it.each([1, 2, 3, 7, 64])('stream through an inference profile, in pieces of %i bytes', async (split) => {
    const content = `héllo 世界 🙂 [[sim: chunks=20 split=${split}]]`;
    const message = await connect().messages.stream(ask('claude-haiku-5-5', content)).finalMessage();
    expect(message.content).toMatchObject([
      { type: 'text', text: expect.stringMatching('You said: héllo 世界 🙂. 1 2') },
    ]);
    expect(message.usage.output_tokens).toBe(20);
  });

  it('have betas of the header in their body', async () => {
    const name = nameRequest();
    const betas = ['context-1m-2025-08-07'];
    await connect().beta.messages.create({ ...ask('claude-opus-5-5', `a [[sim: name=${name}]]`), betas });
    const [record] = await readEnded(target, name);
    expect(JSON.parse(record!.body)).toMatchObject({ anthropic_beta: betas, anthropic_version: 'bedrock-2023-05-31' });
    const unknown = connect().beta.messages.create({ ...ask('claude-opus-5-5', 'a'), betas: ['new'] });
    await expect(unknown).rejects.toMatchObject({ status: 400, message: expect.stringContaining('invalid beta flag') });
  });

  it('answer chat completions on the compatible endpoint', async () => {
    const client = new OpenAI({ baseURL: `${target.urls.openai}/v1`, apiKey: target.keys.openai, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'hello [[sim: chunks=3]]' }];
    const stream = await client.chat.completions.create({ model: 'gpt-oss-120b', messages, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('You said: hello. 1 2');
    const slow = [{ role: 'user' as const, content: 'a [[sim: fault=status:429 retry_after=1]]' }];
    const limited = client.chat.completions.create({ model: 'gpt-oss-120b', messages: slow });
    await expect(limited).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });

  it('give way to the next backend before the first byte', async () => {
    const name = nameRequest();
    const { content: blocks } = await connect().messages.create(ask('with-fallback', `a [[sim: name=${name}]]`));
    expect(blocks).toMatchObject([{ text: 'You said: a. 1 2 3' }]);
    expect((await readEnded(target, name)).map(({ vendor, status }) => [vendor, status])).toEqual([
      ['bedrock', 403],
      ['anthropic', 200],
    ]);
  });

  it.each(['truncate:3', 'garbage:3', 'reset_after:3'])('end with an error after %s', async (fault) => {
    const stream = connect().messages.stream(ask('claude-sonnet-5-5', `a [[sim: fault=${fault}]]`));
    await expect(stream.finalMessage()).rejects.toThrow();
  });
});

describe('the ledger of calls to Bedrock', () => {
  it('has the usage that Bedrock says, at the prices of the models', async () => {
    await world.untilDelivered();
    const { records, events, counts } = await checkLedger(world, [EMBEDDING_PRICE]);
    const bedrock = records.filter(({ vendor }) => vendor === 'bedrock');
    expect(bedrock.length).toBeGreaterThan(20);
    expect(new Set(bedrock.map(({ key }) => key))).toEqual(new Set([undefined, 'ASIASIMULATEDKEY']));
    expect(new Set(events.map(({ model }) => model))).toEqual(
      new Set([
        'claude-haiku-5-5',
        'claude-opus-5-5',
        'claude-sonnet-5-5',
        ...Object.values(SDK_MODELS),
        'gpt-5.4-mini',
      ]),
    );
    expect(Math.min(counts.reported, counts.free)).toBeGreaterThan(5);
    expect(records.some(({ headers }) => JSON.stringify(headers).includes(world.key))).toBe(false);
  }, 120_000);
});
