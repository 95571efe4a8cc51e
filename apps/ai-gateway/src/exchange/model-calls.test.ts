import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { ModelCallError } from '../formats/model-call-error.ts';
import { CallWorld, CREDENTIAL, type Provider } from './call-world.fixture.ts';

const USAGE = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const DOCUMENT = JSON.stringify({
  id: 'c-1',
  object: 'chat.completion',
  model: 'm-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: USAGE,
});
const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const STREAM_REQUEST = { ...REQUEST, stream: true, stream_options: { include_usage: true } };

const createFrame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const createChunk = (content: string) => createFrame({ id: 'c-1', choices: [{ index: 0, delta: { content } }] });
const FINISH = createFrame({ id: 'c-1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const USAGE_FRAME = createFrame({ id: 'c-1', choices: [], usage: USAGE });
const DONE = 'data: [DONE]\n\n';

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Provider =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const document = answer(200, DOCUMENT);
const fail = (status: number, headers: Record<string, string> = {}) =>
  answer(status, JSON.stringify({ error: { message: `status ${status}`, type: 'x', code: null } }), headers);
const reset: Provider = (request) => request.socket.destroy();

/** Writes frames with the given pause between them. */
const stream =
  (frames: readonly string[], { then = (end: () => void) => end() } = {}): Provider =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of frames) response.write(frame);
    then(() => response.end());
  };

describe('a model call', () => {
  const worlds: CallWorld[] = [];
  const open = async (...providers: readonly Provider[]) => {
    const world = new CallWorld();
    worlds.push(world);
    return world.open(...providers);
  };
  afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

  it('passes the bytes of request and response on, and records the usage', async () => {
    const world = await open(document);
    const text = JSON.stringify(REQUEST, null, 1);
    const response = await world.post(text, { headers: { cookie: 'a=b', 'idempotency-key': 'k' } });
    expect([response.status, await response.text()]).toEqual([200, DOCUMENT]);
    const [received] = world.received;
    expect([received?.url, received?.body, received?.headers.authorization]).toEqual([
      '/v1/chat/completions',
      text,
      'Bearer key-of-p0',
    ]);
    expect(JSON.stringify(received?.headers)).not.toMatch(new RegExp(`${CREDENTIAL}|cookie|idempotency`));
    expect(world.recorded).toEqual([
      {
        intent: world.begun[0],
        outcome: expect.objectContaining({ outcome: 'delivered', upstream_status: 200, raw_usage: USAGE }),
      },
    ]);
    expect(world.finished).toEqual([USAGE]);
  });

  it('passes a stream on', async () => {
    const frames = [createChunk('a'), createChunk('b'), FINISH, USAGE_FRAME, DONE];
    const world = await open(stream(frames));
    const response = await world.post(STREAM_REQUEST);
    expect([response.headers.get('x-accel-buffering'), await response.text()]).toEqual(['no', frames.join('')]);
    expect(world.recorded.map(({ outcome }) => [outcome.outcome, outcome.raw_usage])).toEqual([['delivered', USAGE]]);
  });

  it('ends the answer at the last frame, although the provider keeps the connection open', async () => {
    const world = await open(stream([createChunk('a'), FINISH, USAGE_FRAME, DONE], { then: () => undefined }));
    expect(await (await world.post(STREAM_REQUEST)).text()).toContain('[DONE]');
    expect(world.recorded.map(({ outcome }) => outcome.outcome)).toEqual(['delivered']);
  });

  it('estimates the usage of a stream that breaks', async () => {
    const world = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(createChunk('x'.repeat(320)), () => response.destroy());
    });
    const response = await world.post(STREAM_REQUEST);
    expect(await response.text()).toContain('The provider ended its response early.');
    const [record] = world.recorded;
    expect(record?.outcome).toMatchObject({ outcome: 'upstream_error', raw_usage: null });
    const { prompt_tokens, completion_tokens } = record?.outcome.estimated_usage as typeof USAGE;
    expect(prompt_tokens).toBe(world.admitted[0]?.estimate.promptTokens);
    expect(completion_tokens).toBeGreaterThanOrEqual(100);
  });

  it('reads on for the usage when the client disconnects', async () => {
    let finish = () => {};
    const world = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(createChunk('a'));
      finish = () => response.end(`${createChunk('b')}${FINISH}${USAGE_FRAME}${DONE}`);
    });
    const controller = new AbortController();
    const response = await world.post(STREAM_REQUEST, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await eventually(() => world.drains.inUse === 1, 'the response is read on');
    finish();
    await eventually(() => world.recorded.length > 0, 'the usage is recorded');
    expect(world.recorded[0]?.outcome).toMatchObject({ outcome: 'client_disconnect', raw_usage: USAGE });
  });

  it('stops the provider when the client disconnects before the response', async () => {
    const world = await open(() => undefined);
    const controller = new AbortController();
    const sent = world.post(REQUEST, { signal: controller.signal }).catch(() => undefined);
    await eventually(() => world.received.length > 0, 'the provider has the request');
    controller.abort();
    await sent;
    await eventually(() => world.received[0]?.isClosed, 'the connection to the provider is closed');
    await eventually(() => world.recorded.length > 0, 'the end is recorded');
    const { promptTokens } = world.admitted[0]!.estimate;
    expect(world.recorded[0]?.outcome).toMatchObject({
      outcome: 'client_disconnect',
      upstream_status: 0,
      estimated_usage: { prompt_tokens: promptTokens, completion_tokens: 0 },
    });
  });

  it.each([
    ['a status of 500', fail(500)],
    ['too many requests', fail(429)],
    ['a broken connection', reset],
    ['a refused key', fail(401)],
  ])('tries the next backend after %s, as another admitted attempt', async (_, provider) => {
    const world = await open(provider, document);
    expect(await (await world.post(REQUEST)).text()).toBe(DOCUMENT);
    expect(world.admitted.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(world.admitted.map(({ interactionId }) => interactionId)).size).toBe(1);
    const outcomes = world.recorded.map(({ outcome }) => [outcome.outcome, outcome.raw_usage]);
    expect(outcomes).toEqual([
      ['upstream_error', null],
      ['delivered', USAGE],
    ]);
    expect(world.recorded[0]?.outcome.estimated_usage).toBeUndefined();
    expect(world.finished).toEqual([undefined, USAGE]);
  });

  it('never tries again after the first byte', async () => {
    const broken: Provider = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(createChunk('a'), () => response.destroy());
    };
    const world = await open(broken, document);
    await (await world.post(STREAM_REQUEST)).text();
    expect(world.received).toHaveLength(1);
  });

  it('passes an error of the last backend on unchanged', async () => {
    const world = await open(fail(429, { 'retry-after': '7' }));
    const response = await world.post(REQUEST);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      429,
      '7',
      { error: { message: 'status 429', type: 'x', code: null } },
    ]);
  });

  it('passes an error of the request on at once', async () => {
    const world = await open(fail(400), document);
    const response = await world.post(REQUEST);
    expect([response.status, world.received.length]).toEqual([400, 1]);
  });

  it('hides that the provider refused the key of the company', async () => {
    const world = await open(fail(401));
    const response = await world.post(REQUEST);
    expect([response.status, JSON.stringify(await response.json())]).toEqual([
      502,
      expect.stringContaining('The provider refused the request of the gateway.'),
    ]);
    expect(world.refusedKeys).toEqual(['p0']);
  });

  it.each([
    ['500', fail(500), 2],
    ['503', fail(503), 2],
    ['503 with the time to wait', fail(503, { 'retry-after': '2' }), 1],
    ['503 that wants no other attempt', fail(503, { 'x-should-retry': 'false' }), 1],
    ['too many requests', fail(429), 1],
    ['529', fail(529), 1],
    ['a refused key', fail(403), 1],
  ])('asks the only backend again only where that may help: %s', async (_, provider, attempts) => {
    const world = await open(provider);
    await world.post(REQUEST);
    expect(world.received).toHaveLength(attempts);
    expect(world.finished).toEqual(Array.from({ length: attempts }, () => undefined));
  });

  it('answers with an error when no provider can be reached', async () => {
    const world = await open(reset);
    const response = await world.post(REQUEST);
    expect([response.status, world.received.length]).toEqual([502, 2]);
    expect(world.finished).toEqual([undefined, undefined]);
  });

  it.each([
    ['unknown', 'nothing'],
    ['not granted', 'secret-model'],
    ['granted and without a route', 'without-route'],
  ])('has the same refusal for a model that is %s', async (_, model) => {
    const world = await open(document);
    world.spec = {
      routes: [{ match: { model: 'secret-model' }, backends: [{ provider: 'p0', weight: 1, priority: 0 }] }],
    };
    const response = await world.post({ ...REQUEST, model });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: expect.objectContaining({
          message: `The model \`${model}\` does not exist or you do not have access to it.`,
          code: 'model_not_found',
        }),
      },
    ]);
    expect([world.received, world.admitted]).toEqual([[], []]);
  });

  it('is refused without a valid credential, before its body is read', async () => {
    const world = await open(document);
    const response = await world.post('{', { headers: { authorization: 'Bearer wrong' } });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: expect.objectContaining({ code: 'invalid_api_key' }) },
    ]);
  });

  it('is refused without a budget, and reaches no provider', async () => {
    const world = await open(document);
    world.denial = new ModelCallError('budget_exceeded', 'Your budget is used up.', { reason: 'budget_exhausted' });
    const response = await world.post(REQUEST);
    expect([response.status, world.received]).toEqual([429, []]);
    expect(world.refusals.map(({ error }) => error.reason)).toEqual(['budget_exhausted']);
  });

  it('does not look complete when its usage cannot be recorded', async () => {
    const world = await open(document, stream([createChunk('a'), FINISH, USAGE_FRAME, DONE]));
    world.recorderFailure = new Error('disk full');
    await expect(world.post(REQUEST).then((response) => response.text())).rejects.toThrow();
  });

  it('is limited in its size', async () => {
    const world = await open(document);
    const large = { ...REQUEST, messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] };
    expect((await world.post(large)).status).toBe(413);
    const nodes = { ...REQUEST, metadata: Array.from({ length: 60_000 }, () => 0) };
    expect((await world.post(nodes)).status).toBe(413);
    expect((await world.post('['.repeat(200))).status).toBe(413);
  });

  it.each([
    ['a silent provider', () => undefined],
    [
      'an error that never ends',
      ((_request, response) => {
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
        response.writeHead(400, { 'content-type': 'application/json' }).write('{');
      }) satisfies Provider,
    ],
  ])('has a time limit at %s', async (_, provider) => {
    const world = await open(provider);
    world.spec = {
      routes: [
        {
          match: { model: 'm' },
          backends: [{ provider: 'p0', weight: 1, priority: 0 }],
          timeouts: { requestSeconds: 1 },
        },
      ],
    };
    const response = await world.post(REQUEST);
    expect([response.status, world.received.length]).toEqual([504, 1]);
  });
});
