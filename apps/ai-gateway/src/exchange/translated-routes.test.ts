import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ModelVendors, startModelVendors, VENDOR_MODELS } from '@gatehouse/testing/model-vendors';
import type { JsonObject } from '../formats/model-request.ts';
import { CallWorld } from './call-world.fixture.ts';

const KINDS = ['anthropic', 'openai', 'google'] as const;
const MESSAGES = [{ role: 'user', content: 'hello' }];

/** The route prefers Anthropic, then OpenAI, then Google. */
describe('a route with providers of all formats', () => {
  let vendors: ModelVendors;
  let world: CallWorld;
  beforeEach(async () => {
    vendors = await startModelVendors({
      keys: { anthropic: ['key-of-anthropic'], openai: ['key-of-openai'], google: ['key-of-google'] },
    });
    world = new CallWorld();
    world.spec = {
      providers: KINDS.map((kind) => ({ name: kind, kind, endpoint: vendors.urls[kind] })),
      routes: [
        {
          match: { model: 'm' },
          backends: KINDS.map((kind, priority) => ({
            provider: kind,
            model: VENDOR_MODELS[kind][0] ?? '',
            weight: 1,
            priority,
          })),
        },
      ],
    };
    await world.open();
  });
  afterEach(async () => {
    await world.close();
    await vendors.close();
  });

  const post = async (members: JsonObject) => {
    const response = await world.post({ model: 'm', messages: MESSAGES, ...members });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  const listVendors = async () => (await vendors.readLog()).map(({ vendor }) => vendor);

  it('uses the first provider for a request that its format can express', async () => {
    expect((await post({})).status).toBe(200);
    expect(await listVendors()).toEqual(['anthropic']);
    expect(world.recorded).toMatchObject([{ intent: { provider: 'anthropic', model: VENDOR_MODELS.anthropic[0] } }]);
    expect(world.admitted).toMatchObject([{ provider: 'anthropic', requestedModel: 'm' }]);
  });

  it('leaves out a provider whose format cannot express the request', async () => {
    expect((await post({ logit_bias: { 1: 2 } })).status).toBe(200);
    expect(await listVendors()).toEqual(['openai']);
  });

  it('falls back to a provider of another format', async () => {
    const providers = world.spec.providers?.map((provider) =>
      provider.kind === 'anthropic' ? { ...provider, endpoint: 'http://127.0.0.1:1' } : provider,
    );
    world.spec = { ...world.spec, ...(providers && { providers }) };
    const { status, body } = await post({});
    expect([status, body['object']]).toEqual([200, 'chat.completion']);
    expect(await listVendors()).toEqual(['openai']);
  });

  it('answers with the first reason if no provider can express the request', async () => {
    const routes = world.spec.routes?.map((route) => ({
      ...route,
      backends: route.backends.filter(({ provider }) => provider !== 'openai'),
    }));
    world.spec = { ...world.spec, ...(routes && { routes }) };
    const { status, body } = await post({ logit_bias: { 1: 2 } });
    expect([status, body]).toMatchObject([
      422,
      { error: { param: 'logit_bias', message: expect.stringContaining('the format of anthropic') } },
    ]);
    expect(await listVendors()).toEqual([]);
    expect(world.refusals).toMatchObject([{ error: { reason: 'untranslatable' } }]);
  });

  it('shows requests and answers to the guardrails in the format of the client', async () => {
    const seen: unknown[] = [];
    world.passes = {
      list: () => [
        {
          handleRequest: (request) => {
            seen.push(request['messages']);
            return request;
          },
          handleAnswer: (answer) => {
            const { object } = JSON.parse(Buffer.from(answer.bytes).toString()) as JsonObject;
            seen.push([answer.contentType, object]);
            return answer;
          },
        },
      ],
    };
    expect((await post({})).status).toBe(200);
    expect(seen).toEqual([MESSAGES, ['application/json', 'chat.completion']]);
  });
});
