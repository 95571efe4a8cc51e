import { afterEach, describe, expect, it } from '@jest/globals';
import { CallWorld, type Provider } from './call-world.fixture.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

const answer =
  (body: string, type: string): Provider =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

describe('an answer of a provider that is none', () => {
  const worlds: CallWorld[] = [];
  const open = (provider: Provider) => {
    const world = new CallWorld();
    worlds.push(world);
    return world.open(provider);
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  it('is charged for no more than the longest output of a model', async () => {
    const world = await open(answer(`{"x":${'['.repeat(1_000_000)}`, 'application/json'));
    await (await world.post(REQUEST)).text();
    expect(world.recorded[0]?.outcome.estimated_usage).toMatchObject({ completion_tokens: 128_000 });
  });

  it.each([204, 205])('is refused and free if it has no content: %s', async (status) => {
    const world = await open((_request, response) => response.writeHead(status).end());
    expect((await world.post(REQUEST)).status).toBe(502);
    expect(world.recorded[0]?.outcome.estimated_usage).toBeUndefined();
  });

  it.each([{}, { stream: true }])('is refused and free if it is a web page: %j', async (options) => {
    const world = await open(answer('<html>Sign in to the network</html>', 'text/html; charset=utf-8'));
    const response = await world.post({ ...REQUEST, ...options });
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: expect.objectContaining({ message: 'The provider sent a web page instead of an answer.' }) },
    ]);
    const [{ outcome } = {}] = world.recorded;
    expect(outcome).toMatchObject({ outcome: 'upstream_error', upstream_status: 200, raw_usage: null });
    expect(outcome?.estimated_usage).toBeUndefined();
  });
});
