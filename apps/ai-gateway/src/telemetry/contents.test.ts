import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientSpans } from '@gatehouse/service-kit/client-spans';
import { createLog } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { CallWorld, CREDENTIAL, type Provider } from '../exchange/call-world.fixture.ts';
import type { WireFormat } from '../formats/operation.ts';
import { CallTelemetry } from './call-telemetry.ts';

/** Every text of callers and answers contains it. */
const CANARY = 'c4n4ry';
/** Keys that are not valid. */
const KEY = `sk-${CANARY}-key`;
const text = (place: string) => `${CANARY} ${place}`;

/** Members of requests that vendors have, or could have, with a canary in each text. */
const EXTRAS = {
  user: text('user'),
  metadata: { user_id: text('metadata'), [CANARY]: CANARY },
  stop: [text('stop')],
  novel: { [CANARY]: [text('novel'), { deep: text('deep') }] },
};
const TOOL = { name: `${CANARY}_tool`, description: text('tool'), parameters: { type: 'object' } };

interface Format {
  readonly kind: WireFormat;
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: object;
  readonly chunk: object;
}

const formats: readonly Format[] = [
  {
    kind: 'openai',
    path: '/v1/chat/completions',
    request: {
      model: 'm',
      messages: [
        { role: 'system', content: text('system'), name: CANARY },
        {
          role: 'user',
          content: [
            { type: 'text', text: text('part') },
            { type: 'image_url', image_url: { url: text('url') } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [{ id: CANARY, type: 'function', function: { name: CANARY, arguments: text('arguments') } }],
        },
        { role: 'tool', tool_call_id: CANARY, content: text('result') },
      ],
      tools: [{ type: 'function', function: TOOL }],
      ...EXTRAS,
    },
    answer: {
      choices: [{ index: 0, message: { role: 'assistant', content: text('answer') }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    },
    chunk: { choices: [{ index: 0, delta: { content: text('delta') } }] },
  },
  {
    kind: 'openai',
    path: '/v1/responses',
    request: {
      model: 'm',
      instructions: text('instructions'),
      input: [{ role: 'user', content: text('input') }],
      tools: [TOOL],
      ...EXTRAS,
    },
    answer: {
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: text('answer') }] }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    chunk: { type: 'response.output_text.delta', delta: text('delta') },
  },
  {
    kind: 'openai',
    path: '/v1/embeddings',
    request: { model: 'm', input: [text('input')], ...EXTRAS },
    answer: { object: 'list', data: [{ embedding: CANARY }], usage: { prompt_tokens: 1 } },
    chunk: {},
  },
  {
    kind: 'anthropic',
    path: '/v1/messages',
    request: {
      model: 'm',
      max_tokens: 10,
      system: [{ type: 'text', text: text('system') }],
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: CANARY, content: text('result') }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: CANARY, name: CANARY, input: { [CANARY]: text('input') } }],
        },
      ],
      tools: [TOOL],
      ...EXTRAS,
    },
    answer: {
      type: 'message',
      content: [{ type: 'text', text: text('answer') }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    chunk: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: text('delta') } },
  },
  {
    kind: 'google',
    path: '/v1beta/models/m:generateContent',
    request: {
      systemInstruction: { parts: [{ text: text('system') }] },
      contents: [
        { role: 'user', parts: [{ text: text('part') }] },
        { role: 'model', parts: [{ functionCall: { name: CANARY, args: { [CANARY]: text('args') } } }] },
        { role: 'user', parts: [{ functionResponse: { name: CANARY, response: { [CANARY]: text('response') } } }] },
      ],
      tools: [{ functionDeclarations: [TOOL] }],
      ...EXTRAS,
    },
    answer: {
      candidates: [{ content: { parts: [{ text: text('answer') }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    },
    chunk: { candidates: [{ content: { parts: [{ text: text('delta') }] } }] },
  },
];

const json =
  (status: number, body: unknown): Provider =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1' })
      .end(JSON.stringify(body));
const raw =
  (status: number, type: string, body: string): Provider =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

describe.each(formats)('telemetry of $path', ({ kind, path, request, answer, chunk }) => {
  let world: CallWorld;
  let recorded: string[];

  beforeEach(() => {
    world = new CallWorld();
    world.kind = kind;
    recorded = [];
    const keep = (value: unknown) => void recorded.push(JSON.stringify(value));
    const meter = Object.assign(Object.create(new Metrics().meter) as Metrics['meter'], {
      createHistogram: (name: string) => ({ record: (value: number, labels: object) => keep({ name, value, labels }) }),
      createCounter: (name: string) => ({ add: (value: number, labels: object) => keep({ name, value, labels }) }),
    });
    const destination = { write: (line: string) => void recorded.push(line) };
    world.log = createLog({ name: 'ai-gateway', level: 'debug', environment: 'test', destination });
    const spans = new ClientSpans(keep);
    world.observer = new CallTelemetry({ metrics: new Metrics(meter), spans, log: world.log, now: () => 0 });
  });
  afterEach(() => world.close());

  const expectNoContents = () => {
    expect(recorded.length).toBeGreaterThan(1);
    const all = recorded.join('\n');
    expect(all).not.toContain(CANARY);
    expect(all).not.toContain(CREDENTIAL);
    expect(all).not.toContain('key-of-p0');
  };
  const send = async (body: object | string, headers?: Record<string, string>, at = path) => {
    const response = await world.post(body, { path: at, ...(headers && { headers }) });
    await response.text().catch(() => undefined);
    return response.status;
  };
  const errorBody = { error: { message: text('error'), type: CANARY, code: CANARY } };

  it.each<[string, Provider]>([
    ['an answer', json(200, answer)],
    ['an answer with unknown members', json(200, { ...answer, ...EXTRAS })],
    ['an answer that is no JSON', raw(200, 'application/json', text('garbage'))],
    ['an answer of another type', raw(200, 'text/html', `<p>${text('page')}`)],
    ['an error', json(400, errorBody)],
    ['an error of the server', json(500, errorBody)],
    ['a refused key', json(401, errorBody)],
    ['a redirect', (_request, response) => response.writeHead(302, { location: `https://${CANARY}.example` }).end()],
    ['a broken connection', (incoming) => incoming.socket.destroy()],
    [
      'an answer that breaks',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(JSON.stringify(answer).slice(0, -2), () => response.destroy());
      },
    ],
  ])('has no contents of %s', async (_name, provider) => {
    await world.open(provider);
    await send(request);
    expectNoContents();
  });

  const frame = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  it.each([
    ['that ends early', frame(chunk)],
    ['with an error', frame(chunk) + frame({ type: 'error', ...errorBody })],
    ['with garbage', frame(chunk) + frame(text('garbage'))],
    ['with a comment', `: ${CANARY}\n\n${frame(chunk)}`],
  ])('has no contents of a stream %s', async (_name, stream) => {
    await world.open(raw(200, 'text/event-stream', stream));
    const streamPath = path.replace(':generateContent', ':streamGenerateContent?alt=sse');
    await send(kind === 'google' ? request : { ...request, stream: true }, undefined, streamPath);
    expectNoContents();
  });

  it.each<[string, (valid: typeof request) => object | string]>([
    ['that is no JSON', () => `{"model":"m","messages":"${CANARY}`],
    [
      'with members twice',
      (valid) => JSON.stringify(valid).replace('{', `{"${CANARY}":1,"model":"${CANARY}","model":"m",`),
    ],
    ['for an unknown model', (valid) => ({ ...valid, model: CANARY })],
    [
      'whose members have other types',
      () => ({
        model: 'm',
        messages: CANARY,
        contents: CANARY,
        input: { [CANARY]: CANARY },
        system: { [CANARY]: CANARY },
        stream: CANARY,
        max_tokens: CANARY,
        n: CANARY,
      }),
    ],
  ])('has no contents of a request %s', async (_name, change) => {
    await world.open(json(200, answer));
    await send(change(request));
    await send(change(request), undefined, path.replace('/m:', `/${CANARY}:`));
    expectNoContents();
  });

  it('has no keys and no other headers', async () => {
    await world.open(json(200, answer));
    await send(request, {
      'x-novel': CANARY,
      cookie: CANARY,
      'user-agent': CANARY,
      'anthropic-beta': CANARY,
      'openai-beta': CANARY,
    });
    expect(await send(request, { authorization: `Bearer ${KEY}` })).toBe(401);
    expect(await send(request, { authorization: `Bearer ${KEY}`, 'x-api-key': `${KEY}2` })).toBe(400);
    await send(request, {}, `${path}?key=${KEY}&novel=${CANARY}`);
    await send(request, {}, `/v1/${CANARY}`);
    await send(request, { 'content-type': `text/${CANARY}` });
    expectNoContents();
  });
});
