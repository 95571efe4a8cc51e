import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CallWorld, type Provider } from '../exchange/call-world.fixture.ts';
import type { WireFormat } from '../formats/operation.ts';

const provider: Provider = (_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 90 },
    }),
  );
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

describe('a call above a limit', () => {
  let world: CallWorld;

  beforeEach(() => {
    world = new CallWorld();
  });
  afterEach(() => world.close());

  it.each<[WireFormat, string, object, object]>([
    ['openai', '/v1/chat/completions', REQUEST, { error: { code: 'rate_limit_exceeded' } }],
    [
      'anthropic',
      '/v1/messages',
      { ...REQUEST, max_tokens: 1 },
      { type: 'error', error: { type: 'rate_limit_error' } },
    ],
    [
      'google',
      '/v1beta/models/m:generateContent',
      { contents: [] },
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    ],
  ])('is refused as by %s, with the wait until the end of the minute', async (kind, path, request, error) => {
    world.kind = kind;
    world.spec = { limits: { requestsPerMinutePerPrincipal: 1 } };
    await world.open(provider);
    await world.post(request, { path });
    const refused = await world.post(request, { path });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject(error);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(world.received).toHaveLength(1);
    expect(world.refusals.map((refusal) => refusal.error.reason)).toEqual(['requests_per_minute_per_principal']);
  });

  it('counts the tokens that the provider has reported', async () => {
    world.spec = { limits: { tokensPerMinutePerPrincipal: 200 } };
    await world.open(provider);
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const response = await world.post(REQUEST);
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(world.admitted).toHaveLength(2);
  });
});
