import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GoogleTokenEndpoint, startGoogleTokenEndpoint } from '@gatehouse/testing/google-token-endpoint';
import { USAGE, chunks, encodeChunks } from '../formats/google/generation-chunks.fixture.ts';
import { CallWorld, type Provider } from './call-world.fixture.ts';

const PATH = '/v1beta/models/m:streamGenerateContent?alt=sse';
const REQUEST = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
const stream: Provider = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(encodeChunks(chunks, 'sse'));
const refuse =
  (status: number): Provider =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"canary"}}');

const answerMessage: Provider = (_request, response) => {
  const usage = { input_tokens: 3, output_tokens: 2 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'a', stop_reason: 'end_turn', usage };
  const body = JSON.stringify({ ...message, content: [{ type: 'text', text: 'Hello' }], stop_sequence: null });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
};

let good: GoogleTokenEndpoint;
let bad: GoogleTokenEndpoint;
const worlds: CallWorld[] = [];
beforeEach(async () => {
  good = await startGoogleTokenEndpoint();
  bad = await startGoogleTokenEndpoint();
  bad.answer = (response) => void response.writeHead(400).end('{"error":"invalid_grant"}');
});
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
  await good.close();
  await bad.close();
});

async function open(...providers: readonly Provider[]): Promise<CallWorld> {
  const world = new CallWorld();
  worlds.push(world);
  world.kind = 'google';
  world.more = {
    provider: { platform: { vertex: { project: 'my-project', location: 'global' } } },
    backend: { model: 'gemini-a', pricedAs: 'gemini-3.8-flash' },
  };
  return world.open(...providers);
}

describe('a call to a model on Vertex AI', () => {
  it('has the path of the project, an access token, and the name of its price', async () => {
    const world = await open(stream);
    world.credentials = { p0: good.keyFile };
    const response = await world.post(REQUEST, { path: PATH });
    expect(await response.text()).toBe(encodeChunks(chunks, 'sse').toString());
    const [token] = good.tokens;
    expect(world.received).toMatchObject([
      {
        url: '/v1/projects/my-project/locations/global/publishers/google/models/gemini-a:streamGenerateContent?alt=sse',
        headers: { authorization: `Bearer ${token ?? ''}` },
        body: JSON.stringify(REQUEST),
      },
    ]);
    expect(world.recorded).toMatchObject([
      { intent: { model: 'gemini-3.8-flash', requested_model: 'm' }, outcome: { raw_usage: USAGE } },
    ]);
  });

  it('is answered by another provider when its service account gets no token', async () => {
    const world = await open(refuse(500), stream);
    world.credentials = { p0: bad.keyFile, p1: good.keyFile };
    expect((await world.post(REQUEST, { path: PATH })).status).toBe(200);
    expect(world.received).toHaveLength(1);
    expect(world.recorded).toMatchObject([{ intent: { attempt: 2 } }]);
  });

  it('is 503 without a token, with the reason for administrators only, and costs nothing', async () => {
    const world = await open(stream);
    world.credentials = { p0: bad.keyFile };
    const response = await world.post(REQUEST, { path: PATH });
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([503, { error: expect.objectContaining({ code: 503 }) }]);
    expect(text).not.toContain('invalid_grant');
    expect(world.refusals).toMatchObject([{ error: { reason: 'google_token_refused: 400 invalid_grant' } }]);
    expect([world.received, world.admitted]).toEqual([[], []]);
  });

  it('hides an access that Google refuses, and reads the credential again', async () => {
    const world = await open(refuse(401));
    world.credentials = { p0: good.keyFile };
    const response = await world.post(REQUEST, { path: PATH });
    expect([response.status, await response.text()]).toEqual([502, expect.not.stringContaining('canary')]);
    expect(new Set(world.refusedKeys)).toEqual(new Set(['p0']));
  });

  it('serves clients of OpenAI with models of Anthropic', async () => {
    const world = await open(answerMessage);
    world.kind = 'anthropic';
    world.credentials = { p0: good.keyFile };
    const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };
    const response = await world.post(body, { headers: { 'anthropic-version': 'of the client' } });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ choices: [expect.objectContaining({ finish_reason: 'stop' })] }),
    ]);
    const [received] = world.received;
    expect(received?.url).toMatch(/publishers\/anthropic\/models\/gemini-a:rawPredict$/);
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ anthropic_version: 'vertex-2023-10-16', max_tokens: 10 });
    expect(received?.body).not.toContain('"model"');
  });

  it('gives the errors of Google’s front end the form of the vendor', async () => {
    const error = { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' };
    const world = await open((_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify([{ error }])),
    );
    world.kind = 'openai';
    world.credentials = { p0: good.keyFile };
    const response = await world.post({ model: 'm', messages: [] });
    expect([response.status, await response.json()]).toEqual([
      429,
      { error: { message: 'Quota exceeded', type: 'RESOURCE_EXHAUSTED', param: null, code: null } },
    ]);
    expect(world.recorded).toMatchObject([{ outcome: { upstream_status: 429, raw_usage: null } }]);
  });

  it('is refused for operations that the platform does not have, in the form of the vendor', async () => {
    const world = await open(stream);
    const response = await world.post(REQUEST, { path: '/v1beta/models/m:batchEmbedContents' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.objectContaining({ status: 'INVALID_ARGUMENT', message: expect.stringContaining('operation') }) },
    ]);
    expect([world.received, world.refusals]).toMatchObject([[], [{ error: { reason: 'operation_not_served' } }]]);
  });
});
