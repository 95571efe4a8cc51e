import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import { startBridge } from './bridged.ts';
import { post, RawClient, readMessages, type Message } from './harness.ts';
import { ping, readBody, startPassThrough } from './passed-through.ts';

const tools = {
  filter: ['read', 'say'],
  overrides: { echo: { name: 'say', description: 'Repeats the message.' }, read: { description: 'Reads.' } },
};
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const createCall = (name: unknown, more = {}) => ({
  jsonrpc: '2.0',
  id: 'call',
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
});
const RESULT = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    tools: [
      { name: 'echo', description: 'Old.', inputSchema: { type: 'object' } },
      { name: 'read', inputSchema: { type: 'object' } },
      { name: 'say', description: 'Another tool with the new name.' },
      { name: 'delete' },
      { name: 7 },
    ],
    nextCursor: 'more',
  },
};
const FILTERED = [
  { name: 'say', description: 'Repeats the message.', inputSchema: { type: 'object' } },
  { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } },
];

/** Starts a server that answers with this body, and a proxy with the rules before it. */
const startAnswering = (type: string, body: string | Buffer, headers = {}) =>
  startPassThrough(
    (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    },
    { tools },
  );

/** Repeats the received body, with its Mcp-Name header. */
const repeat: RequestListener = (request, response) => {
  void readBody(request).then((body) => {
    const received = { body, name: request.headers['mcp-name'] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 'call', result: received }));
  });
};

const listTools = (messages: Message[]) => messages.at(-1)?.result?.['tools'];

describe('A filter and overrides of tools', () => {
  it.each(['application/json', 'text/plain', 'application/json; charset=utf-8'])(
    'change a list in %s',
    async (type) => {
      const { url } = await startAnswering(type, JSON.stringify(RESULT));
      const message = (await (await post(url, LIST)).json()) as Message;
      expect(message.result).toEqual({ tools: FILTERED, nextCursor: 'more' });
    },
  );

  it('change a list in each form of an event stream', async () => {
    const text = JSON.stringify(RESULT);
    const lines = JSON.stringify(RESULT, null, 1);
    for (const stream of [
      encodeEvent({ event: 'message', id: 'a.1', data: text }),
      `: hello\r\n\r\ndata:${text}\r\n\r\n`,
      `data: ${text}\r\r`,
      encodeEvent({ data: lines }),
      `id: 3\ndata: \n\n${encodeEvent({ data: text })}`,
      // The last event has no blank line.
      `data: ${text}\n`,
    ]) {
      const { url } = await startAnswering('text/event-stream', stream);
      const response = await post(url, LIST);
      expect(listTools(await readMessages(response))).toEqual(FILTERED);
    }
  });

  it('change a list whose bytes arrive one by one', async () => {
    const stream = `\uFEFFdata: ${JSON.stringify({ ...RESULT, result: { tools: [{ name: 'read', title: 'größe' }] } })}\r\n\r\n`;
    const { url } = await startPassThrough(
      (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        void (async () => {
          for (const byte of Buffer.from(stream)) {
            response.write(Buffer.from([byte]));
            await new Promise((resolve) => setImmediate(resolve));
          }
          response.end();
        })();
      },
      { tools },
    );
    expect(listTools(await readMessages(await post(url, LIST)))).toEqual([
      { name: 'read', title: 'größe', description: 'Reads.' },
    ]);
  });

  it('change a list on a stream that a GET resumes, and keep its other events', async () => {
    const other = encodeEvent({ event: 'message', id: '1', data: '{"jsonrpc":"2.0","method":"notifications/x"}' });
    const { url } = await startAnswering('text/event-stream', other + encodeEvent({ data: JSON.stringify(RESULT) }));
    const text = await (await fetch(url, { headers: { accept: 'text/event-stream' } })).text();
    expect(text.startsWith(other)).toBe(true);
    expect(text).not.toContain('delete');
  });

  it.each([
    [
      { jsonrpc: '2.0', Id: 7, method: 'tools/call', params: { name: 'delete' } },
      'The member "Id" must be in lower case.',
    ],
    [
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' }, Method: 'tools/list' },
      'The member "Method" must be in lower case.',
    ],
    [{ jsonrpc: '2.0', method: 'tools/call', params: { name: 'delete' } }, 'needs the member "id"'],
  ])('refuse %j, which some servers take for a call', async (message, sentence) => {
    let reached = false;
    const { url } = await startPassThrough(
      (_request, response) => {
        reached = true;
        response.writeHead(202).end();
      },
      { tools },
    );
    const response = await post(url, message);
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining(sentence.replaceAll('"', '\\"')),
    ]);
    expect(reached).toBe(false);
  });

  it('leave other pages of the server unread', async () => {
    const { url } = await startAnswering('text/html', '<p>tools</p>');
    expect(await (await fetch(url)).text()).toBe('<p>tools</p>');
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } });
    expect(stream.status).toBe(502);
    await stream.text();
  });

  it('keep the numbers of a list that they change', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"read","inputSchema":{"maximum":18446744073709551615}}]}}';
    const { url } = await startAnswering('application/json', body);
    expect(await (await post(url, LIST)).text()).toContain('"maximum":18446744073709551615');
  });

  it.each([
    ['that is compressed', 'application/json', gzipSync(JSON.stringify(RESULT)), { 'content-encoding': 'gzip' }, 502],
    ['that is not JSON', 'application/json', 'tools: delete', {}, 502],
    ['that is a batch', 'application/json', JSON.stringify([RESULT]), {}, 502],
    ['without tools', 'application/json', '{"jsonrpc":"2.0","id":1,"result":{"Tools":["delete"]}}', {}, 200],
    ['that is damaged', 'text/event-stream', 'data: {"tools":["delete"]}\n\n', {}, 200],
  ])('withhold a list %s', async (_, type, body, headers, status) => {
    const { url } = await startAnswering(type, body, headers);
    const response = await post(url, LIST);
    expect(response.status).toBe(status);
    const [message] = await readMessages(response);
    expect(message).toMatchObject({ error: { code: -32603 } });
    expect(JSON.stringify(message)).not.toContain('delete');
  });

  it('ask the server for an answer that is not compressed', async () => {
    const { url, requests } = await startAnswering('application/json', JSON.stringify(RESULT));
    await (await post(url, LIST, { 'accept-encoding': 'br, gzip' })).text();
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('call a tool by its new name, with its numbers and its header', async () => {
    const { url } = await startPassThrough(repeat, { tools });
    const body =
      '{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"arguments":{"n":[1.0,9007199254740993]},"name":"say"}}';
    const headers = { 'content-type': 'application/json', 'mcp-method': 'tools/call', 'mcp-name': 'say' };
    const response = await fetch(url, { method: 'POST', headers, body });
    const { result } = (await response.json()) as Message;
    expect(result).toEqual({ body: body.replace('"say"', '"echo"'), name: 'echo' });
  });

  it('send a call of a tool with its own name unchanged', async () => {
    const { url } = await startPassThrough(repeat, { tools });
    const body = '{ "jsonrpc":"2.0","id":"call", "method":"tools/call","params":{"name":"read"} }';
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(((await response.json()) as Message).result).toEqual({ body });
  });

  it.each(['echo', 'delete', 'READ', '', 7, null])('refuse a call of %j', async (name) => {
    const { url, requests } = await startPassThrough(repeat, { tools });
    const response = await post(url, createCall(name));
    expect(response.status).toBe(200);
    const message = (await response.json()) as Message;
    expect(message).toMatchObject({ id: 'call', error: { code: -32602 } });
    expect(requests).toEqual([]);
  });

  it.each([
    ['two names', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","name":"read"}}', {}, 400],
    [
      'names in two spellings',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","Name":"delete"}}',
      {},
      400,
    ],
    [
      'two methods',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"delete"}}',
      {},
      400,
    ],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete"}}]', {}, 400],
    ['no JSON', '{"method":', {}, 400],
    ['another type', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'content-type': 'text/plain' }, 415],
    [
      'another charset',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { 'content-type': 'application/json; charset=utf-7' },
      415,
    ],
    ['a compressed body', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'content-encoding': 'gzip' }, 415],
  ])('refuse a request with %s', async (_, body, headers, status) => {
    const { url, requests } = await startPassThrough(repeat, { tools });
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    await response.text();
    expect(response.status).toBe(status);
    expect(requests).toEqual([]);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('refuse a message in the body of a %s', async (method) => {
    const { url, requests } = await startPassThrough(repeat, { tools });
    const response = await fetch(url, { method, body: JSON.stringify(createCall('delete')) });
    await response.text();
    expect(response.status).toBe(405);
    expect(requests).toEqual([]);
  });

  it('leave other requests and their answers unread', async () => {
    const { url } = await startAnswering('application/octet-stream', 'any bytes');
    expect(await (await post(url, ping)).text()).toBe('any bytes');
  });

  it('hold for a stdio server, in JSON and in a stream', async () => {
    const { url } = await startBridge({ tools: { filter: ['say', 'steps'], overrides: { echo: { name: 'say' } } } });
    const client = await RawClient.open(url);
    expect(listTools(await client.request('tools/list'))).toEqual([
      { name: 'say', inputSchema: { type: 'object' } },
      { name: 'steps', inputSchema: { type: 'object' } },
    ]);
    expect(await client.callTool('say', { message: 'hello' })).toBe('hello');
    await expect(client.callTool('echo')).rejects.toThrow('Unknown tool: echo');
    await expect(client.callTool('identity')).rejects.toThrow('Unknown tool');
  });

  it('hold for a modern client of a stdio server, whose header mirrors the new name', async () => {
    const { url } = await startBridge({ tools: { overrides: { echo: { name: 'say' } } } }, '--modern');
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
    const call = createCall('say', { arguments: { message: 'hello' }, _meta });
    const answered = await readMessages(await post(url, call, { ...headers, 'mcp-name': 'say' }));
    expect(answered[0]?.result?.content?.[0]?.text).toBe('hello');
    for (const other of [{ 'mcp-name': 'echo' }, { 'mcp-name': 'say', 'mcp-method': 'tools/list' }]) {
      const contradicting = await post(url, call, { ...headers, ...other });
      expect(contradicting.status).toBe(400);
      await contradicting.text();
    }
  });

  it('compare the method of the header with the one that an HTTP server gets', async () => {
    const { url, requests } = await startPassThrough((_, response) => response.end(), { tools: { filter: ['say'] } });
    const response = await post(url, createCall('say', {}), { 'mcp-method': 'tools/list' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The Mcp-Method header and the body have different methods.');
    expect(requests).toHaveLength(0);
  });

  it('answer a call whose name is no text', async () => {
    const { url } = await startPassThrough((_, response) => response.end(), { tools: { filter: ['say'] } });
    const call = { ...createCall('say', {}), params: { name: { toString: 1 } } };
    const [answered] = await readMessages(await post(url, call));
    expect(answered).toMatchObject({ error: { code: -32602, message: 'The member "name" must be a string.' } });
  });
});
