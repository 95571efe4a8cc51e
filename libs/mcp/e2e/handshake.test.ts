import { afterEach, describe, expect, it } from '@jest/globals';
import { NotConnectedError } from '../src/client/connection-errors.ts';
import { closeAll, exchange, open } from './client.ts';
import { answerJson, createResult, openStream, type Script, ScriptedHttp } from './scripted-http.ts';

const servers: ScriptedHttp[] = [];
async function start(script: Script): Promise<ScriptedHttp> {
  const server = await new ScriptedHttp(script).listen();
  servers.push(server);
  return server;
}

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const initialized = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } };

/** A server that answers `server/discover` with the script, and `initialize` as a legacy server. */
const startLegacy = (discover: Script) =>
  start((request, response) => {
    const { method, id } = request.body ?? {};
    if (method === 'server/discover') return discover(request, response);
    if (method === 'initialize') answerJson(response, createResult(id, initialized));
    else if (request.method === 'DELETE') response.writeHead(405).end();
    else response.writeHead(202).end();
  });

const createError = (id: unknown, code: number, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: 'no', data },
});

describe('the handshake', () => {
  it.each<[string, Script]>([
    ['404', (_, response) => void response.writeHead(404).end()],
    ['405', (_, response) => void response.writeHead(405).end()],
    [
      '400 with the error of a missing session',
      ({ body }, response) => answerJson(response, createError(body.id, -32000), 400),
    ],
    ['400 with a text', (_, response) => void response.writeHead(400).end('Bad Request')],
    ['-32601', ({ body }, response) => answerJson(response, createError(body.id, -32601))],
    ['202 without a body', (_, response) => void response.writeHead(202).end()],
    ['a result of another kind', ({ body }, response) => answerJson(response, createResult(body.id, {}))],
    ['an event stream without a response', (_, response) => void openStream(response).end()],
    [
      'only legacy versions',
      ({ body }, response) => answerJson(response, createError(body.id, -32022, { supported: ['2025-06-18'] }), 400),
    ],
    [
      'a result with only legacy versions',
      ({ body }, response) =>
        answerJson(response, createResult(body.id, { supportedVersions: ['2025-06-18'], capabilities: {} })),
    ],
  ])('initializes a server that answers server/discover with %s', async (_title, discover) => {
    const server = await startLegacy(discover);
    const { connection } = await open(server.url);
    expect([connection.era, connection.revision]).toEqual(['legacy', '2025-06-18']);
    expect(connection.knownEra).toEqual({
      era: 'legacy',
      revision: '2025-06-18',
      handshake: initialized,
      hasSession: false,
    });
    expect(server.requests.map(({ body }) => String(body.method))).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
    ]);
    expect(server.requests.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      '2026-07-28',
      undefined,
      '2025-06-18',
    ]);
  });

  it.each([302, 307, 401, 403, 408, 429, 500, 502, 503])('concludes nothing from the status %i', async (status) => {
    const server = await startLegacy((_, response) => void response.writeHead(status, { location: '/other' }).end());
    const failed = open(server.url);
    await expect(failed).rejects.toBeInstanceOf(NotConnectedError);
    await expect(failed).rejects.toMatchObject({ mayHaveRun: false, cause: { status } });
    expect(server.requests).toHaveLength(1);
  });

  it('concludes nothing when the connection breaks', async () => {
    const server = await startLegacy((_, response) => void response.destroy());
    await expect(open(server.url)).rejects.toBeInstanceOf(NotConnectedError);
    expect(server.requests).toHaveLength(1);
  });

  it('concludes nothing from silence', async () => {
    const server = await startLegacy(() => undefined);
    await expect(open(server.url, { timeouts: { connectMs: 100 } })).rejects.toBeInstanceOf(NotConnectedError);
    expect(server.requests).toHaveLength(1);
  });

  it('ends when the caller aborts it', async () => {
    const server = await startLegacy(() => undefined);
    const controller = new AbortController();
    const opening = open(server.url, { signal: controller.signal });
    await server.waitFor(() => true);
    controller.abort();
    await expect(opening).rejects.toBeInstanceOf(NotConnectedError);
  });

  it('fails when the server has only unknown versions', async () => {
    const server = await startLegacy(({ body }, response) =>
      answerJson(response, createError(body.id, -32022, { supported: ['2030-01-01'] }), 400),
    );
    await expect(open(server.url)).rejects.toMatchObject({
      code: 'not_connected',
      refusal: { error: { code: -32022 } },
    });
  });

  it('fails when nothing listens', async () => {
    const server = await start(() => undefined);
    const { url } = server;
    await server.close();
    servers.length = 0;
    await expect(open(url)).rejects.toMatchObject({ code: 'not_connected' });
  });

  it('fails when the server chooses an unknown version', async () => {
    const server = await start(({ body }, response) =>
      body.method === 'initialize'
        ? answerJson(response, createResult(body.id, { ...initialized, protocolVersion: '1999-01-01' }))
        : void response.writeHead(404).end(),
    );
    await expect(open(server.url)).rejects.toMatchObject({ code: 'not_connected' });
  });

  it('gives the JSON-RPC error with which the server refused to initialize', async () => {
    const server = await start(({ body }, response) => answerJson(response, createError(body.id, -32603), 200));
    await expect(open(server.url)).rejects.toMatchObject({ refusal: { error: { code: -32603 } } });
  });

  it('accepts a session id only of visible ASCII', async () => {
    const server = await start(({ body }, response) =>
      body?.method === 'initialize'
        ? answerJson(response, createResult(body.id, initialized), 200, { 'mcp-session-id': 'a b' })
        : void response.writeHead(404).end(),
    );
    await expect(open(server.url)).rejects.toMatchObject({ cause: { code: 'unexpected_response' } });
  });

  it('sends no request to a modern server with a known era', async () => {
    const server = await start(({ body }, response) => answerJson(response, createResult(body.id, { tools: [] })));
    const knownEra = {
      era: 'modern',
      revision: '2026-07-28',
      handshake: { capabilities: {} },
      hasSession: false,
    } as const;
    const { connection } = await open(server.url, { knownEra, capabilities: { roots: {} } });
    expect(server.requests).toHaveLength(0);
    const params = { name: 'größe', _meta: { progressToken: 'foreign', 'example.com/kept': 1 } };
    await connection.request(
      'tools/call',
      params,
      exchange({ headers: { 'Mcp-Param-Region': 'eu', 'Mcp-Name': 'x' } }),
    );
    const [request] = server.requests;
    expect(request?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
      'mcp-param-region': 'eu',
      accept: 'application/json, text/event-stream',
    });
    expect(request?.headers['accept-encoding']).toBeUndefined();
    expect(request?.body.params._meta).toEqual({
      'example.com/kept': 1,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    });
  });
});
