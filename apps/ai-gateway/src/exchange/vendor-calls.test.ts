import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import {
  START_USAGE,
  USAGE as MESSAGE_USAGE,
  encodeEvents,
  events,
} from '../formats/anthropic/message-frames.fixture.ts';
import { USAGE as CONTENT_USAGE, chunks, encodeChunks } from '../formats/google/generation-chunks.fixture.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { WireFormat } from '../formats/operation.ts';
import { CallWorld, CREDENTIAL, type Provider } from './call-world.fixture.ts';

const worlds: CallWorld[] = [];
async function open(kind: WireFormat, provider: Provider): Promise<CallWorld> {
  const world = new CallWorld();
  worlds.push(world);
  world.kind = kind;
  return world.open(provider);
}
afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

/** Answers with a stream. @param end how it ends after its last bytes */
const stream =
  (bytes: Uint8Array, contentType = 'text/event-stream', end: 'end' | 'break' | 'wait' = 'end'): Provider =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.write(bytes, () => {
      if (end === 'end') response.end();
      if (end === 'break') response.destroy();
    });
  };

const send = (url: string, body: object, init: { signal?: AbortSignal; headers?: Record<string, string> }) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });

const MESSAGE_REQUEST = { model: 'm', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] };
const CONTENT_REQUEST = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
const STREAM_PATH = '/v1beta/models/m:streamGenerateContent';

describe('a call in the format of Anthropic', () => {
  const post = (world: CallWorld, key = CREDENTIAL) =>
    send(`${world.url}/v1/messages?beta=true`, MESSAGE_REQUEST, {
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' },
    });

  it('passes a stream on and records the usage', async () => {
    const world = await open('anthropic', stream(encodeEvents(events)));
    const response = await post(world);
    expect(await response.text()).toBe(encodeEvents(events).toString());
    expect(world.received[0]).toMatchObject({
      url: '/v1/messages?beta=true',
      body: JSON.stringify(MESSAGE_REQUEST),
      headers: { 'x-api-key': 'key-of-p0', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' },
    });
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'delivered', raw_usage: MESSAGE_USAGE } }]);
  });

  it('is delivered at message_stop, although the provider keeps the connection open', async () => {
    const world = await open('anthropic', stream(encodeEvents(events), 'text/event-stream', 'wait'));
    expect(await (await post(world)).text()).toContain('message_stop');
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'delivered', raw_usage: MESSAGE_USAGE } }]);
  });

  it('charges the reported prompt and the received text of a stream that breaks', async () => {
    const world = await open('anthropic', stream(encodeEvents(events.slice(0, -3)), 'text/event-stream', 'break'));
    const text = await (await post(world)).text();
    expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"api_error"/);
    const { output_tokens: _placeholder, ...prompt } = START_USAGE;
    expect(world.recorded).toMatchObject([
      { outcome: { outcome: 'upstream_error', raw_usage: null, estimated_usage: prompt } },
    ]);
    const estimated = world.recorded[0]?.outcome.estimated_usage as typeof START_USAGE;
    expect(estimated.output_tokens).toBeGreaterThan(START_USAGE.output_tokens);
  });

  it('is refused in the form of the vendor', async () => {
    const world = await open('anthropic', stream(encodeEvents(events)));
    const unauthenticated = await post(world, 'wrong');
    expect([unauthenticated.status, await unauthenticated.json()]).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error' }, request_id: expect.any(String) },
    ]);
    world.denial = new ModelCallError('budget_exceeded', 'Your budget is used up.');
    const response = await post(world);
    expect([response.status, response.headers.get('x-should-retry'), await response.json()]).toMatchObject([
      402,
      'false',
      { type: 'error', error: { type: 'billing_error', message: 'Your budget is used up.' } },
    ]);
    expect(world.received).toEqual([]);
  });
});

describe('a call in the format of Google', () => {
  const post = (world: CallWorld, query: string, init: { signal?: AbortSignal } = {}) =>
    send(`${world.url}${STREAM_PATH}?${query}`, CONTENT_REQUEST, init);

  it.each([
    ['events', 'sse', 'text/event-stream', '?alt=sse'],
    ['an array', 'json', 'application/json; charset=UTF-8', ''],
  ] as const)('passes %s on and records the last usage', async (_name, form, contentType, query) => {
    const world = await open('google', stream(encodeChunks(chunks, form), contentType));
    const response = await post(world, `${query.slice(1)}&key=${CREDENTIAL}&fields=candidates`);
    expect(await response.text()).toBe(encodeChunks(chunks, form).toString());
    expect(world.received[0]).toMatchObject({
      url: `${STREAM_PATH}${query}`,
      headers: { 'x-goog-api-key': 'key-of-p0' },
    });
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'delivered', raw_usage: CONTENT_USAGE } }]);
  });

  it('charges the reported prompt and the received text of a stream that breaks', async () => {
    const world = await open('google', stream(encodeChunks(chunks.slice(0, 1), 'sse'), 'text/event-stream', 'break'));
    const text = await (await post(world, `alt=sse&key=${CREDENTIAL}`)).text();
    expect(text).toContain('data: {"error":{"code":502,"status":"UNAVAILABLE"');
    expect(world.recorded).toMatchObject([
      {
        outcome: {
          outcome: 'upstream_error',
          raw_usage: null,
          estimated_usage: { promptTokenCount: 1_300, candidatesTokenCount: 5 },
        },
      },
    ]);
  });

  it('ends an array that breaks with an error that can be parsed', async () => {
    const cut = encodeChunks(chunks.slice(0, 1), 'json').subarray(0, -2);
    const world = await open('google', stream(cut, 'application/json', 'break'));
    const list = (await (await post(world, `key=${CREDENTIAL}`)).json()) as unknown[];
    expect(list[1]).toMatchObject({ error: { status: 'UNAVAILABLE' } });
  });

  it('reads on for the usage when the client disconnects', async () => {
    const bytes = encodeChunks(chunks, 'sse');
    let finish = () => {};
    const world = await open('google', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes.subarray(0, 400));
      finish = () => response.end(bytes.subarray(400));
    });
    const controller = new AbortController();
    const response = await post(world, `alt=sse&key=${CREDENTIAL}`, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await eventually(() => world.drains.inUse === 1, 'the response is read on');
    finish();
    await eventually(() => world.recorded.length > 0, 'the usage is recorded');
    expect(world.recorded[0]?.outcome).toMatchObject({ outcome: 'client_disconnect', raw_usage: CONTENT_USAGE });
  });

  it('does not look complete when its usage cannot be recorded', async () => {
    const world = await open('google', stream(encodeChunks(chunks, 'sse')));
    world.recorderFailure = new Error('disk full');
    await expect(post(world, `alt=sse&key=${CREDENTIAL}`).then((response) => response.text())).rejects.toThrow();
  });

  it('is refused in the form of the vendor', async () => {
    const world = await open('google', stream(encodeChunks(chunks, 'sse')));
    const unauthenticated = await post(world, 'alt=sse');
    expect([unauthenticated.status, await unauthenticated.json()]).toMatchObject([
      401,
      { error: { code: 401, status: 'UNAUTHENTICATED' } },
    ]);
    const unreadable = await post(world, `alt=proto&key=${CREDENTIAL}`);
    expect([unreadable.status, await unreadable.json()]).toMatchObject([
      400,
      { error: { status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field: 'alt' }] }] } },
    ]);
    expect(world.received).toEqual([]);
  });
});
