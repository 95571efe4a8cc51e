import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { openEgress } from '@gatehouse/egress/egress';
import { createCertificateAuthority } from '@gatehouse/testing/certificate-authority';
import { CedarAuthorizer } from '../src/authorization/cedar-authorizer.ts';
import { openWebhooks } from '../src/webhooks/open-webhooks.ts';
import type { WebhookOptions } from '../src/webhooks/webhook-options.ts';
import { startBridge } from './bridged.ts';
import { post, RawClient, runAtEnd, waitUntil, type Message } from './harness.ts';
import { readBody, startPassThrough, startUpstream } from './passed-through.ts';

/** Answers each request with its own body. */
const repeat: RequestListener = (request, response) => {
  void readBody(request).then((body) => {
    if (!body.includes('"id"')) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result: { body, name: request.headers['mcp-name'] } }));
  });
};

interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a receiver that answers with this object, text or listener, and keeps the calls. */
async function startReceiver(answer: unknown) {
  const calls: Call[] = [];
  const server = await startUpstream((request, response) => {
    if (typeof answer === 'function') {
      (answer as RequestListener)(request, response);
      return;
    }
    void readBody(request).then((body) => {
      calls.push({ headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  return { calls, url: `${server.url}/hook`, requests: server.requests };
}

const create = (url: string, more: Partial<WebhookOptions> = {}): WebhookOptions => ({
  ...{ name: 'hook', url, timeoutMs: 10_000, failurePolicy: 'fail', isInsecure: true },
  ...more,
});

const lines: string[] = [];
function open(mutating: WebhookOptions[], validating: WebhookOptions[] = []) {
  lines.length = 0;
  const options = { serverName: 'one', transport: 'stdio', maxBodyBytes: 8 * 1024 * 1024 };
  const webhooks = openWebhooks({ mutating, validating, ...options, log: ({ message }) => lines.push(message) });
  runAtEnd(() => webhooks.close());
  return { webhooks };
}

const ALLOW = { version: 'v0.1.0', uid: 'x', allowed: true };
const CALL = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'echo', arguments: { a: 'b', list: [1, 2] } },
};
const patching = (...patch: unknown[]) => ({ ...ALLOW, patch_type: 'json_patch', patch });
const op = (kind: string, path: string, more: object = {}) => ({ op: kind, path: `/mcp_request/${path}`, ...more });

/** Sends the call through one webhook. */
async function send(
  kind: 'mutating' | 'validating',
  answer: unknown,
  more: Partial<WebhookOptions> = {},
  message: unknown = CALL,
) {
  const receiver = await startReceiver(answer);
  const hook = create(receiver.url, more);
  const { url, requests } = await startPassThrough(repeat, kind === 'mutating' ? open([hook]) : open([], [hook]));
  const response = await post(url, message);
  const answered = (await response.json()) as Message;
  return { status: response.status, answered, isReached: requests.length === 1, ...receiver };
}
const getSent = ({ result }: Message) => JSON.parse(String(result?.['body'])) as typeof CALL;
const POLICY = { code: 403, message: 'Request denied by policy' };

describe('A webhook', () => {
  it('gets the message, the caller and the place, with a signature', async () => {
    const { calls, status } = await send('validating', ALLOW, { getSecret: () => 'hush' });
    expect(status).toBe(200);
    const [{ headers, body } = { headers: {}, body: '' }] = calls;
    expect(JSON.parse(body)).toEqual({
      version: 'v0.1.0',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      principal: expect.objectContaining({ sub: expect.any(String), email: expect.stringContaining('@localhost') }),
      mcp_request: CALL,
      context: { server_name: 'one', source_ip: expect.stringMatching(/^127\.0\.0\.1:\d+$/), transport: 'stdio' },
    });
    const timestamp = String(headers['x-toolhive-timestamp']);
    const digest = createHmac('sha256', 'hush').update(`${timestamp}.${body}`).digest('hex');
    expect(headers['x-toolhive-signature']).toBe(`sha256=${digest}`);
    expect(headers['content-type']).toBe('application/json');
  });

  it('gets the numbers of the message as the client wrote them', async () => {
    const receiver = await startReceiver(ALLOW);
    const { url } = await startPassThrough(repeat, open([], [create(receiver.url)]));
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"n":9007199254740993}}}';
    await (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text();
    expect(receiver.calls[0]?.body).toContain(`"mcp_request":${body},`);
  });

  it.each<[string, unknown, string, number]>([
    ['allows', ALLOW, 'fail', 200],
    ['refuses', { ...ALLOW, allowed: false, code: 200, message: 'secret reason' }, 'fail', 403],
    ['refuses, also where failures are ignored', { allowed: false }, 'ignore', 403],
    ['does not say whether it allows', {}, 'ignore', 403],
    ['says something else than yes', { allowed: 'yes' }, 'fail', 403],
    ['sends no JSON', '<html>', 'fail', 403],
    ['sends no JSON that is ignored', '<html>', 'ignore', 200],
    ['sends a list', [ALLOW], 'fail', 403],
    ['sends too much', ' '.repeat(1024 * 1024 + 1), 'fail', 403],
    ['sends too much that is ignored', ' '.repeat(1024 * 1024 + 1), 'ignore', 200],
  ])('that %s decides so', async (_, answer, failurePolicy, status) => {
    const result = await send('validating', answer, { failurePolicy: failurePolicy as 'fail' | 'ignore' });
    expect([result.status, result.isReached]).toEqual([status, status === 200]);
    if (status !== 200) expect(result.answered).toEqual({ jsonrpc: '2.0', id: 7, error: POLICY });
  });

  const statusOf =
    (status: number, headers = {}): RequestListener =>
    (request, response) => {
      request.resume();
      response.writeHead(status, headers).end(JSON.stringify(ALLOW));
    };

  it.each<[string, RequestListener, 'fail' | 'ignore', number, number]>([
    ['HTTP 500', statusOf(500), 'fail', 500, 403],
    ['HTTP 500 that is ignored', statusOf(500), 'ignore', 200, 200],
    ['HTTP 422', statusOf(422), 'ignore', 422, 403],
    ['HTTP 201', statusOf(201), 'fail', 500, 403],
    ['a redirect', statusOf(307, { location: 'http://127.0.0.1:1/' }), 'fail', 500, 403],
    ['a redirect to itself', statusOf(302, { location: '/hook' }), 'fail', 500, 403],
    ['the end of the connection', (request) => request.socket.destroy(), 'fail', 500, 403],
    [
      'half of an answer',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 99 }).write('{');
        response.destroy();
      },
      'fail',
      500,
      403,
    ],
  ])('that answers with %s has failed or refused', async (_, answer, failurePolicy, mutating, validating) => {
    expect((await send('mutating', answer, { failurePolicy })).status).toBe(mutating);
    const { status, requests } = await send('validating', answer, { failurePolicy });
    expect([status, requests.length]).toEqual([validating, 1]);
  });

  it('that is silent fails after its time', async () => {
    const { status, isReached } = await send('validating', () => undefined, { timeoutMs: 50 });
    expect([status, isReached]).toEqual([403, false]);
    expect(lines).toEqual(['The webhook hook did not answer, and the request is refused.']);
  });

  it('that sends byte after byte fails after its time', async () => {
    const drip: RequestListener = (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(timer));
    };
    expect((await send('mutating', drip, { timeoutMs: 100 })).answered).toMatchObject({
      error: { message: 'Webhook error' },
    });
  });

  it('at a private address is not called, unless it is insecure', async () => {
    const receiver = await startReceiver(ALLOW);
    for (const target of [receiver.url, receiver.url.replace('http:', 'https:'), 'https://169.254.169.254/']) {
      const { url, requests } = await startPassThrough(repeat, open([], [create(target, { isInsecure: false })]));
      const response = await post(url, CALL);
      await response.text();
      expect([response.status, requests.length]).toEqual([403, 0]);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('with an empty secret is not called', async () => {
    const { status, calls } = await send('validating', ALLOW, { getSecret: () => '' });
    expect([status, calls.length]).toEqual([403, 0]);
  });

  it.each([
    ['notifications too', { jsonrpc: '2.0', method: 'notifications/initialized' }, 1],
    ['no responses of clients', { jsonrpc: '2.0', id: 7, result: {} }, 0],
  ])('sees %s', async (_, message, count) => {
    const receiver = await startReceiver(ALLOW);
    const { url } = await startPassThrough(repeat, open([create(receiver.url)], [create(receiver.url)]));
    await (await post(url, message)).text();
    expect(receiver.calls).toHaveLength(count * 2);
  });

  it('gets no message above 1 MiB', async () => {
    const message = { ...CALL, params: { name: 'x', arguments: { text: 'x'.repeat(1024 * 1024) } } };
    const { status, calls, answered } = await send('validating', ALLOW, { failurePolicy: 'ignore' }, message);
    expect([status, calls.length, answered.error?.code]).toEqual([413, 0, -32600]);
  });

  it('is left when the client leaves', async () => {
    let isLeft = false;
    const receiver = await startReceiver(((request, response) => {
      request.resume();
      response.once('close', () => (isLeft = true));
    }) satisfies RequestListener);
    const { url, requests } = await startPassThrough(repeat, open([], [create(receiver.url)]));
    const controller = new AbortController();
    const sent = post(url, CALL, {}, controller.signal).catch(() => undefined);
    await waitUntil(
      () => receiver.requests.length,
      (count) => count === 1,
    );
    controller.abort();
    await sent;
    await waitUntil(() => isLeft, Boolean);
    expect([requests.length, lines.length]).toEqual([0, 0]);
  });
});

describe('The TLS of a webhook', () => {
  it('has its own certificate and authorities', async () => {
    const authority = createCertificateAuthority();
    runAtEnd(() => {
      authority.remove();
      return Promise.resolve();
    });
    const read = ({ certificate, key }: { certificate: string; key: string }) => ({
      cert: readFileSync(certificate, 'utf8'),
      key: readFileSync(key, 'utf8'),
    });
    const ca = readFileSync(authority.certificate, 'utf8');
    const [own, client] = [read(authority.issue('127.0.0.1', 'server')), read(authority.issue('hook', 'client'))];
    const server = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: true }, (request, response) => {
      request.resume();
      response.end(JSON.stringify(ALLOW));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    runAtEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [tls, status] of [
      [client, 200],
      [{}, 403],
    ] as const) {
      const { url } = await startPassThrough(repeat, open([], [create(`https://${address}/`, { tls })]));
      const response = await post(url, CALL);
      await response.text();
      expect(response.status).toBe(status);
    }
    // A webhook at a loopback address accepts every certificate, and so does not show this.
    const permission = { authority: address, allowPrivateIps: true, allowLoopback: true };
    for (const [tls, isAnswered] of [
      [{ ...client, ca }, true],
      [client, false],
      [{ ca }, false],
    ] as const) {
      const egress = openEgress(permission, { tls });
      runAtEnd(() => egress.close());
      const text = await egress.fetch(`https://${address}/`).then(
        (response) => response.text(),
        () => '',
      );
      expect(text !== '').toBe(isAnswered);
    }
  });
});

describe('A mutating webhook', () => {
  it('changes the message, whose other numbers and header stay right', async () => {
    const receiver = await startReceiver(
      patching(
        op('test', 'params/name', { value: 'say' }),
        op('replace', 'params/name', { value: 'echo' }),
        op('add', 'params/arguments/by', { value: 'hook' }),
      ),
    );
    const { url } = await startPassThrough(repeat, open([create(receiver.url)]));
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"say","arguments":{"n":[1.0,9007199254740993]}}}';
    const headers = { 'content-type': 'application/json', 'mcp-name': 'say' };
    const { result } = (await (await fetch(url, { method: 'POST', body, headers })).json()) as Message;
    expect(result).toEqual({
      name: 'echo',
      body: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"n":[1.0,9007199254740993],"by":"hook"}}}',
    });
  });

  it.each<[string, unknown]>([
    ['without a patch', ALLOW],
    ['with an empty patch', patching()],
    ['with a patch that is null', { ...ALLOW, patch_type: 'json_patch', patch: null }],
    ['with a patch that another webhook ignores', { ...patching(op('remove', 'id')), patch_type: '' }],
  ])('%s changes nothing', async (_, answer) => {
    expect(getSent((await send('mutating', answer)).answered)).toEqual(CALL);
  });

  it.each<[string, unknown]>([
    ['changes jsonrpc', patching(op('replace', 'jsonrpc', { value: '1.0' }))],
    ['changes the id', patching(op('replace', 'id', { value: 8 }))],
    ['removes the id', patching(op('remove', 'id'))],
    ['removes the method', patching(op('remove', 'method'))],
    ['changes the method', patching(op('replace', 'method', { value: 'tools/list' }))],
    ['replaces the message', patching({ op: 'replace', path: '/mcp_request', value: {} })],
    ['makes the message a batch', patching({ op: 'replace', path: '/mcp_request/', value: [] })],
    ['changes the caller', patching({ op: 'replace', path: '/principal/sub', value: 'root' })],
    ['takes a value from outside', patching(op('copy', 'params/x', { from: '/principal' }))],
    ['makes params a list', patching(op('replace', 'params', { value: [] }))],
    ['adds a name in other case', patching(op('add', 'params/Name', { value: 'wipe' }))],
    ['names a prototype', patching(op('add', 'params/__proto__/polluted', { value: true }))],
    ['names a constructor', patching(op('add', 'params/constructor/prototype/polluted', { value: true }))],
    ['names an escaped prototype', patching(op('add', 'params/arguments/__proto__', { value: { polluted: true } }))],
    ['fails a test', patching(op('test', 'params/name', { value: 'other' }))],
    ['has no such path', patching(op('remove', 'params/none'))],
    ['reads a number as an object', patching(op('add', 'params/arguments/list/0/x', { value: 1 }))],
    ['has an index that is too large', patching(op('add', 'params/arguments/list/99', { value: 1 }))],
    ['has an unknown operation', patching(op('merge', 'params'))],
    ['is no list', { ...ALLOW, patch_type: 'json_patch', patch: { op: 'remove' } }],
    ['is of another type', { ...patching(), patch_type: 'merge_patch' }],
    ['has too many operations', patching(...Array.from({ length: 1_001 }, () => op('test', 'id', { value: 7 })))],
    [
      'grows without a limit',
      patching(
        ...Array.from({ length: 40 }, (_, at) =>
          op('copy', `params/arguments/g${at}`, { from: '/mcp_request/params/arguments' }),
        ),
      ),
    ],
  ])('whose patch %s has failed', async (_, answer) => {
    const { status, answered, isReached } = await send('mutating', answer);
    expect([status, isReached]).toEqual([500, false]);
    expect(answered).toMatchObject({ id: 7, error: { code: -32603 } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('whose invalid patch is ignored leaves the message as it was', async () => {
    const answer = patching(op('replace', 'params/name', { value: 'changed' }), op('remove', 'id'));
    expect(getSent((await send('mutating', answer, { failurePolicy: 'ignore' })).answered)).toEqual(CALL);
  });

  it('refuses', async () => {
    const { status, answered } = await send('mutating', { allowed: false });
    expect([status, answered.error]).toEqual([403, { code: 403, message: 'Request denied by webhook policy' }]);
  });

  it('gets the change of the one before it, and validating ones that of all', async () => {
    const name = async (value: string) => startReceiver(patching(op('replace', 'params/name', { value })));
    const [first, second, third] = [await name('one'), await name('two'), await startReceiver(ALLOW)];
    const { url } = await startPassThrough(repeat, open([create(first.url), create(second.url)], [create(third.url)]));
    const answered = (await (await post(url, CALL)).json()) as Message;
    const names = [first, second, third].map(
      ({ calls }) => (JSON.parse(calls[0]?.body ?? '') as { mcp_request: typeof CALL }).mcp_request.params.name,
    );
    expect([...names, getSent(answered).params.name]).toEqual(['echo', 'one', 'two', 'two']);
  });

  it('cannot call a tool that the filter hides, nor one that no policy permits', async () => {
    const receiver = await startReceiver(patching(op('replace', 'params/name', { value: 'wipe' })));
    const authorizer = new CedarAuthorizer(
      { policies: ['permit(principal, action, resource == Tool::"echo");'] },
      () => undefined,
    );
    for (const [more, status, code] of [
      [{ tools: { filter: ['echo'] } }, 200, -32602],
      [{ authorizer }, 403, 403],
    ] as const) {
      const { url, requests } = await startPassThrough(repeat, { ...open([create(receiver.url)]), ...more });
      const response = await post(url, CALL);
      const answered = (await response.json()) as Message;
      expect([response.status, answered.error?.code, requests.length]).toEqual([status, code, 0]);
    }
  });

  it('changes the calls of a stdio server', async () => {
    const receiver = await startReceiver(((request, response) => {
      void readBody(request).then((body) => {
        const isCall = body.includes('tools/call');
        response.end(
          JSON.stringify(isCall ? patching(op('replace', 'params/arguments/message', { value: 'changed' })) : ALLOW),
        );
      });
    }) satisfies RequestListener);
    const { url } = await startBridge(open([create(receiver.url)]));
    const client = await RawClient.open(url);
    expect(await client.callTool('echo', { message: 'hello' })).toBe('changed');
  });

  describe('keeps the headers of a call equal to its body', () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const callRegion = (url: string, region: string, headers: Record<string, string>) =>
      post(
        url,
        { ...CALL, params: { name: 'region', arguments: { region }, _meta: meta } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'region', ...headers },
      );
    const list = (url: string) =>
      post(
        url,
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      ).then((response) => response.arrayBuffer());
    const moveTo = (value: unknown) =>
      startReceiver(((request, response) => {
        void readBody(request).then((body) => {
          const isCall = body.includes('"tools/call"');
          const patch = patching(op('replace', 'params/arguments/region', { value }));
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isCall ? patch : ALLOW));
        });
      }) satisfies RequestListener);

    const marked = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const serve: RequestListener = (request, response) => {
      void readBody(request).then((body) => {
        const result = body.includes('"tools/list"')
          ? { tools: [{ name: 'region', inputSchema: marked }, { name: 'none' }, 7] }
          : { headers: request.headers };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
      });
    };
    const readHeaders = async (response: Response) =>
      ((await response.json()) as { result: { headers: IncomingHttpHeaders } }).result.headers;

    it.each([
      ['has the new value', 'Bern, Zürich', '=?base64?QmVybiwgWsO8cmljaA==?='],
      ['is absent for a value without a header', null, undefined],
    ])('of an HTTP server: the header of a changed argument %s', async (_, value, expected) => {
      const { url } = await startPassThrough(serve, open([create((await moveTo(value)).url)]));
      await list(url);
      const sent = { 'mcp-param-region': 'Genf', 'content-digest': 'sha-256=:AA==:', 'x-other': 'kept' };
      const headers = await readHeaders(await callRegion(url, 'Genf', sent));
      expect(headers).toMatchObject({ 'mcp-name': 'region', 'x-other': 'kept' });
      expect([headers['mcp-param-region'], headers['content-digest']]).toEqual([expected, undefined]);
    });

    it('of an HTTP server: the header is dropped where no list has shown the schema', async () => {
      const { url } = await startPassThrough(serve, open([create((await moveTo('Bern')).url)]));
      const headers = await readHeaders(await callRegion(url, 'Genf', { 'mcp-param-region': 'Genf' }));
      expect(headers['mcp-param-region']).toBeUndefined();
    });

    it('of an HTTP server: the headers of an unchanged call are those of the client', async () => {
      const { url } = await startPassThrough(serve, open([create((await startReceiver(ALLOW)).url)]));
      const sent = { 'mcp-param-region': 'Genf', 'content-digest': 'sha-256=:AA==:' };
      expect(await readHeaders(await callRegion(url, 'Genf', sent))).toMatchObject(sent);
    });

    it('and refuses headers that contradict the message of the client', async () => {
      const { url, requests } = await startPassThrough(serve, open([create((await moveTo('Bern')).url)]));
      await list(url);
      const response = await callRegion(url, 'Genf', { 'mcp-param-region': 'Bern' });
      expect([response.status, ((await response.json()) as Message).error?.code]).toEqual([400, -32020]);
      expect(requests).toHaveLength(1);
    });

    it('and has failed when it changes the revision of the message', async () => {
      const path = 'params/_meta/io.modelcontextprotocol~1protocolVersion';
      const receiver = await startReceiver(patching(op('replace', path, { value: '2025-11-25' })));
      const { url, requests } = await startPassThrough(serve, open([create(receiver.url)]));
      const response = await callRegion(url, 'Genf', { 'mcp-param-region': 'Genf' });
      await response.arrayBuffer();
      expect([response.status, requests.length]).toEqual([500, 0]);
    });

    it('of a stdio server, whose arguments of the client its headers must mirror', async () => {
      const { url } = await startBridge(open([create((await moveTo('Bern')).url)]));
      const read = async (header: string) =>
        ((await (await callRegion(url, 'Genf', { 'mcp-param-region': header })).json()) as Message).error?.code;
      expect([await read('Genf'), await read('Bern')]).toEqual([undefined, -32020]);
    });
  });
});
