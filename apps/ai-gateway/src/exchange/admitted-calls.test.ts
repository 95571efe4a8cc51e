import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { FULL_REQUESTS } from '../formats/full-requests.fixture.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { SERVED_FORMATS } from '../formats/served-formats.ts';
import { CallWorld, CREDENTIAL, type Provider } from './call-world.fixture.ts';

const createBody = (format: WireFormat): string => JSON.stringify(FULL_REQUESTS[format]).replaceAll('alias', 'm');
const answer =
  (status: number, body = '{}'): Provider =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const createDenial = () =>
  new ModelCallError('budget_exceeded', 'Your budget is used up.', { reason: 'budget_exhausted' });

const OPERATIONS: readonly (readonly [path: string, operation: ModelOperation])[] = [
  ...SERVED_FORMATS.byPath,
  ...[...SERVED_FORMATS.byVerb].map(([verb, operation]) => [`/v1beta/models/m:${verb}`, operation] as const),
];
const METERED = OPERATIONS.filter(([, { isMetered }]) => isMetered);
const FREE = OPERATIONS.filter(([, { isMetered }]) => !isMetered);
const CHAT = '/v1/chat/completions';
/** Operations with providers of another format. */
const FOREIGN = OPERATIONS.flatMap(([path, operation]) =>
  (['openai', 'anthropic', 'google'] as const)
    .filter((kind) => kind !== operation.format)
    .map((kind) => [path, kind, operation] as const),
);

/** Operations that vendors bill and the gateway does not serve. */
const UNSERVED = [
  ...['/v1/completions', '/v1/images/generations', '/v1/audio/speech', '/v1/audio/transcriptions', '/v1/batches'],
  ...['/v1/responses/resp_1', '/v1/responses/resp_1/cancel', '/v1/responses/compact', '/v1/moderations', '/v1/files'],
  ...['/v1/fine_tuning/jobs', '/v1/realtime/sessions', '/v1/threads/runs', '/v1/videos', '/v1/vector_stores'],
  ...['/v1/messages/batches', '/v1/complete', '/v1/skills', '/v1/agents'],
  ...['batchGenerateContent', 'predict', 'predictLongRunning', 'bidiGenerateContent', 'generateAnswer'].map(
    (verb) => `/v1beta/models/m:${verb}`,
  ),
  ...['/v1beta/cachedContents', '/v1beta/interactions', '/v1beta/tunedModels/m:generateContent', '/v1beta/files'],
];

/** Other spellings of a served path, which another server may read as that path. */
const SPELLINGS = [
  ...['/v1/chat/completions/', '//v1/chat/completions', '/v1//chat/completions', '/v1/./chat/completions'],
  ...['/v1/x/../chat/completions', '/V1/chat/completions', '/v1/chat%2Fcompletions', '/v1/chat/completions;a=b'],
  ...['/v1/chat/completions%00', '/v1/chat/completions%20', '/v1\\chat\\completions', '/v1/chat/completions#a'],
  ...['/v1beta/models/m%3AgenerateContent', '/v1beta/models/m:generateContent/', '/v1beta/models/m:GenerateContent'],
];

const worlds: CallWorld[] = [];
async function open(kind: WireFormat, ...providers: readonly Provider[]): Promise<CallWorld> {
  const world = new CallWorld();
  worlds.push(world);
  world.kind = kind;
  return world.open(...providers);
}
afterEach(() => Promise.all(worlds.splice(0).map((world) => world.close())));

/** Sends a request whose target is not normalised. */
async function sendRaw({ url }: CallWorld, path: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${CREDENTIAL}`, 'content-type': 'application/json' };
  const request = sendRequest(url, { method: 'POST', path, headers }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

describe.each(METERED)('a call of %s', (path, { format }) => {
  it('has the error of the vendor without a budget, and no provider sees it', async () => {
    const world = await open(format, answer(200));
    world.denial = createDenial();
    const response = await world.post(createBody(format), { path });
    const { status, body } = SERVED_FORMATS.errors[format].writeError(createDenial(), 'r-1');
    expect([response.status, await response.json()]).toEqual([status, JSON.parse(body)]);
    expect([world.received, world.begun, world.recorded]).toEqual([[], [], []]);
  });

  it('has an admission and a recorded end for each request to a provider', async () => {
    const world = await open(format, answer(503), answer(200));
    await (await world.post(createBody(format), { path })).text().catch(() => undefined);
    expect(world.admitted).toMatchObject([
      { attempt: 1, model: 'm' },
      { attempt: 2, model: 'm' },
    ]);
    expect([world.received, world.begun, world.recorded].map(({ length }) => length)).toEqual([2, 2, 2]);
  });
});

describe.each(FREE)('a call of %s', (path, { format }) => {
  it('needs no budget, and a grant of its model', async () => {
    const world = await open(format, answer(200));
    world.denial = createDenial();
    expect((await world.post(createBody(format), { path })).status).toBe(200);
    expect([world.received.length, world.begun]).toEqual([1, []]);
    const other = createBody(format).replaceAll('"m"', '"other"');
    expect((await world.post(other, { path: path.replace('/m:', '/other:') })).status).toBe(404);
    expect(world.received).toHaveLength(1);
  });
});

describe.each(FOREIGN)('a call of %s at a provider of %s', (path, kind, { format }) => {
  // Translations refuse what they cannot express, so the request is a simple one.
  const body = path === CHAT ? '{"model":"m","messages":[{"role":"user","content":"Hi"}]}' : createBody(format);

  it('reaches the provider only with an admission and a recorded end', async () => {
    const world = await open(kind, answer(200));
    await (await world.post(body, { path })).text().catch(() => undefined);
    const [received, ...others] = [world.received, world.admitted, world.recorded].map(({ length }) => length);
    expect(others).toEqual([received, received]);
    expect(world.recorded.filter(({ intent }) => intent.provider !== kind)).toEqual([]);
    // One of these calls is certainly translated.
    if (path === CHAT && kind === 'anthropic') expect(received).toBe(1);
  });

  it('does not reach it without a budget', async () => {
    const world = await open(kind, answer(200));
    world.denial = createDenial();
    const { status } = await world.post(body, { path });
    expect([status >= 400, world.received]).toEqual([true, []]);
  });
});

describe('a path without an operation', () => {
  it.each(UNSERVED)('reaches no provider, although the vendor bills it: %s', async (path) => {
    const world = await open('openai', answer(200));
    for (const method of ['POST', 'GET', 'DELETE'])
      expect([path, (await world.post('{"model":"m"}', { path, method, body: null })).status]).toEqual([path, 404]);
    expect(world.received).toEqual([]);
  });

  it.each(SPELLINGS)('never reaches a provider without an admission: %j', async (path) => {
    const format = path.includes('models') ? 'google' : 'openai';
    const world = await open(format, answer(200));
    world.denial = createDenial();
    expect(await sendRaw(world, path, createBody(format))).toBeGreaterThanOrEqual(400);
    expect(world.received).toEqual([]);
  });
});

describe('a fallback to another model', () => {
  const ROUTES = [
    {
      match: { model: 'm' },
      backends: ['first', 'second'].map((model, at) => ({ provider: `p${at}`, model, weight: 1, priority: at })),
    },
  ];

  it('is admitted and recorded by the name of that model', async () => {
    const world = await open('openai', answer(503), answer(200));
    world.spec = { routes: ROUTES };
    await (await world.post(createBody('openai'), { path: CHAT })).text().catch(() => undefined);
    expect(world.admitted).toMatchObject([{ model: 'first' }, { model: 'second', requestedModel: 'm' }]);
    expect(world.recorded.map(({ intent }) => intent.model)).toEqual(['first', 'second']);
    expect(world.received.map(({ body }) => (JSON.parse(body) as { model: string }).model)).toEqual([
      'first',
      'second',
    ]);
  });

  it('does not reach its provider when the budget cannot pay for that model', async () => {
    const failing: Provider = (_request, response) => {
      world.denial = createDenial();
      response.writeHead(503).end();
    };
    const world: CallWorld = await open('openai', failing, answer(200));
    world.spec = { routes: ROUTES };
    expect((await world.post(createBody('openai'), { path: CHAT })).status).toBe(429);
    expect([world.received.length, world.recorded.length]).toEqual([1, 1]);
  });
});

describe('equal calls', () => {
  it('are told apart, although client and provider repeat their ids', async () => {
    const body = '{"id":"","object":"chat.completion","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}';
    const world = await open('openai', answer(200, body));
    const headers = { 'x-request-id': 'same', 'idempotency-key': 'same', 'x-client-request-id': 'same' };
    for (let at = 0; at < 5; at += 1)
      await (await world.post({ model: 'm', messages: [] }, { headers })).text().catch(() => undefined);
    expect(new Set(world.recorded.map(({ intent }) => intent.interaction_id)).size).toBe(5);
    expect(new Set(world.received.map((call) => call.headers['x-client-request-id'])).size).toBe(5);
  });
});
