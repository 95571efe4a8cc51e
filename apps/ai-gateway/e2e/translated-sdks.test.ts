import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { checkLedger } from './support/ledger-check.ts';
import { MeteredWorld } from './support/metered-world.ts';
import { SDK_MODELS } from './support/sdk-target.ts';

/** The models of the simulated vendors, each served by its own vendor only. */
const MODELS = {
  openai: SDK_MODELS.openai,
  anthropic: SDK_MODELS.anthropic,
  google: SDK_MODELS.google,
} as const;

const TEXT = 'You said: hello. 1 2 3';
const PROMPT = 'hello [[sim: input=100 cached=40 reasoning=3]]';

/** Asks a model with the stock SDK of a format. @returns the text of the answer */
type Ask = (world: MeteredWorld, model: string, form: 'plain' | 'stream') => Promise<string>;

const CLIENTS: Readonly<Record<keyof typeof MODELS, Ask>> = {
  openai: async ({ gateways, key }, model, form) => {
    const client = new OpenAI({ baseURL: `${gateways[0]?.url}/v1`, apiKey: key, maxRetries: 0 });
    const request = { model, messages: [{ role: 'user' as const, content: PROMPT }] };
    const completion =
      form === 'plain'
        ? await client.chat.completions.create(request)
        : await client.chat.completions.stream(request).finalChatCompletion();
    return completion.choices[0]?.message.content ?? '';
  },
  anthropic: async ({ gateways, key }, model, form) => {
    const client = new Anthropic({ baseURL: gateways[0]?.url ?? '', apiKey: key, authToken: null, maxRetries: 0 });
    const request = { model, max_tokens: 2_000, messages: [{ role: 'user' as const, content: PROMPT }] };
    const message =
      form === 'plain' ? await client.messages.create(request) : await client.messages.stream(request).finalMessage();
    return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  },
  google: async ({ gateways, key }, model, form) => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateways[0]?.url ?? '' } });
    const request = { model, contents: PROMPT };
    if (form === 'plain') return (await client.models.generateContent(request)).text ?? '';
    let text = '';
    for await (const chunk of await client.models.generateContentStream(request)) text += chunk.text ?? '';
    return text;
  },
};

const NAMES = ['openai', 'anthropic', 'google'] as const;
const DIRECTIONS = NAMES.flatMap((client) =>
  NAMES.filter((vendor) => vendor !== client).flatMap((vendor) =>
    (['plain', 'stream'] as const).map((form) => ({ client, vendor, form })),
  ),
);

describe('translated calls of stock SDKs', () => {
  let world: MeteredWorld;
  beforeAll(async () => {
    world = await MeteredWorld.open();
  }, 120_000);
  afterAll(() => world.close());

  it.each(DIRECTIONS)('$client SDK, model of $vendor, $form', async ({ client, vendor, form }) => {
    expect(await CLIENTS[client](world, MODELS[vendor], form)).toBe(TEXT);
  });

  it('are charged by the prices and the usage of the provider, to the last digit', async () => {
    await world.untilDelivered();
    const { records, counts } = await checkLedger(world);
    expect(records).toHaveLength(DIRECTIONS.length);
    expect(counts).toEqual({ reported: DIRECTIONS.length, estimated: 0, unseen: 0, free: 0 });
  }, 180_000);
});
