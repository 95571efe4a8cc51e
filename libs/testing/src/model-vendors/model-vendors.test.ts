import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { eventually } from '../eventually.ts';
import { BEDROCK_API_KEY } from './bedrock-request.ts';
import { type ModelVendors, startModelVendors, startModelVendorsProcess, VENDOR_KEYS } from './model-vendors.ts';
import type { VendorName, VendorRecord } from './record.ts';

let vendors: ModelVendors;
beforeAll(async () => {
  vendors = await startModelVendors();
});
afterAll(() => vendors.close());

/** The vendors with a key of their own. */
type Direct = Exclude<VendorName, 'vertex'>;

/** The credential of each vendor in its own place. */
const CREDENTIALS: Record<Direct, Record<string, string>> = {
  openai: { authorization: `Bearer ${VENDOR_KEYS.openai}` },
  anthropic: { 'x-api-key': VENDOR_KEYS.anthropic, 'anthropic-version': '2023-06-01' },
  google: { 'x-goog-api-key': VENDOR_KEYS.google },
  azure: { 'api-key': VENDOR_KEYS.azure },
  bedrock: { authorization: `Bearer ${BEDROCK_API_KEY}` },
};

const PATHS: Record<Direct, string> = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  google: '/v1beta/models/gemini-3.8-flash:generateContent',
  azure: '/openai/deployments/chat-prod/chat/completions?api-version=2024-10-21',
  bedrock: '/model/anthropic.claude-sonnet-5-5-v1%3A0/invoke',
};

const BEDROCK_BODY = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 1000 };

const createBody = (vendor: Direct, text: string): Record<string, unknown> =>
  ({
    openai: { model: 'gpt-5.4', messages: [{ role: 'user', content: text }] },
    anthropic: { model: 'claude-sonnet-5-5', max_tokens: 1000, messages: [{ role: 'user', content: text }] },
    google: { contents: [{ role: 'user', parts: [{ text }] }] },
    azure: { messages: [{ role: 'user', content: text }] },
    bedrock: { ...BEDROCK_BODY, messages: [{ role: 'user', content: text }] },
  })[vendor];

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

const send = (vendor: Direct, { path = PATHS[vendor], headers = CREDENTIALS[vendor], body, signal }: Sent) =>
  fetch(`${vendors.urls[vendor]}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? createBody(vendor, 'hello')),
    redirect: 'manual',
    ...(signal !== undefined && { signal }),
  });

/** The members of answers and chunks that the tests read. */
interface Body {
  type?: string;
  error: { message: string };
  usage?: { completion_tokens?: number; output_tokens?: number } | null;
  choices: { delta: { content?: string } }[];
  message: { usage: object };
  delta?: { text?: string };
  candidates?: unknown;
  usageMetadata: { candidatesTokenCount?: number };
}

const readStatus = async (response: Promise<Response>): Promise<[number, Body]> => {
  const { status, ...rest } = await response.then(async (found) => ({
    status: found.status,
    text: await found.text(),
  }));
  return [status, JSON.parse(rest.text) as Body];
};

const findRecord = async (name: string): Promise<VendorRecord> => {
  const log = await vendors.readLog();
  return log.findLast((record) => record.name === name)!;
};

const untilEnded = (name: string) =>
  eventually(async () => {
    const record = await findRecord(name);
    return record.outcome !== 'open' && record;
  }, `${name} has ended`);

describe('credentials', () => {
  it.each([
    ['openai', {}, 401, { error: { type: 'invalid_request_error', code: null } }],
    ['openai', { authorization: 'Bearer wrong' }, 401, { error: { code: 'invalid_api_key' } }],
    ['openai', { ...CREDENTIALS.openai, 'x-api-key': 'a' }, 400, { error: { code: 'sim_foreign_credential' } }],
    ['anthropic', { 'anthropic-version': '2023-06-01' }, 401, { error: { type: 'authentication_error' } }],
    ['anthropic', { ...CREDENTIALS.anthropic, 'x-api-key': 'a' }, 401, { error: { message: 'invalid x-api-key' } }],
    ['anthropic', { ...CREDENTIALS.anthropic, authorization: 'Bearer a' }, 401, { type: 'error' }],
    ['anthropic', { ...CREDENTIALS.anthropic, 'x-goog-api-key': 'a' }, 401, { type: 'error' }],
    ['anthropic', { 'x-api-key': VENDOR_KEYS.anthropic }, 400, { error: { type: 'invalid_request_error' } }],
    ['google', {}, 403, { error: { status: 'PERMISSION_DENIED' } }],
    ['google', { 'x-goog-api-key': 'a' }, 400, { error: { details: [{ reason: 'API_KEY_INVALID' }] } }],
    ['google', { ...CREDENTIALS.google, authorization: 'Bearer a' }, 401, { error: { status: 'UNAUTHENTICATED' } }],
    ['azure', {}, 401, { error: { code: '401' } }],
    ['azure', { ...CREDENTIALS.azure, authorization: 'Bearer a' }, 400, { error: { code: 'sim_foreign_credential' } }],
  ] as const)('%s refuses %j with %i', async (vendor, headers, status, body) => {
    expect(await readStatus(send(vendor, { headers }))).toEqual([status, expect.objectContaining({})]);
    expect((await readStatus(send(vendor, { headers })))[1]).toMatchObject(body);
  });
});

describe('bodies', () => {
  const chat = createBody('openai', 'hello');
  const message = createBody('anthropic', 'hello');
  const content = createBody('google', 'hello');
  it.each([
    ['openai', { ...chat, foo: 1 }, 400, 'Unrecognized request argument supplied: foo'],
    ['openai', { ...chat, model: 'gpt-none' }, 404, 'does not exist'],
    ['openai', { ...chat, messages: [] }, 400, 'messages'],
    ['openai', { ...chat, messages: [{ role: 'robot', content: 'a' }] }, 400, 'messages[0].role'],
    ['openai', { ...chat, messages: [{ role: 'tool', content: 'a', tool_call_id: 'b' }] }, 400, "role 'tool'"],
    ['openai', { ...chat, stream_options: { include_usage: true } }, 400, 'stream_options'],
    ['openai', '{', 400, 'could not parse the JSON body'],
    ['anthropic', { ...message, foo: 1 }, 400, 'foo: Extra inputs are not permitted'],
    ['anthropic', { ...message, max_tokens: undefined }, 400, 'max_tokens: Field required'],
    ['anthropic', { ...message, model: 'claude-none' }, 404, 'model: claude-none'],
    ['anthropic', { ...message, messages: [{ role: 'robot', content: 'a' }] }, 400, 'messages.0.role'],
    ['anthropic', { ...message, messages: [{ role: 'user', content: [{ type: 'x' }] }] }, 400, 'messages.0.content.0'],
    ['anthropic', '{', 400, 'not valid JSON'],
    ['google', { ...content, foo: 1 }, 400, 'Unknown name "foo": Cannot find field.'],
    ['google', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, 400, 'contents[0].role'],
    ['google', { contents: [{ parts: [{ text: 'a', foo: 1 }] }] }, 400, `Unknown name "foo" at 'contents[0].parts[0]'`],
    ['google', {}, 400, 'contents is not specified'],
    ['google', '{', 400, 'Invalid JSON payload received.'],
    ['azure', { ...chat, foo: 1 }, 400, 'Unrecognized request argument supplied: foo'],
  ] as const)('%s refuses %j with %i', async (vendor, body, status, text) => {
    const [received, answer] = await readStatus(send(vendor, { body }));
    expect([received, answer.error.message]).toEqual([status, expect.stringContaining(text)]);
  });

  it('with sampling parameters are refused by the version 2026-10-21 of Anthropic', async () => {
    const body = { ...message, temperature: 1 };
    const headers = (version: string) => ({ ...CREDENTIALS.anthropic, 'anthropic-version': version });
    expect((await send('anthropic', { headers: headers('2023-06-01'), body })).status).toBe(200);
    expect((await send('anthropic', { headers: headers('2026-10-21'), body })).status).toBe(400);
    expect((await send('anthropic', { headers: headers('2020-01-01') })).status).toBe(400);
  });

  it('of another content type are refused', async () => {
    for (const vendor of ['openai', 'anthropic', 'google'] as const) {
      const headers = { ...CREDENTIALS[vendor], 'content-type': 'text/plain' };
      expect((await send(vendor, { headers })).status).toBe(400);
    }
  });

  it.each([
    ['deployments/chat-prod/chat/completions', 404, 'Resource not found'],
    ['deployments/chat-prod/chat/completions?api-version=new', 404, 'Resource not found'],
    ['deployments/chat-prod/chat/completions?api-version=2024-10-21&Api-Version=2025-01-01', 404, 'Resource not found'],
    ['deployments/none/chat/completions?api-version=2024-10-21', 404, 'deployment for this resource does not exist'],
    ['deployments/chat-prod/chat/completions?api-version=2024-02-01', 400, 'stream_options'],
    ['deployments/chat-prod/responses?api-version=2025-03-01-preview', 404, 'Resource not found'],
    ['responses?api-version=2024-10-21', 400, 'enabled only for api-version 2025-03-01-preview'],
  ])('for the path %s of Azure are refused with %i', async (path, status, text) => {
    const body = { ...createBody('azure', 'a'), stream: true, stream_options: { include_usage: true } };
    const [received, { error }] = await readStatus(send('azure', { path: `/openai/${path}`, body }));
    expect([received, error.message]).toEqual([status, expect.stringContaining(text)]);
  });

  it('for an unknown model of Google are refused with 404, in an array for a stream without alt=sse', async () => {
    const path = '/v1beta/models/gemini-none:streamGenerateContent';
    expect(await readStatus(send('google', { path }))).toEqual([
      404,
      [{ error: expect.objectContaining({ code: 404 }) }],
    ]);
    const [status, body] = await readStatus(send('google', { path: `${path}?alt=sse` }));
    expect([status, body]).toMatchObject([404, { error: { status: 'NOT_FOUND' } }]);
  });
});

describe('usage', () => {
  const marker = '[[sim: input=1000 cached=300 cache_write=100 reasoning=20 output=90 web_search=2]]';

  it('of OpenAI includes cached and reasoning tokens in its totals', async () => {
    const [, body] = await readStatus(send('openai', { body: createBody('openai', `hello ${marker}`) }));
    expect(body.usage).toEqual({
      prompt_tokens: 1000,
      completion_tokens: 90,
      total_tokens: 1090,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 100, audio_tokens: 0 },
      completion_tokens_details: expect.objectContaining({ reasoning_tokens: 20 }),
    });
  });

  it('of Anthropic has disjoint input counts', async () => {
    const [, body] = await readStatus(send('anthropic', { body: createBody('anthropic', `hello ${marker}`) }));
    expect(body.usage).toMatchObject({
      input_tokens: 600,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
      output_tokens: 90,
      server_tool_use: { web_search_requests: 2 },
    });
  });

  it('of Google counts thoughts beside the candidates, and the total adds both', async () => {
    const [, body] = await readStatus(send('google', { body: createBody('google', `hello ${marker}`) }));
    expect(body.usageMetadata).toMatchObject({
      promptTokenCount: 1000,
      cachedContentTokenCount: 300,
      candidatesTokenCount: 70,
      thoughtsTokenCount: 20,
      totalTokenCount: 1090,
    });
  });
});

describe('streams', () => {
  const read = async (vendor: Direct, text: string, members: object = {}, path?: string): Promise<string> => {
    const body = { ...createBody(vendor, text), ...(vendor !== 'google' && { stream: true }), ...members };
    return (await send(vendor, { body, ...(path !== undefined && { path }) })).text();
  };
  const parse = (text: string): Body[] =>
    text
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as Body);

  it('of OpenAI have usage only when asked: null on earlier chunks, then one without choices', async () => {
    expect(await read('openai', 'a')).not.toContain('usage');
    const chunks = parse(await read('openai', 'a', { stream_options: { include_usage: true } }));
    expect(chunks.slice(0, -1).map(({ usage }) => usage)).toEqual(chunks.slice(0, -1).map(() => null));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
  });

  it('of compatible servers have usage on every chunk, on the finish chunk, or nowhere', async () => {
    const every = parse(await read('openai', '[[sim: usage=every]]'));
    expect(every.every(({ usage }) => usage?.completion_tokens === 4)).toBe(true);
    const finish = parse(await read('openai', '[[sim: usage=finish]]', { stream_options: { include_usage: true } }));
    expect(finish.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 4 } });
    const none = await read('openai', '[[sim: usage=none]]', { stream_options: { include_usage: true } });
    expect(none).not.toContain('usage');
  });

  it('of Anthropic begin with a placeholder and end with cumulative counts', async () => {
    const events = parse(await read('anthropic', '[[sim: chunks=7 web_search=1]]'));
    expect(events[0]!.message.usage).toMatchObject({ output_tokens: 1, service_tier: 'standard' });
    const deltas = events.filter(({ type }) => type === 'message_delta').map(({ usage }) => usage);
    expect(deltas.map((usage) => usage?.output_tokens)).toEqual([1, 7]);
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('of Google are an event stream or a JSON array with growing usage, or a last chunk with usage only', async () => {
    const path = '/v1beta/models/gemini-3.8-flash:streamGenerateContent';
    const events = await read('google', '[[sim: chunks=3]]', {}, `${path}?alt=sse`);
    expect(events).toContain('\r\n\r\n');
    const array = JSON.parse(await read('google', '[[sim: chunks=3]]', {}, path)) as Body[];
    for (const chunks of [parse(events), array])
      expect(chunks.map((chunk) => chunk.usageMetadata.candidatesTokenCount)).toEqual([1, 2, 3, 3]);
    const last = parse(await read('google', '[[sim: usage=separate]]', {}, `${path}?alt=sse`)).at(-1)!;
    expect([last.candidates, last.usageMetadata.candidatesTokenCount]).toEqual([undefined, 4]);
  });

  it('keep their content when they are split, commented, compressed and written with CRLF', async () => {
    const plain = parse(await read('anthropic', 'héllo 世界 🙂'));
    const text = 'héllo 世界 🙂 [[sim: split=1 comments=1 gzip=1 crlf=1]]';
    const changed = parse(await read('anthropic', text));
    const readText = (events: Body[]) => events.map(({ delta }) => delta?.text ?? '').join('');
    expect(readText(changed)).toBe(readText(plain));
    expect(readText(plain)).toBe('You said: héllo 世界 🙂. 1 2 3');
  });

  it('have frames over 1 MiB on demand', async () => {
    const text = await read('openai', '[[sim: huge=1100000]]');
    expect(parse(text).some(({ choices }) => (choices[0]?.delta.content ?? '').length > 1_048_576)).toBe(true);
  });
});

describe('faults', () => {
  const ask = (vendor: Direct, directives: string, signal?: AbortSignal) =>
    send(vendor, {
      body: { ...createBody(vendor, `hello [[sim: ${directives}]]`), ...(vendor !== 'google' && { stream: true }) },
      ...(vendor === 'google' && { path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse' }),
      ...(signal !== undefined && { signal }),
    });
  const vendorNames = ['openai', 'anthropic', 'google', 'azure'] as const;

  it.each(vendorNames)('of %s can be every status, with Retry-After, a number of times', async (vendor) => {
    for (const status of [400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503, 529]) {
      const response = await ask(vendor, `fault=status:${status} retry_after=7 times=1 name=${vendor}${status}`);
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
      expect(await untilEnded(`${vendor}${status}`)).toMatchObject({ outcome: 'refused', status, usage: undefined });
    }
    const again = await ask(vendor, `fault=status:429 retry_after=7 times=1 name=${vendor}429`);
    expect([again.status, (await again.text()).length > 0]).toEqual([200, true]);
  });

  it.each(vendorNames)('of %s can be a reset before headers, after headers, and after frames', async (vendor) => {
    await expect(ask(vendor, `fault=reset_before_headers name=${vendor}-a`)).rejects.toThrow();
    expect(await untilEnded(`${vendor}-a`)).toMatchObject({ outcome: 'failed', status: undefined, frames: 0 });
    await expect(ask(vendor, `fault=reset_after_headers name=${vendor}-b`).then((one) => one.text())).rejects.toThrow();
    expect(await untilEnded(`${vendor}-b`)).toMatchObject({ outcome: 'failed', status: 200, frames: 0 });
    await expect(ask(vendor, `fault=reset_after:2 name=${vendor}-c`).then((one) => one.text())).rejects.toThrow();
    expect(await untilEnded(`${vendor}-c`)).toMatchObject({ outcome: 'failed', frames: 2, usage: expect.any(Object) });
  });

  it.each(vendorNames)('of %s can be an error event, garbage, or an end without the last frame', async (vendor) => {
    const error = await (await ask(vendor, 'fault=error_event:3')).text();
    expect(error).toMatch(/overloaded/i.test(error) ? /overloaded/i : /server had an error/);
    expect(await (await ask(vendor, 'fault=garbage:1')).text()).toContain('not JSON');
    const cut = await (await ask(vendor, `fault=truncate:2 name=${vendor}-cut`)).text();
    expect(cut.split(/\n\r?\n/).filter((part) => part !== '')).toHaveLength(2);
    expect(await untilEnded(`${vendor}-cut`)).toMatchObject({ outcome: 'failed', isComplete: false });
  });

  it.each(vendorNames)('of %s can be half a frame and silence until the client closes', async (vendor) => {
    const controller = new AbortController();
    const response = await ask(vendor, `fault=half_frame:2 name=${vendor}-half`, controller.signal);
    const text = response.text();
    await eventually(async () => (await findRecord(`${vendor}-half`)).outcome === 'failed', 'half a frame is written');
    controller.abort();
    await expect(text).rejects.toThrow();
    await eventually(async () => (await findRecord(`${vendor}-half`)).closedAfterFrames === 2, 'the close is seen');
  });

  it.each(vendorNames)('of %s can be a stream without an end, until the client closes', async (vendor) => {
    const controller = new AbortController();
    const response = await ask(vendor, `endless=1 name=${vendor}-endless`, controller.signal);
    const reader = response.body!.getReader();
    for (let read = 0; read < 3; read += 1) await reader.read();
    controller.abort();
    const record = await untilEnded(`${vendor}-endless`);
    expect([record.outcome, record.isComplete]).toEqual(['client_closed', false]);
    expect(record.closedAfterFrames).toBeGreaterThan(2);
  });

  it('can be a redirect, another content type, and a connection that stays open', async () => {
    const moved = await ask('openai', 'fault=redirect:http://127.0.0.1:1/elsewhere');
    expect([moved.status, moved.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/elsewhere']);
    expect((await ask('openai', 'content_type=text/html')).headers.get('content-type')).toBe('text/html');
    const controller = new AbortController();
    const open = await ask('openai', 'keep_open=1 name=open', controller.signal);
    const text = open.text();
    await eventually(async () => (await findRecord('open')).isComplete, 'the last frame is written');
    expect((await findRecord('open')).outcome).toBe('open');
    controller.abort();
    await expect(text).rejects.toThrow();
    expect((await untilEnded('open')).outcome).toBe('answered');
  });

  it('with a wrong name are mistakes of the test and answered with 500', async () => {
    expect((await ask('openai', 'fault=nonsense')).status).toBe(500);
  });
});

describe('the log', () => {
  it('has order, vendor, model, key, name, outcome, raw usage, frames and bytes', async () => {
    const response = await send('openai', { body: createBody('openai', 'hello [[sim: name=logged usage=none]]') });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await untilEnded('logged')).toMatchObject({
      sequence: expect.any(Number),
      vendor: 'openai',
      model: 'gpt-5.4',
      key: VENDOR_KEYS.openai,
      outcome: 'answered',
      status: 200,
      requestId: response.headers.get('x-request-id'),
      usage: { completion_tokens: 4 },
      sentUsage: undefined,
      frames: 1,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      isComplete: true,
    });
  });
});

describe('a process of its own', () => {
  it('serves the vendors and its log', async () => {
    const other = await startModelVendorsProcess({ keys: { openai: ['sk-other'] } });
    try {
      const headers = { authorization: 'Bearer sk-other' };
      expect((await fetch(`${other.urls.openai}/v1/models`, { headers })).status).toBe(200);
      expect(await other.readLog()).toEqual([expect.objectContaining({ key: 'sk-other', outcome: 'answered' })]);
    } finally {
      await other.close();
    }
  });
});
