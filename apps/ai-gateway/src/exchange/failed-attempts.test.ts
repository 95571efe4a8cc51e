import { eventually } from '@gatehouse/testing/eventually';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import { CallWorld, type Provider } from './call-world.fixture.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

describe('an attempt', () => {
  const worlds: CallWorld[] = [];
  const open = (provider: Provider) => {
    const world = new CallWorld();
    worlds.push(world);
    return world.open(provider);
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(worlds.splice(0).map((world) => world.close()));
  });

  it('reads the first of several equal headers', async () => {
    const world = await open((_request, response) => {
      response.setHeader('content-type', ['application/json', 'text/html']);
      response.setHeader('retry-after', ['1', '2']);
      response.end('{}');
    });
    const response = await world.post(REQUEST);
    expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([
      200,
      'application/json',
      '1',
    ]);
  });

  it('is settled, and its connection is closed, if the gateway fails after the admission', async () => {
    const world = await open((_request, response) => response.writeHead(200).write('{'));
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(chatCompletions, 'createReader').mockImplementation(() => {
      throw new Error('a mistake');
    });
    expect((await world.post(REQUEST)).status).toBe(500);
    expect(world.recorded.map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({ outcome: 'upstream_error', upstream_status: 200, raw_usage: null }),
    ]);
    expect(world.finished).toHaveLength(1);
    await eventually(() => world.received[0]?.isClosed === true, 'the connection to the provider is closed');
  });
});
