import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Connector, draft, makeConnector, published } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { oidc } from './identity-provider-scene.ts';

const CREATE = 'POST /v1/gateways/{gateway_id}/connectors';
const UPDATE = 'PUT /v1/gateways/{gateway_id}/connectors/{id}';
const MARKUP = '<script>alert(1)</script>\u001b[2J\u202e';
const MIB = 1024 * 1024;

/** Maximum bytes that a check may read from an endpoint, including buffers. */
const MOST_TAKEN = 32 * MIB;

const BOMB = gzipSync(Buffer.alloc(64 * MIB, ' '));
const TINY_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(10_000));

/** Responses without an end: name, transport and server. */
const ENDLESS: [string, string, RequestListener][] = [
  ['a body without an end', 'streamable-http', (_, to) => pour(json(to), Buffer.alloc(65_536, ' '))],
  ['events without an end', 'streamable-http', (_, to) => pour(events(to), `: ${'x'.repeat(1_000)}\n\n`)],
  ['events without an end', 'sse', (_, to) => pour(events(to), `: ${'x'.repeat(1_000)}\n\n`)],
  ['one event without an end', 'streamable-http', (_, to) => pour(events(to), `data: ${'x'.repeat(65_536)}`)],
  ['one event without an end', 'sse', (_, to) => pour(events(to), `data: ${'x'.repeat(65_536)}`)],
  ['a line in chunks of one byte', 'streamable-http', (_, to) => pourRaw(to, TINY_CHUNKS)],
  ['a line in chunks of one byte', 'sse', (_, to) => pourRaw(to, TINY_CHUNKS)],
  ['a line in chunks of one byte as JSON', 'streamable-http', (_, to) => pourRaw(to, TINY_CHUNKS, 'application/json')],
  [
    'a body that is small until it is unpacked',
    'streamable-http',
    (_, to) => to.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMB),
  ],
  ['a byte now and then', 'streamable-http', (_, to) => drip(json(to), ' ')],
  ['a byte now and then', 'sse', (_, to) => drip(events(to), ':')],
  ['pages of tools without an end', 'streamable-http', pagesWithoutEnd],
];

describe('hostile endpoints', () => {
  let manager: TestManager;
  const servers: Server[] = [];
  beforeAll(async () => {
    manager = await startManager({ environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
  }, 60_000);
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(() => manager.close());

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const publish = (endpoint: string, more: object = {}) =>
    manager.client.call<Connector & { error: string }>(CREATE, {
      token: manager.tokens.admin,
      path: { gateway_id: 'local' },
      body: published(endpoint, { ...more }),
    });

  /** Publishes a connector with this endpoint, and calls the service until its check ends. */
  const runCheck = async (transport: string, listener: RequestListener): Promise<CheckRun> => {
    let taken = 0;
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('connection', (socket) => socket.once('close', () => (taken += socket.bytesWritten)));
    const check = { ended: false };
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const publishing = publish(endpoint, { transport }).finally(() => (check.ended = true));
    let answered = 0;
    while (!check.ended) {
      const { status } = await fetch(`${manager.baseUrl}/healthz`);
      expect(status).toBe(200);
      answered += 1;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    const { status, body } = await publishing;
    server.closeAllConnections();
    await once(server.close(), 'close');
    return { status, connector: body, taken, answered };
  };

  describe('the check of an endpoint that sends', () => {
    const runs = new Map<RequestListener, Promise<CheckRun>>();
    // Several checks end at their time limit, so all of them run at the same time.
    beforeAll(() => {
      for (const [, transport, listener] of ENDLESS) {
        const run = runCheck(transport, listener);
        run.catch(() => undefined);
        runs.set(listener, run);
      }
    });

    it.each(ENDLESS)(
      '%s over %s fails, and does not delay other requests',
      async (_, __, listener) => {
        const { status, connector, taken, answered } = await runs.get(listener)!;
        expect([status, connector.status]).toEqual([201, 'failure']);
        expect(connector.status_message).toMatch(
          /did not answer in time|not as an MCP server|longer than|without data|closed/,
        );
        expect(answered).toBeGreaterThan(0);
        expect(taken).toBeLessThan(MOST_TAKEN);
      },
      60_000,
    );
  });

  it.each(['application/json', 'text/event-stream'])(
    'that answer with millions of values as %s end in a failure that says so',
    async (type) => {
      const values = `{"jsonrpc":"2.0","id":0,"result":{"x":[${'{},'.repeat(1_000_000)}{}]}}`;
      const endpoint = await serve((_, to) =>
        to.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? values : `data: ${values}\n\n`),
      );
      const { body } = await publish(`${endpoint}/mcp`);
      expect(body).toMatchObject({
        status: 'failure',
        status_message: expect.stringContaining('answered with more than'),
      });
    },
  );

  it('cannot make the service fetch their metadata addresses', async () => {
    let fetched = 0;
    const trap = await serve((_, response) => {
      fetched += 1;
      response.end('{}');
    });
    for (const named of [`${trap}/.well-known/oauth-protected-resource`, 'http://169.254.169.254/latest/meta-data']) {
      const endpoint = await serve((_, response) =>
        response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${named}"` }).end(),
      );
      const { body } = await publish(`${endpoint}/mcp`);
      expect(body).toMatchObject({
        status: 'failure',
        status_message: expect.stringContaining('needs authentication'),
      });
      expect(body.status_message).not.toContain('169.254');
    }
    expect(fetched).toBe(0);
  });

  it('cannot put markup into messages of the service', async () => {
    const said = JSON.stringify({ error: MARKUP, error_description: MARKUP });
    const refusal = { jsonrpc: '2.0', id: 0, error: { code: -32_000, message: MARKUP, data: MARKUP } };
    const broken: RequestListener = (_, to) => to.writeHead(500, { 'content-type': 'text/html' }).end(MARKUP);
    const listeners: RequestListener[] = [
      (_, to) => to.writeHead(400, { 'content-type': 'application/json' }).end(said),
      (_, to) => to.writeHead(401, 'Unauthorized', { 'www-authenticate': 'Bearer error="<script>"' }).end(said),
      broken,
      (_, to) => json(to).end(JSON.stringify(refusal)),
    ];
    const check = async (listener: RequestListener): Promise<void> => {
      const endpoint = await serve(listener);
      const { body } = await publish(`${endpoint}/mcp`);
      expect(body.status).toBe('failure');
      expect(JSON.stringify(body)).not.toMatch(/<script>|\\u001b|\u202e/);
      const provider = await manager.client.call<{ error?: string; discovery?: { error?: string } }>(
        'POST /v1/connector-identity-providers',
        {
          token: manager.tokens.admin,
          body: oidc(endpoint),
        },
      );
      // A provider with status 500 is saved as unreachable; others are refused.
      const sentence = provider.body.error ?? provider.body.discovery?.error;
      expect([provider.status, sentence]).toEqual([
        listener === broken ? 201 : 422,
        expect.stringContaining('oidc_config.issuer_url'),
      ]);
      for (const part of ['<script>', '\u001b', '\u202e']) expect(sentence).not.toContain(part);
    };
    await Promise.all(listeners.map(check));
  });
});

describe('commands in connectors', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ discoverable: true });
  }, 60_000);
  afterAll(() => manager.close());

  it.each<[string, Record<string, unknown>]>([
    ['command', { command: 'sh' }],
    ['args', { args: ['-c', 'id'] }],
    ['env', { env: { LD_PRELOAD: '/tmp/x.so' } }],
    ['volumes', { volumes: ['/:/host'] }],
    ['image', { image: 'example/evil' }],
    ['package', { package: 'npx evil' }],
    ['stdio', { stdio: { command: 'sh' } }],
    ['transport', { transport: 'stdio' }],
    ['deployment_mode', { deployment_mode: 'kubernetes' }],
    ['auth.command', { auth: { type: 'none', command: 'sh' } }],
    ['endpoint', { endpoint: 'stdio:///bin/sh' }],
    ['endpoint', { endpoint: 'sh -c id' }],
    ['endpoint', { endpoint: 'unix:///var/run/docker.sock' }],
  ])('are impossible: %s is refused', async (field, more) => {
    const { id } = await makeConnector(manager, draft());
    const before = await manager.sql('SELECT * FROM connectors ORDER BY id');
    const token = manager.tokens.admin;
    const [created, updated] = [
      await manager.client.call<{ error: string }>(CREATE, { token, path: { gateway_id: 'local' }, body: draft(more) }),
      await manager.client.call<{ error: string }>(UPDATE, {
        token,
        path: { gateway_id: 'local', id },
        body: draft(more),
      }),
    ];
    for (const { status, body } of [created, updated])
      expect([status, body.error]).toEqual([400, expect.stringContaining(field.split('.').at(-1) ?? '')]);
    expect(await manager.sql('SELECT * FROM connectors ORDER BY id')).toEqual(before);
  });

  it('are impossible: a server of the cluster is admitted by its address only', async () => {
    const token = manager.tokens.admin;
    const listed = await manager.client.call<{ servers: { id: string }[] }>(
      'GET /v1/gateways/{gateway_id}/discovered-servers',
      { token, path: { gateway_id: 'local' } },
    );
    const id = listed.body.servers[0]?.id ?? '';
    const admit = (body: object) =>
      manager.client.call<{ error: string }>('POST /v1/gateways/{gateway_id}/discovered-servers/{id}/admit', {
        token,
        path: { gateway_id: 'local', id },
        body: { draft: true, ...body },
      });
    for (const field of ['command', 'args', 'env', 'image', 'volumes']) {
      const { status, body } = await admit({ [field]: 'sh' });
      expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
    }
    expect((await admit({})).status).toBe(201);
  });
});

/** The result of the check of an endpoint. */
interface CheckRun {
  status: number;
  connector: Connector;
  /** Bytes that the service accepted from the endpoint. */
  taken: number;
  /** Number of other requests that the service answered during the check. */
  answered: number;
}

/** Writes the same text until the reader stops. */
function pour(response: ServerResponse, piece: Buffer | string): void {
  const more = () => {
    while (!response.destroyed) if (!response.write(piece)) return;
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}

const json = (to: ServerResponse) => to.writeHead(200, { 'content-type': 'application/json' });
const events = (to: ServerResponse) => to.writeHead(200, { 'content-type': 'text/event-stream' });

function drip(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 100);
  response.on('close', () => clearInterval(timer));
}

/** Writes an answer from chunks in wire format. */
function pourRaw({ socket }: ServerResponse, chunks: Buffer, type = 'text/event-stream'): void {
  if (socket === null) return;
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
  const more = () => {
    while (!socket.destroyed) if (!socket.write(chunks)) return;
  };
  socket.on('drain', more).on('error', () => undefined);
  more();
}

/** A server of an older revision with endless pages. */
function pagesWithoutEnd(request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(pieces).toString() || '{}') as { id?: number; method?: string };
    if (request.method !== 'POST' || id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
      return;
    }
    const serverInfo = { name: 'x', version: '1' };
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
        : { tools: [{ name: `t${id}`, inputSchema: { type: 'object' } }], nextCursor: `c${id}` };
    const known = method === 'initialize' || method === 'tools/list';
    const error = { code: -32_601, message: 'unknown method' };
    json(response).end(JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result } : { error }) }));
  });
}
