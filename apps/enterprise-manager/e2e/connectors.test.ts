import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Connector, type Page, draft, makeConnector, published } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const LIST = 'GET /v1/gateways/{gateway_id}/connectors';
const CREATE = 'POST /v1/gateways/{gateway_id}/connectors';
const READ = 'GET /v1/gateways/{gateway_id}/connectors/{id}';
const UPDATE = 'PUT /v1/gateways/{gateway_id}/connectors/{id}';
const DELETE = 'DELETE /v1/gateways/{gateway_id}/connectors/{id}';

describe('connectors', () => {
  let manager: TestManager;
  const servers: Server[] = [];
  const upstreams: McpUpstream[] = [];
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other', 'pages'],
      environment: {
        ALLOW_LOOPBACK_UPSTREAMS: 'true',
      },
    });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(upstreams.map((upstream) => upstream.close()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await manager.close();
  });

  const send = (operation: string, id: string | undefined, body?: unknown, more: object = {}, gateway = 'local') =>
    manager.client.call<Connector & { error: string }>(operation, {
      token: manager.tokens.admin,
      path: { gateway_id: gateway, ...(id !== undefined && { id }) },
      ...(body !== undefined && { body }),
      ...more,
    });
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  };
  const startUpstream = async (options: Parameters<typeof startMcpUpstream>[0] = {}) => {
    const started = await startMcpUpstream(options);
    upstreams.push(started);
    return started;
  };
  const listAuditEvents = (id: string) =>
    manager.sql<{ operation: string; changed_fields: string[] }>(
      'SELECT operation, changed_fields FROM audit_events WHERE object_id = $1 ORDER BY occurred_at, id',
      [id],
    );
  const count = async () => (await manager.sql<{ n: string }>('SELECT count(*)::text AS n FROM connectors'))[0]?.n;

  it('are stored as written, with a slug and an audit event', async () => {
    const body = draft({
      name: 'Größe & Co',
      description: 'two\nlines',
      icon_url: 'https://example.com/i.png',
      repository_url: 'https://example.com/r',
      support_url: 'https://example.com/s',
      version: '1.2.3',
      source_name: 'n',
      source_namespace: 'ns',
      origin: 'custom_registry',
      auth: { type: 'none' },
    });
    const created = await send(CREATE, undefined, body);
    expect(created.status).toBe(201);
    const { draft: _, ...said } = body;
    expect(created.body).toMatchObject({
      ...said,
      gateway_id: 'local',
      status: 'draft',
      slug: 'gro-e-co',
      deployment_mode: 'proxy_remote',
      allow_private_ips: false,
    });
    const read = await send(READ, created.body.id);
    expect(read.body).toEqual(created.body);
    const cached = await send(READ, created.body.id, undefined, {
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    });
    expect(cached.status).toBe(304);
    expect(await listAuditEvents(created.body.id)).toMatchObject([{ operation: 'Create connector' }]);
  });

  it.each([
    ['both', 'both' as const],
    ['only the older', 'legacy' as const],
    ['only the newer', 'modern' as const],
  ])('become available when the endpoint supports %s of the kinds of MCP', async (_, eras) => {
    const server = await startUpstream({ eras });
    const created = await send(CREATE, undefined, published(server.url));
    expect(created.body).toMatchObject({ status: 'available' });
    expect(created.body).not.toHaveProperty('status_message');
    expect(server.calls('tools/list').length).toBe(1);
  });

  it('become available over SSE only when the server supports it', async () => {
    let stream: import('node:http').ServerResponse | undefined;
    const endpoint = await serve((request, response) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: endpoint\ndata: /messages?session=1\n\n');
        return;
      }
      response.writeHead(202).end();
      const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
    });
    expect((await send(CREATE, undefined, published(endpoint, { transport: 'sse' }))).body.status).toBe('available');
    const elsewhere = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: https://other.example/messages\n\n');
    });
    const refused = await send(CREATE, undefined, published(elsewhere, { transport: 'sse' }));
    expect(refused.body).toMatchObject({
      status: 'failure',
      status_message: expect.stringContaining('not as an MCP server'),
    });
  });

  it('show in one sentence why an endpoint cannot be used', async () => {
    const closed = await serve(() => undefined);
    servers.at(-1)?.close();
    const withToken = await startUpstream({ bearer: 'secret' });
    const cases: [string, string, RegExp][] = [
      ['nothing listens', closed, /refused the connection/],
      ['DNS', 'http://nowhere.invalid:8080/mcp', /DNS knows no address of nowhere\.invalid/],
      ['TLS', (await serve(() => undefined)).replace('http:', 'https:'), /TLS|closed the connection/],
      ['needs auth', withToken.url, /needs authentication \(HTTP 401\)/],
      ['a web page', await serve((_, response) => response.end('<html>')), /not as an MCP server|is not an MCP server/],
      ['404', await serve((_, response) => response.writeHead(404).end()), /HTTP 404/],
      [
        'a redirect to metadata',
        await serve((_, r) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
        /https|metadata/,
      ],
      ['a port that is never dialled', 'http://localhost:1/mcp', /localhost:1 is on a port where another protocol/],
      ['a name of this machine', 'http://localhost:3/mcp', /localhost:3 refused the connection/],
    ];
    for (const [what, endpoint, sentence] of cases) {
      const { status, body } = await send(CREATE, undefined, published(endpoint));
      expect([what, status, body.status]).toEqual([what, 201, 'failure']);
      expect(body.status_message).toMatch(sentence);
    }
  }, 60_000);

  it('show that an endpoint does not respond', async () => {
    const { body } = await send(CREATE, undefined, published(await serve(() => undefined)));
    expect(body).toMatchObject({
      status: 'failure',
      status_message: expect.stringContaining('did not answer in time'),
    });
  }, 40_000);

  it('return to drafts at once, are replaced completely, and keep their slug', async () => {
    const { url } = await startUpstream();
    const { id, slug } = await makeConnector(manager, published(url, { description: 'old', version: '1' }));
    const name = `Renamed ${randomUUID()}`;
    const back = await send(UPDATE, id, {
      name,
      endpoint: url,
      transport: 'streamable-http',
      draft: true,
      allow_private_ips: true,
    });
    expect(back.body).toMatchObject({ status: 'draft', slug, name });
    expect(back.body).not.toHaveProperty('description');
    expect((await listAuditEvents(id)).at(-1)?.changed_fields.sort()).toEqual([
      'description',
      'name',
      'status',
      'version',
    ]);
    const again = await send(UPDATE, id, {
      name,
      endpoint: url,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
    });
    expect(again.body.status).toBe('available');
  });

  it('have different names, in any spelling, and different slugs in one gateway', async () => {
    const name = `Straße ${randomUUID().slice(0, 6)}`;
    const first = await makeConnector(manager, draft({ name }));
    expect((await send(CREATE, undefined, draft({ name: name.toUpperCase() }))).status).toBe(409);
    const other = await makeConnector(manager, draft());
    expect((await send(UPDATE, other.id, draft({ name: name.toUpperCase() }))).status).toBe(409);
    expect((await send(CREATE, undefined, draft({ name }), {}, 'other')).body.slug).toBe(first.slug);
    const stems = await Promise.all(
      Array.from({ length: 8 }, (_, n) => makeConnector(manager, draft({ name: `Long common stem of a name  ${n}` }))),
    );
    expect(new Set(stems.map(({ slug }) => slug)).size).toBe(8);
    for (const { slug } of stems) expect(slug).toMatch(/^[a-z0-9-]{1,24}$/);
  });

  it.each([
    'https://127.0.0.1/mcp',
    'https://127.1/mcp',
    'https://0x7f000001/mcp',
    'https://2130706433/mcp',
    'https://0177.0.0.1/mcp',
    'https://[::1]/mcp',
    'https://[::ffff:10.0.0.1]/mcp',
    'https://[64:ff9b::a00:1]/mcp',
    'https://[2002:a00:1::]/mcp',
    'https://10.0.0.1/mcp',
    'https://192.168.0.1/mcp',
    'https://[fec0::1]/mcp',
    'https://0/mcp',
    'https://0.0.0.0/mcp',
    'https://[::]/mcp',
    'https://169.254.169.254/latest',
    'https://127。0。0。1/mcp',
    'http://mcp.example.com/mcp',
  ])('are refused for %s without allow_private_ips', async (endpoint) => {
    const before = await count();
    const { status, body } = await send(CREATE, undefined, draft({ endpoint }));
    expect([status, body.error]).toEqual([422, expect.stringMatching(/^endpoint: /)]);
    expect(await count()).toBe(before);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://0.0.0.0:80/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://2852039166/',
  ])('are refused for %s also with allow_private_ips', async (endpoint) => {
    expect((await send(CREATE, undefined, draft({ endpoint, allow_private_ips: true }))).status).toBe(422);
  });

  it.each([
    'ftp://example.com',
    'javascript:alert(1)',
    'https://u:p@example.com/',
    'https://example.com/#x',
    'nonsense',
    'https://a b/',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://example.com:25/',
    'https://example.com:6379/',
    'https://example.com\\@127.0.0.1/',
    '//example.com/',
    'file:///etc/passwd',
    'HTTPS:///',
  ])('are refused for the endpoint %j', async (endpoint) => {
    const { status, body } = await send(CREATE, undefined, draft({ endpoint }));
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^endpoint: /)]);
  });

  it.each([
    ['icon_url', 'javascript:alert(1)'],
    ['support_url', 'data:text/html,x'],
    ['repository_url', 'https://u:p@example.com'],
    ['name', '\u200b'],
    ['name', 'two\nlines'],
    ['description', '\u0000'],
  ])('are refused with %s %j', async (field, value) => {
    const { status, body } = await send(CREATE, undefined, draft({ [field]: value }));
    expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
  });

  it('do not fetch the links for consoles', async () => {
    let seen = 0;
    const link = await serve((_, response) => {
      seen += 1;
      response.end();
    });
    const { url } = await startUpstream();
    await makeConnector(manager, published(url, { icon_url: link, support_url: link, repository_url: link }));
    expect(seen).toBe(0);
  });

  it('are changed only in the state that If-Match names', async () => {
    const { id, name } = await makeConnector(manager, draft());
    const etag = (await send(READ, id)).headers.get('etag') ?? '';
    const headers = { 'if-match': etag };
    expect((await send(UPDATE, id, draft({ name, version: '2' }), { headers })).status).toBe(200);
    expect((await send(UPDATE, id, draft({ name, version: '3' }), { headers })).status).toBe(412);
    expect((await send(DELETE, id, undefined, { headers })).status).toBe(412);
    expect((await send(READ, id)).body['version']).toBe('2');
  });

  it('accept one of two concurrent publications, and refuse the other one', async () => {
    const [slow, fast] = [await startUpstream(), await startUpstream()];
    const { id, name } = await makeConnector(manager, draft());
    const responses = await Promise.all([slow, fast].map(({ url }) => send(UPDATE, id, published(url, { name }))));
    const statuses = responses.map(({ status }) => status).sort();
    expect([JSON.stringify([200, 409]), JSON.stringify([200, 200])]).toContain(JSON.stringify(statuses));
    const winner = responses.findLast(({ status }) => status === 200);
    const stored = (await send(READ, id)).body;
    expect(stored.status).toBe('available');
    if (statuses.includes(409)) expect(stored).toEqual(winner?.body);
  });

  it('stay drafts when they become drafts during the check of their endpoint', async () => {
    let announceArrival: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => (announceArrival = resolve));
    let allowResponse: (() => void) | undefined;
    const decided = new Promise<void>((resolve) => (allowResponse = resolve));
    const endpoint = await serve((_, response) => {
      announceArrival?.();
      void decided.then(() => response.writeHead(404).end());
    });
    const { id, name } = await makeConnector(manager, draft());
    const publishing = send(UPDATE, id, published(endpoint, { name }));
    await arrived;
    expect((await send(UPDATE, id, draft({ name, version: 'back' }))).status).toBe(200);
    allowResponse?.();
    expect((await publishing).status).toBe(409);
    expect((await send(READ, id)).body).toMatchObject({ status: 'draft', version: 'back' });
  });

  it('are deleted with their policy and connections, once', async () => {
    const { id } = await makeConnector(manager, draft());
    await manager.sql(`INSERT INTO connections VALUES (gen_random_uuid(), $1, $2, true, true, '{}', now(), now())`, [
      id,
      await manager.findUserId('alice'),
    ]);
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(DELETE, id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    for (const table of ['connector_policies', 'connections'])
      expect(await manager.sql(`SELECT 1 FROM ${table} WHERE connector_id = $1`, [id])).toEqual([]);
    expect((await listAuditEvents(id)).map(({ operation }) => operation)).toEqual([
      'Create connector',
      'Delete connector',
    ]);
  });

  it('are not found (404) at another or an unknown gateway', async () => {
    const { id } = await makeConnector(manager, draft());
    for (const gateway of ['other', 'none', '../local']) {
      expect((await send(READ, id, undefined, {}, gateway)).status).toBe(404);
      expect((await send(UPDATE, id, draft(), {}, gateway)).status).toBe(404);
      expect((await send(DELETE, id, undefined, {}, gateway)).status).toBe(404);
    }
    expect((await send(LIST, undefined, undefined, {}, 'none')).status).toBe(404);
    expect((await send(CREATE, undefined, draft(), {}, 'none')).status).toBe(404);
    expect((await send(READ, randomUUID())).status).toBe(404);
    expect((await send(READ, 'nonsense')).status).toBe(400);
  });

  it('are read by administrators and auditors, and written by administrators only', async () => {
    const { id } = await makeConnector(manager, draft());
    const path = { gateway_id: 'local', id };
    const { auditor, alice, gateway } = manager.tokens;
    expect((await manager.client.call(READ, { token: auditor, path })).status).toBe(200);
    expect((await manager.client.call(LIST, { token: auditor, path })).status).toBe(200);
    for (const token of [alice, gateway])
      for (const operation of [READ, LIST, DELETE])
        expect((await manager.client.call(operation, { token, path })).status).toBe(403);
    for (const token of [auditor, alice, gateway]) {
      expect((await manager.client.call(CREATE, { token, path, body: draft() })).status).toBe(403);
      expect((await manager.client.call(UPDATE, { token, path, body: draft() })).status).toBe(403);
      expect((await manager.client.call(DELETE, { token, path })).status).toBe(403);
    }
  });

  it('are listed without gaps or repeats during concurrent changes', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 11; n += 1) ids.push((await send(CREATE, undefined, draft(), {}, 'pages')).body.id);
    const readPage = (query: Record<string, string | number>) =>
      manager.client.call<Page<Connector>>(LIST, { token: manager.tokens.admin, path: { gateway_id: 'pages' }, query });
    const seen: string[] = [];
    let next = await readPage({ limit: 3 });
    for (;;) {
      seen.push(...next.body.items.map(({ id }) => id));
      const cursor = next.body.next_cursor;
      if (cursor === undefined) break;
      if (seen.length === 3) await send(DELETE, ids[1], undefined, {}, 'pages');
      next = await readPage({ limit: 3, cursor });
    }
    expect(seen).toEqual(ids);
    const back = await readPage({ limit: 200, before: next.body.prev_cursor ?? '' });
    expect(back.body.items.map(({ id }) => id)).toEqual(ids.filter((id) => id !== ids[1]).slice(0, 8));
    expect((await readPage({ limit: 5_000 })).body.items.length).toBe(10);
    const { body: first } = await readPage({ limit: 3 });
    for (const query of [
      { limit: 0 },
      { limit: -1 },
      { cursor: 'forged' },
      { cursor: first.next_cursor ?? '', before: first.next_cursor ?? '' },
    ])
      expect((await readPage(query)).status).toBe(400);
    const foreign = await manager.client.call(LIST, {
      token: manager.tokens.auditor,
      path: { gateway_id: 'pages' },
      query: { cursor: first.next_cursor },
    });
    expect(foreign.status).toBe(400);
  });
});

describe('connectors without ALLOW_LOOPBACK_UPSTREAMS', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  it('cannot call this machine by address or by name', async () => {
    let seen = 0;
    const server = createServer((_, response) => {
      seen += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const byAddress = await manager.client.call('POST /v1/gateways/{gateway_id}/connectors', {
      token: manager.tokens.admin,
      path: { gateway_id: 'local' },
      body: published(`http://127.0.0.1:${port}/mcp`),
    });
    expect(byAddress.status).toBe(422);
    const byName = await makeConnector(manager, published(`http://localhost:${port}/mcp`));
    expect(byName).toMatchObject({ status: 'failure', status_message: expect.stringContaining('this machine itself') });
    expect(seen).toBe(0);
    server.close();
  });
});
