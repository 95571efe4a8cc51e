import { afterEach, describe, expect, it } from '@jest/globals';
import { CallWorld } from './call-world.fixture.ts';

const createFrame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const TEXT = createFrame({ choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] });
const USAGE = createFrame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
const DONE = 'data: [DONE]\n\n';
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };

describe('a stream for which the provider names a length', () => {
  const worlds: CallWorld[] = [];
  const open = (text: string, length = text.length) => {
    const world = new CallWorld();
    worlds.push(world);
    return world.open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': length });
      response.write(text, () => (text.length < length ? response.destroy() : response.end()));
    });
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  it('ends for the client, also without the usage that was requested for the gateway', async () => {
    const world = await open(TEXT + USAGE + DONE);
    const response = await world.post(REQUEST);
    expect([response.headers.get('content-length'), await response.text()]).toEqual([null, TEXT + DONE]);
  });

  it('ends with the error of the gateway when it breaks', async () => {
    const world = await open(TEXT, 1_000);
    expect(await (await world.post(REQUEST)).text()).toContain('The provider ended its response early.');
  });
});
