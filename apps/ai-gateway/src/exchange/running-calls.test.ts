import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { encodeEvents, events } from '../formats/anthropic/message-frames.fixture.ts';
import { chunks, encodeChunks } from '../formats/google/generation-chunks.fixture.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { WireFormat } from '../formats/operation.ts';
import { encodeFrames, usageData } from '../formats/openai/chat-frames.fixture.ts';
import { CallWorld, type Provider } from './call-world.fixture.ts';

/** A stream of each format without its end. */
const STREAMS: readonly (readonly [WireFormat, path: string, request: object, begin: Uint8Array])[] = [
  ['openai', '/v1/chat/completions', { model: 'm', stream: true, messages: [] }, encodeFrames(usageData.slice(0, 2))],
  ['anthropic', '/v1/messages', { model: 'm', stream: true, max_tokens: 9 }, encodeEvents(events.slice(0, 4))],
  [
    'google',
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    { contents: [] },
    encodeChunks(chunks.slice(0, 1), 'sse'),
  ],
];
const REVOKED = new ModelCallError('unauthenticated', 'Incorrect API key provided: it is revoked.');

describe('a running call whose caller is refused', () => {
  const worlds: CallWorld[] = [];
  const open = async (kind: WireFormat, provider: Provider) => {
    const world = new CallWorld();
    worlds.push(world);
    world.kind = kind;
    return world.open(provider);
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  it.each(STREAMS)('ends with an error in its stream and a charge, in the format of %s', async (...stream) => {
    const [kind, path, request, begin] = stream;
    const world = await open(kind, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(begin);
    });
    const response = await world.post(request, { path });
    expect(response.status).toBe(200);
    world.refusal = REVOKED;
    expect(await response.text()).toContain(REVOKED.message);
    await eventually(() => world.received[0]?.isClosed, 'the request to the provider is closed');
    expect(world.recorded).toMatchObject([
      { outcome: { outcome: 'blocked_downstream', estimated_usage: expect.anything() } },
    ]);
  });

  it('ends with the status of the refusal before the answer', async () => {
    const world = await open('openai', () => undefined);
    const sent = world.post({ model: 'm', messages: [] });
    await eventually(() => world.received.length === 1, 'the provider has the request');
    world.refusal = REVOKED;
    expect((await sent).status).toBe(401);
    await eventually(() => world.received[0]?.isClosed, 'the request to the provider is closed');
    expect(world.refusals).toMatchObject([{ error: { failure: 'unauthenticated' } }]);
  });

  it('is read on for its usage after its client has left', async () => {
    let finish = () => {};
    const world = await open('openai', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(encodeFrames(usageData.slice(0, 1)));
      finish = () => response.end(encodeFrames(usageData.slice(1)));
    });
    const leaving = new AbortController();
    const { body } = await world.post({ model: 'm', stream: true, messages: [] }, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
    await eventually(() => world.drains.inUse === 1, 'the answer is read on');
    world.refusal = REVOKED;
    await eventually(() => world.checks > 1, 'the caller is checked');
    finish();
    await eventually(() => world.recorded.length === 1, 'the usage is recorded');
    expect(world.recorded[0]?.outcome).toMatchObject({
      outcome: 'client_disconnect',
      raw_usage: expect.objectContaining({ prompt_tokens: expect.any(Number) }),
    });
  });
});
