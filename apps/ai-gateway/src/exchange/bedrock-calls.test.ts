import { afterEach, describe, expect, it } from '@jest/globals';
import { encodeChunk, encodeException } from '@gatehouse/testing/amazon-event-stream';
import { eventually } from '@gatehouse/testing/eventually';
import { encodeEvents, events, START_USAGE, USAGE } from '../formats/anthropic/message-frames.fixture.ts';
import { CallWorld, type Provider } from './call-world.fixture.ts';

const REQUEST = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };
const ID = '8a2f3f0c-2f5c-4b7e-9d3f-0c2f5c4b7e9d';
const frames = events.map((event) => encodeChunk(JSON.stringify(event)));

/** Answers with frames. @param end how it ends after them */
const stream =
  (list: readonly Buffer[], end: 'end' | 'break' | 'wait' = 'end'): Provider =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': ID });
    response.write(Buffer.concat(list), () => {
      if (end === 'end') response.end();
      if (end === 'break') response.destroy();
    });
  };
const refuse =
  (status: number, code: string, message = 'because'): Provider =>
  (_request, response) =>
    response
      .writeHead(status, { 'x-amzn-errortype': `${code}:http://internal`, 'x-amzn-requestid': ID })
      .end(JSON.stringify({ message }));

const worlds: CallWorld[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));
async function open(...providers: Provider[]): Promise<CallWorld> {
  const world = new CallWorld();
  worlds.push(world);
  world.kind = 'anthropic';
  world.more = {
    provider: { platform: { bedrock: { region: 'us-east-1' } } },
    backend: { model: 'anthropic.claude-opus-5-5-v1:0', pricedAs: 'claude-opus-5-5' },
  };
  return world.open(...providers);
}
const post = (world: CallWorld, more: object = {}, init: RequestInit = {}) =>
  world.post({ ...REQUEST, ...more }, { path: '/v1/messages', ...(init as object) });

describe('a call to Amazon Bedrock', () => {
  it('streams the events of the vendor and is charged by their usage', async () => {
    const world = await open(stream(frames));
    const response = await post(world, { stream: true });
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    expect(response.headers.get('request-id')).toBe(ID);
    expect(await response.text()).toBe(encodeEvents(events).toString());
    expect(world.received[0]).toMatchObject({
      url: '/model/anthropic.claude-opus-5-5-v1%3A0/invoke-with-response-stream',
      headers: { authorization: 'Bearer key-of-p0' },
    });
    expect(world.recorded).toMatchObject([
      { intent: { model: 'claude-opus-5-5' }, outcome: { outcome: 'delivered', raw_usage: USAGE } },
    ]);
    expect(world.attempts).toMatchObject([{ providerRequestId: ID }]);
  });

  it('passes a message that is no stream on unchanged', async () => {
    const message = '{ "type":"message", "usage":{"input_tokens":3,"output_tokens":2} }';
    const world = await open((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': ID }).end(message),
    );
    const response = await post(world);
    expect([response.headers.get('request-id'), await response.text()]).toEqual([ID, message]);
    expect(world.received[0]?.url).toBe('/model/anthropic.claude-opus-5-5-v1%3A0/invoke');
    expect(world.recorded).toMatchObject([{ outcome: { raw_usage: { input_tokens: 3, output_tokens: 2 } } }]);
  });

  it('answers clients of OpenAI in their format', async () => {
    const world = await open(stream(frames), refuse(429, 'ThrottlingException', 'slow'));
    const response = await world.post({ ...REQUEST, stream: true });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringMatching(/^data: [^]*data: \[DONE\]\n\n$/),
    ]);
    expect(JSON.parse(world.received[0]?.body ?? '')).toMatchObject({ anthropic_version: 'bedrock-2023-05-31' });
    expect(world.received[0]?.url).toMatch(/invoke-with-response-stream$/);
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'delivered', raw_usage: USAGE } }]);
  });

  it('shows an error to clients of OpenAI in their format', async () => {
    const world = await open(refuse(400, 'ValidationException', 'messages: too long'));
    const response = await world.post(REQUEST);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', message: expect.stringContaining('messages: too long') } },
    ]);
  });

  it('is delivered at message_stop, although Bedrock keeps the connection open', async () => {
    const world = await open(stream(frames, 'wait'));
    expect(await (await post(world, { stream: true })).text()).toContain('message_stop');
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'delivered', raw_usage: USAGE } }]);
  });

  it.each([
    ['breaks', 'break', [], 'api_error'],
    ['ends within a frame', 'end', [encodeChunk('{"type":"ping"}').subarray(0, -1)], 'api_error'],
    ['has a broken frame', 'wait', [Buffer.alloc(64)], 'api_error'],
    ['has an exception', 'end', [encodeException('throttlingException', 'slow')], 'rate_limit_error'],
  ] as const)('charges the reported prompt and the received text of a stream that %s', async (_, end, last, type) => {
    const world = await open(stream([...frames.slice(0, -3), ...last], end));
    const text = await (await post(world, { stream: true })).text();
    expect(text).toMatch(new RegExp(`event: error\ndata: {"type":"error","error":{"type":"${type}"`));
    const { output_tokens: _placeholder, ...prompt } = START_USAGE;
    expect(world.recorded).toMatchObject([
      { outcome: { outcome: 'upstream_error', raw_usage: null, estimated_usage: prompt } },
    ]);
  });

  it('is charged once by its usage when the client disconnects', async () => {
    let finish = () => {};
    const world = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.write(Buffer.concat(frames.slice(0, 4)));
      finish = () => response.end(Buffer.concat(frames.slice(4)));
    });
    const controller = new AbortController();
    const response = await post(world, { stream: true }, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await eventually(() => world.drains.inUse === 1, 'the response is read on');
    finish();
    await eventually(() => world.recorded.length > 0, 'the usage is recorded');
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'client_disconnect', raw_usage: USAGE } }]);
  });

  it.each([
    [429, 'ThrottlingException'],
    [503, 'ServiceUnavailableException'],
    [424, 'ModelErrorException'],
    [403, 'AccessDeniedException'],
  ])('goes to the next backend after %i %s', async (status, code) => {
    const world = await open(refuse(status, code), stream(frames));
    expect(await (await post(world, { stream: true })).text()).toContain('message_stop');
    expect(world.recorded).toMatchObject([
      { outcome: { outcome: 'upstream_error' } },
      { outcome: { raw_usage: USAGE } },
    ]);
    expect(world.attempts).toMatchObject([{ providerRequestId: ID }, { providerRequestId: ID }]);
  });

  it('shows an error of the request as the vendor would', async () => {
    const world = await open(refuse(400, 'ValidationException', 'max_tokens: Field required'));
    const response = await post(world);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'max_tokens: Field required' },
        request_id: ID,
      },
    ]);
    expect(world.recorded).toMatchObject([{ outcome: { outcome: 'upstream_error', raw_usage: null } }]);
  });

  it.each(['UnrecognizedClientException', 'InvalidSignatureException', 'AccessDeniedException'])(
    'hides that Bedrock refused the credential with %s, and reads it again',
    async (code) => {
      const world = await open(refuse(403, code, 'User arn:aws:iam::1:user/x is not authorized'));
      const response = await post(world);
      expect([response.status, await response.text()]).toEqual([502, expect.not.stringContaining('arn:aws')]);
      expect(new Set(world.refusedKeys)).toEqual(new Set(['p0']));
    },
  );

  it('refuses a format that Bedrock does not have without a request', async () => {
    const world = await open(stream(frames));
    const response = await world.post({ model: 'm', input: 'a' }, { path: '/v1/responses' });
    expect([response.status, world.received]).toEqual([400, []]);
  });
});
