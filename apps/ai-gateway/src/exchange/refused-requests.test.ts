import { afterEach, describe, expect, it } from '@jest/globals';
import { CallWorld, CREDENTIAL } from './call-world.fixture.ts';

describe('a request of model paths', () => {
  const worlds: CallWorld[] = [];
  const open = () => {
    const world = new CallWorld();
    worlds.push(world);
    return world.open((_request, response) => response.end('{}'));
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  it.each([
    ['/v1/chat/completions', 'GET', 'POST'],
    ['/v1beta/models/m:generateContent', 'GET', 'POST'],
    ['/v1/models', 'DELETE', 'GET, HEAD'],
  ])('names the methods of its path: %s', async (path, method, allow) => {
    const world = await open();
    const response = await fetch(`${world.url}${path}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it.each([
    ['/chat/completions', 'The base URL of clients of OpenAI ends with /v1.'],
    ['/v1/v1/messages', 'The base URL of clients of Anthropic and Google has no version, such as /v1, at its end.'],
    ['/v1beta/v1beta/models/m:generateContent', 'has no version'],
  ])('says what is wrong with the base URL: %s', async (path, hint) => {
    const world = await open();
    const response = await world.post({}, { path });
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: expect.objectContaining({ message: expect.stringContaining(hint) }) },
    ]);
  });

  it('can read the head of the list of models', async () => {
    const world = await open();
    const headers = { authorization: `Bearer ${CREDENTIAL}` };
    const response = await fetch(`${world.url}/v1/models`, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  it('may say that its body has no encoding', async () => {
    const world = await open();
    const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    expect((await world.post(body, { headers: { 'content-encoding': 'identity' } })).status).toBe(200);
    expect((await world.post(body, { headers: { 'content-encoding': 'gzip' } })).status).toBe(400);
  });
});
