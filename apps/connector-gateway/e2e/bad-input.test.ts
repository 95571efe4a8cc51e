import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Buffer } from 'node:buffer';
import { initialize, inSession, modern, post, type RawAnswer } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { sendRequest } from './support/send-request.ts';
import { type Gateway, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let upstream: ScriptedServer;
let endpoint: string;
let token: string;
let session: string;

beforeAll(async () => {
  world = await World.start();
  upstream = await scripted({ 'tools/call': () => ({ content: [{ type: 'text', text: 'called' }] }) });
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.toggle(alice, world.manager.addConnector({ slug: 'a', endpoint: upstream.url }, ['all']), true);
  gateway = await world.gateway();
  endpoint = `${gateway.url}/mcp`;
  token = await world.token('alice');
  session = await initialize(endpoint, token);
}, 60_000);

afterAll(async () => {
  await world.close();
  await upstream.close();
});

/** Status, code and id of an error response. */
const readError = ({ status, text }: RawAnswer) => {
  const { error, id } = JSON.parse(text) as { error: { code: number }; id?: unknown };
  return [status, error.code, id];
};

const ERAS = ['a session', 'the era without sessions'] as const;
type Era = (typeof ERAS)[number];

/** The headers of a correct request in an era. */
const createHeaders = (era: Era, method = 'tools/list'): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(era === 'a session'
    ? { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
});

const send = (era: Era, body: string) => post(endpoint, body, createHeaders(era));

/** Name of a malformed message, its text, the error code, and the id of the response. */
type MalformedMessage = [string, string, number, string | number | undefined];

const MALFORMED: MalformedMessage[] = [
  ['nothing', '', -32700, undefined],
  ['half a message', '{"jsonrpc":"2.0","id":1,"method":"tools/', -32700, undefined],
  [
    'two messages',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}',
    -32700,
    undefined,
  ],
  ['a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700, undefined],
  ['a member without quotes', '{jsonrpc:"2.0","id":1,"method":"ping"}', -32700, undefined],
  ['NaN as id', '{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700, undefined],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, undefined],
  ['an empty batch', '[]', -32600, undefined],
  ['null', 'null', -32600, undefined],
  ['a number', '7', -32600, undefined],
  ['a string', '"ping"', -32600, undefined],
  ['no version of JSON-RPC', '{"id":1,"method":"ping"}', -32600, 1],
  ['JSON-RPC 1.0', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
  ['a number as version of JSON-RPC', '{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600, 1],
  ['names in capitals', '{"JSONRPC":"2.0","ID":1,"METHOD":"ping"}', -32600, undefined],
  ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, undefined],
  ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, undefined],
  ['an id beyond the exact integers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, undefined],
  ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, undefined],
  ['a boolean as id', '{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, undefined],
  ['no method, result or error', '{"jsonrpc":"2.0","id":1}', -32600, 1],
  ['a number as method', '{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1],
  ['an empty method', '{"jsonrpc":"2.0","id":1,"method":""}', -32600, 1],
  ['a list as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600, 1],
  ['null as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32600, 1],
  ['a method and a result', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', -32600, 1],
  ['a result and an error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', -32600, 1],
  ['a string as result', '{"jsonrpc":"2.0","id":1,"result":"x"}', -32600, 1],
  ['an error without code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}', -32600, 1],
  ['a result without id', '{"jsonrpc":"2.0","result":{}}', -32600, undefined],
];

describe.each(ERAS)('a malformed message in %s', (era) => {
  it.each(MALFORMED)('is refused: %s', async (_, text, code, id) => {
    expect(readError(await send(era, text))).toEqual([400, code, id]);
  });

  it('is refused if it is no UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff, 0xfe, 0x22, 0x7d]),
    ]);
    const headers = { ...createHeaders(era), 'content-type': 'application/json', accept: '*/*' };
    const response = await sendRequest(endpoint, { method: 'POST', headers, body });
    expect([response.status, (JSON.parse(response.text) as RawAnswer['json']).error?.code]).toEqual([400, -32700]);
  });
});

describe('an unknown method', () => {
  const UNKNOWN = ['rpc.discover', 'tools/delete', 'TOOLS/LIST', 'tools/list ', '__proto__', 'constructor', 'toString'];

  it.each([...UNKNOWN, 'server/discover', 'subscriptions/listen'])('is -32601 in a session: %j', async (method) => {
    const answer = await inSession(endpoint, token, session, method);
    expect(readError(answer)).toEqual([200, -32601, 7]);
  });

  it.each([...UNKNOWN.filter((method) => method !== 'tools/list '), 'initialize', 'ping', 'logging/setLevel'])(
    'is 404 and -32601 without a session: %j',
    async (method) => {
      expect(readError(await modern(endpoint, token, method))).toEqual([404, -32601, 1]);
    },
  );

  it('is accepted and ignored as a notification', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/unknown' };
    for (const era of ERAS) {
      const { status, text } = await post(endpoint, message, createHeaders(era, message.method));
      expect([status, text]).toEqual([202, '']);
    }
  });
});

describe('wrong params', () => {
  const WRONG: [string, Record<string, unknown>][] = [
    ['tools/call', {}],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'a__only', arguments: [] }],
    ['tools/call', { name: 'a__only', arguments: 'text' }],
    ['prompts/get', {}],
    ['resources/read', {}],
    ['resources/read', { uri: 7 }],
    ['completion/complete', { ref: { type: 'ref/unknown' }, argument: { name: 'a', value: '' } }],
    ['tools/list', { cursor: 7 }],
    ['tools/list', { cursor: 'forged' }],
    ['prompts/list', { cursor: '' }],
  ];

  it.each(WRONG)('of %s are -32602 in both eras: %j', async (method, params) => {
    const before = upstream.seen.get('tools/call');
    expect(readError(await inSession(endpoint, token, session, method, params))).toEqual([200, -32602, 7]);
    expect(readError(await modern(endpoint, token, method, params))).toEqual([200, -32602, 1]);
    expect(upstream.seen.get('tools/call')).toBe(before);
  });
});

describe('a text with NUL', () => {
  it.each([
    ['resources/subscribe', 'uri'],
    ['resources/unsubscribe', 'uri'],
    ['resources/read', 'uri'],
    ['tasks/get', 'taskId'],
    ['tasks/cancel', 'taskId'],
    ['tasks/result', 'taskId'],
  ])('is -32602 in %s', async (method, field) => {
    expect(readError(await inSession(endpoint, token, session, method, { [field]: 'a\0b' }))).toEqual([200, -32602, 7]);
  });
});

describe.each(ERAS)('an id that a client of %s chooses', (era) => {
  const LONG = 'x'.repeat(1_025);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const sendIds = (id: string, progressToken: string) =>
    post(
      endpoint,
      {
        jsonrpc: '2.0',
        id,
        method: 'tools/list',
        params: { _meta: { ...(era !== 'a session' && _meta), progressToken } },
      },
      createHeaders(era),
    );

  it('has at most 1,024 characters', async () => {
    const longest = LONG.slice(1);
    expect((await sendIds(longest, longest)).status).toBe(200);
    expect(readError(await sendIds(LONG, 'x'))).toEqual([400, -32600, LONG]);
    expect(readError(await sendIds('x', LONG))).toEqual([400, -32602, 'x']);
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: LONG } };
    expect(readError(await post(endpoint, cancellation, createHeaders(era)))).toEqual([400, -32602, undefined]);
  });
});

describe('a protocol version', () => {
  it.each(['1900-01-01', '2031-01-01', 'latest', '', '2025-11-25, 2025-11-25'])(
    'that is unknown is refused in a session: %j',
    async (version) => {
      const headers = { ...createHeaders('a session'), 'mcp-protocol-version': version };
      const answer = await post(endpoint, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
      expect(readError(answer).slice(0, 2)).toEqual([400, -32000]);
    },
  );

  it.each(['1900-01-01', '2031-01-01', 'latest', '2025-11-25'])(
    'that is unsupported is refused without a session, with the supported ones: %j',
    async (version) => {
      const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const answer = await modern(endpoint, token, 'tools/list', { _meta }, { 'mcp-protocol-version': version });
      expect(readError(answer)).toEqual([400, -32022, 1]);
      expect(answer.json.error?.data).toEqual({ supported: ['2026-07-28'], requested: version });
    },
  );

  it('that is unknown gets the newest one with sessions at initialize', async () => {
    const params = { protocolVersion: '2031-01-01', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await post(endpoint, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
    expect(json.result).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

describe('the headers of a request without a session', () => {
  const CALL = { name: 'a__only', arguments: {} };

  it.each<[string, Record<string, string>]>([
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in capitals', { 'mcp-method': 'TOOLS/CALL' }],
    ['an empty method', { 'mcp-method': '' }],
    ['another name', { 'mcp-name': 'a__other' }],
    ['the name in capitals', { 'mcp-name': 'A__ONLY' }],
    ['an empty name', { 'mcp-name': '' }],
    ['two names', { 'mcp-name': 'a__only, a__only' }],
    ['a name that is no base64', { 'mcp-name': '=?base64?%%%?=' }],
    ['a name that is no UTF-8', { 'mcp-name': `=?base64?${Buffer.from([0xff]).toString('base64')}?=` }],
  ])('that contradict its body are -32020: %s', async (_, headers) => {
    const before = upstream.seen.get('tools/call');
    expect(readError(await modern(endpoint, token, 'tools/call', CALL, headers))).toEqual([400, -32020, 1]);
    expect(upstream.seen.get('tools/call')).toBe(before);
  });

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('must have %s', async (missing) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { ...createHeaders('the era without sessions', 'tools/call'), 'mcp-name': CALL.name };
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing));
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta: meta } };
    expect(readError(await post(endpoint, message, rest))).toEqual([400, -32020, 1]);
  });

  it('must not occur twice', async () => {
    const headers = {
      ...createHeaders('the era without sessions', 'tools/call'),
      'content-type': 'application/json',
      accept: '*/*',
      'mcp-name': ['a__only', 'a__only'],
    };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta: meta } };
    const { status, text } = await sendRequest(endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
    expect([status, (JSON.parse(text) as RawAnswer['json']).error?.code]).toEqual([400, -32020]);
  });

  it.each<[string, unknown]>([
    ['no version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['a number as version', { 'io.modelcontextprotocol/protocolVersion': 7 }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
    [
      'a list as capabilities',
      { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': [] },
    ],
  ])('need matching members in _meta, otherwise -32602: %s', async (_, _meta) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
    expect(readError(await post(endpoint, message, createHeaders('the era without sessions')))).toEqual([
      400, -32602, 1,
    ]);
  });
});

describe.each(ERAS)('the HTTP request in %s', (era) => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

  it.each(['application/json', 'text/event-stream', 'text/html', 'application/xml, text/*', ''])(
    'gets 406 if it accepts %j only',
    async (accept) => {
      expect((await post(endpoint, PING, { ...createHeaders(era), accept })).status).toBe(406);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'])(
    'gets 415 if its body is %s',
    async (type) => {
      expect((await post(endpoint, PING, { ...createHeaders(era), 'content-type': type })).status).toBe(415);
    },
  );

  it.each(['gzip', 'br', 'identity, gzip'])('gets 415 if its body is encoded: %s', async (encoding) => {
    expect((await post(endpoint, PING, { ...createHeaders(era), 'content-encoding': encoding })).status).toBe(415);
  });

  it('gets 405 with the method HEAD, and opens no stream', async () => {
    const headers = { ...createHeaders('a session'), accept: 'text/event-stream' };
    const { status, headers: answered } = await fetch(endpoint, { method: 'HEAD', headers });
    expect([status, answered.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
  });

  it.each(['PUT', 'PATCH', 'OPTIONS'])('gets 404 or 405 with the method %s', async (method) => {
    const { status } = await sendRequest(endpoint, { method, headers: createHeaders(era) });
    expect([404, 405]).toContain(status);
  });

  it.each([
    '/mcp/',
    '//mcp',
    '/mcp//a',
    '/MCP',
    '/mcp/../mcp',
    '/mcp/%61',
    '/mcp;x',
    '/mcp/a/b',
    '/mcp/a%2fb',
    '/mcp%2fa',
    '/mcp\\a',
  ])('gets 404 at %j', async (path) => {
    const headers = { ...createHeaders(era), 'content-type': 'application/json', accept: '*/*' };
    const { status } = await sendRequest(gateway.url, { method: 'POST', path, headers, body: PING });
    expect(status).toBe(404);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil@127.0.0.1',
    '127.0.0.1/evil',
    '2130706433.evil.example',
    '127.0.0.1:99999999',
  ])('gets 403 with the Host %j', async (host) => {
    const headers = { ...createHeaders(era), host };
    const { status } = await sendRequest(endpoint, { method: 'POST', headers, body: PING });
    expect(status).toBe(403);
  });

  it.each<[string, string | string[]]>([
    ['another host', 'https://evil.example'],
    ['null', 'null'],
    ['another port', 'http://127.0.0.1:1'],
    ['another scheme', 'https://127.0.0.1'],
    ['a prefix of the own one', 'http://127.0.0.1'],
    ['nothing', ''],
    ['two values', ['https://evil.example', 'https://evil.example']],
  ])('gets 403 with the Origin of %s', async (_, origin) => {
    const headers = { ...createHeaders(era), origin };
    const { status } = await sendRequest(endpoint, { method: 'POST', headers, body: PING });
    expect(status).toBe(403);
  });

  it('gets 403 with the own Origin beside a foreign one', async () => {
    const headers = { ...createHeaders(era), origin: [gateway.url, 'https://evil.example'] };
    expect((await sendRequest(endpoint, { method: 'POST', headers, body: PING })).status).toBe(403);
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer ', 'bearer x y', 'Token x'])('gets 401 with %j', async (authorization) => {
    const answer = await post(endpoint, PING, { ...createHeaders(era), authorization });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ]);
  });
});

describe('a session id', () => {
  it.each(['', 'x', '../..', "' OR 1=1 --", 'a'.repeat(4_000), '%00', '0', 'null'])(
    'that the gateway did not issue is 404: %j',
    async (id) => {
      const { status, json } = await inSession(endpoint, token, id, 'tools/list');
      expect([status, json.error?.code]).toEqual([404, -32001]);
    },
  );

  it('must not occur twice', async () => {
    const headers = {
      ...createHeaders('a session'),
      'content-type': 'application/json',
      accept: '*/*',
      'mcp-session-id': [session, session],
    };
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await sendRequest(endpoint, { method: 'POST', headers, body })).status).toBe(404);
  });

  it.each(['x', '0', '../1', 'p1', 'p1.-1', 'P1.1', 'p1.1.1', 'p1.1, p1.2'])(
    'has no stream with the event id %j, which is 400',
    async (id) => {
      const headers = { ...createHeaders('a session'), accept: 'text/event-stream', 'last-event-id': id };
      const response = await fetch(endpoint, { headers });
      expect([response.status, ((await response.json()) as RawAnswer['json']).error?.code]).toEqual([400, -32000]);
    },
  );

  it('is needed for a stream', async () => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const { status, text } = await sendRequest(endpoint, { method: 'GET', headers });
    expect([status, (JSON.parse(text) as RawAnswer['json']).error?.code]).toEqual([400, -32000]);
  });
});
