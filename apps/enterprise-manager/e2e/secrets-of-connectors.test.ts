import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Connector, draft, published } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { bearer, header, makeSecret } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

const CREATE = 'POST /v1/gateways/{gateway_id}/connectors';
const UPDATE = 'PUT /v1/gateways/{gateway_id}/connectors/{id}';

describe('connectors with managed secrets', () => {
  let manager: TestManager;
  let upstream: McpUpstream;
  const servers: Server[] = [];
  beforeAll(async () => {
    manager = await startManager({ environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
    upstream = await startMcpUpstream();
  }, 60_000);
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await upstream.close();
    await manager.close();
  });

  const send = (operation: string, id: string | undefined, body: unknown) =>
    manager.client.call<Connector & { error: string }>(operation, {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', ...(id !== undefined && { id }) },
      body,
    });
  const listUses = (id: string) =>
    manager.sql<{ field: string; secret_id: string }>(
      'SELECT field, secret_id FROM connector_secrets WHERE connector_id = $1',
      [id],
    );
  const rotate = (id: string, value: string) =>
    manager.client.call<{ error?: string }>('PUT /v1/managed-secrets/{id}', {
      token: manager.tokens.admin,
      path: { id },
      body: { value },
    });

  it.each([
    ['a bearer token', 'authorization', 'Bearer ', (id: string) => bearer(id)],
    ['a header', 'X-Api-Key', '', (id: string) => header('X-Api-Key', id)],
  ])('are checked with %s, and refused by an upstream that expects another secret', async (_, name, prefix, auth) => {
    const value = `key-${randomUUID()}`;
    upstream.demand({ name, value: `${prefix}${value}` });
    const right = await makeSecret(manager, value);
    const wrong = await makeSecret(manager, 'wrong');
    const made = await send(CREATE, undefined, published(upstream.url, auth(right.id)));
    expect([made.status, made.body.status]).toEqual([201, 'available']);
    expect(made.body['auth']).toEqual(
      prefix ? { type: 'bearerToken' } : { type: 'headerInjection', header_injection: { header_name: 'X-Api-Key' } },
    );
    const failed = await send(CREATE, undefined, published(upstream.url, auth(wrong.id)));
    expect([failed.body.status, failed.body.status_message]).toEqual([
      'failure',
      expect.stringContaining('does not accept the secret (HTTP 401)'),
    ]);
    expect(await listUses(made.body.id)).toEqual([
      { field: prefix ? 'bearer_token.token' : 'header_injection.value', secret_id: right.id },
    ]);
    for (const secret of [value, right.id])
      expect(JSON.stringify(await manager.sql('SELECT * FROM connectors WHERE id = $1', [made.body.id]))).not.toContain(
        secret,
      );
  });

  it('can refer to a secret by name, and keep an omitted secret', async () => {
    const secret = await makeSecret(manager, 'kept', `Named ${randomUUID()}`);
    const byName = {
      auth: { type: 'bearerToken', bearer_token: { token: { managed_secret_name: secret.name.toUpperCase() } } },
    };
    const { body } = await send(CREATE, undefined, draft(byName));
    expect(await listUses(body.id)).toEqual([{ field: 'bearer_token.token', secret_id: secret.id }]);
    for (const bearer_token of [undefined, {}]) {
      const kept = await send(UPDATE, body.id, draft({ name: body.name, auth: { type: 'bearerToken', bearer_token } }));
      expect([kept.status, await listUses(body.id)]).toEqual([
        200,
        [{ field: 'bearer_token.token', secret_id: secret.id }],
      ]);
    }
    const moved = { auth: { type: 'headerInjection', header_injection: { header_name: 'x-key' } } };
    const refused = await send(UPDATE, body.id, draft({ name: body.name, ...moved }));
    expect([refused.status, refused.body.error]).toEqual([400, 'auth.header_injection.value: is required']);
    expect((await send(UPDATE, body.id, draft({ name: body.name }))).status).toBe(200);
    expect(await listUses(body.id)).toEqual([]);
  });

  it('record a change of the authentication, also when only the secret changed', async () => {
    const [first, second] = [await makeSecret(manager), await makeSecret(manager)];
    const { body } = await send(CREATE, undefined, draft(bearer(first.id)));
    await send(UPDATE, body.id, draft({ name: body.name, endpoint: body.endpoint, ...bearer(second.id) }));
    const [line] = await manager.sql<{ changed_fields: string[] }>(
      "SELECT changed_fields FROM audit_events WHERE object_id = $1 AND operation = 'Update connector'",
      [body.id],
    );
    expect(line?.changed_fields).toContain('auth');
  });

  const unknown = randomUUID();
  it.each([
    [
      'an unknown secret',
      bearer(unknown).auth,
      422,
      /^auth\.bearer_token\.token\.managed_secret_id: there is no such secret/,
    ],
    [
      'an unknown secret in a header',
      header('x-key', unknown).auth,
      422,
      /^auth\.header_injection\.value\.managed_secret_id: /,
    ],
    [
      'an unknown name',
      { type: 'bearerToken', bearer_token: { token: { managed_secret_name: 'an unknown name' } } },
      422,
      /^auth\.bearer_token\.token\.managed_secret_name: /,
    ],
    [
      'a Kubernetes Secret',
      { type: 'bearerToken', bearer_token: { token: { kubernetes_secret: { name: 'n', namespace: 's', key: 'k' } } } },
      422,
      /^auth\.bearer_token\.token\.kubernetes_secret: this deployment does not read Kubernetes Secrets .*KUBERNETES_SECRETS_NAMESPACES is not set/,
    ],
    ['no reference', { type: 'bearerToken', bearer_token: { token: {} } }, 400, /exactly one secret/],
    [
      'two references',
      { type: 'bearerToken', bearer_token: { token: { managed_secret_id: unknown, managed_secret_name: 'n' } } },
      400,
      /exactly one secret/,
    ],
    ['no token', { type: 'bearerToken' }, 400, /^auth\.bearer_token\.token: is required/],
    ['no header', { type: 'headerInjection' }, 400, /^auth\.header_injection: is required/],
    ['a value in the open', { type: 'bearerToken', bearer_token: { token: 'abc' } }, 400, /^auth\.bearer_token\.token/],
    [
      'the block of another type',
      { type: 'bearerToken', header_injection: { header_name: 'x' } },
      400,
      /does not belong/,
    ],
  ])('are refused with %s', async (_, auth, status, sentence) => {
    const before = await readDatabaseState(manager);
    const response = await send(CREATE, undefined, draft({ auth }));
    expect([response.status, response.body.error]).toEqual([status, expect.stringMatching(sentence)]);
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it.each([
    ...['Authorization', 'HOST', 'Cookie', 'set-cookie', 'Connection', 'Transfer-Encoding', 'TE', 'Upgrade', 'Trailer'],
    ...[
      'Keep-Alive',
      'Proxy-Authorization',
      'Content-Length',
      'content-type',
      'Mcp-Session-Id',
      'MCP-Protocol-Version',
    ],
    // These headers follow a redirect of an upstream to another origin.
    ...['Accept-Encoding', 'Accept-Language', 'Content-Encoding', 'Content-Language', 'Mcp-Method', 'Mcp-Name'],
    ...['Mcp-Protocol-Version', 'Tracestate', 'User-Agent'],
    ...['X-Forwarded-For', 'Forwarded', 'Sec-Fetch-Mode', 'Origin', 'traceparent', 'X-Request-Id', 'Last-Event-ID'],
    ...['two words', 'x:y', 'ключ', 'x-key;'],
  ])('refuse the header %j', async (name) => {
    const { id } = await makeSecret(manager);
    const { status, body } = await send(CREATE, undefined, draft(header(name, id)));
    expect([status, body.error]).toEqual([422, expect.stringMatching(/^auth\.header_injection\.header_name: /)]);
  });

  it.each(['x-api-key', 'X-Functions-Key', 'Ocp-Apim-Subscription-Key', 'PRIVATE-TOKEN', 'x_key'])(
    'accept the header %j',
    async (name) => {
      const { id } = await makeSecret(manager);
      expect((await send(CREATE, undefined, draft(header(name, id)))).status).toBe(201);
    },
  );

  it.each([
    ['a newline at its end', 'hunter2\n', /ends with a space or a newline/],
    ['another header in it', 'a\r\nx-admin: 1', /not allowed in a header/],
    ['the word Bearer before it', 'Bearer hunter2', /begins with "Bearer"/],
    ['letters beyond ASCII', 'größe', /not allowed in a header/],
  ])(
    'are not published with a secret that contains %s, and the message does not contain it',
    async (_, value, sentence) => {
      const { id } = await makeSecret(manager, value);
      const { status, body } = await send(CREATE, undefined, published(upstream.url, bearer(id)));
      expect([status, body.error]).toEqual([422, expect.stringMatching(sentence)]);
      expect(body.error).not.toMatch(/hunter2|x-admin|größe/);
      expect(body.error).toMatch(/^auth\.bearer_token\.token: /);
    },
  );

  it('prevent a value of a secret that they could not send', async () => {
    const { id } = await makeSecret(manager, 'fine');
    await send(CREATE, undefined, draft({ name: 'Sender', ...bearer(id) }));
    const { status, body } = await rotate(id, 'not fine\n');
    expect([status, body.error]).toEqual([
      422,
      'value: begins or ends with a space or a newline, and connector "Sender" of gateway local sends it in a header',
    ]);
  });

  it('are not published when the secret changes during the check of the endpoint', async () => {
    const { id } = await makeSecret(manager, 'before');
    const server = createServer((_, response) => {
      void rotate(id, `after-${randomUUID()}`).then(() => response.writeHead(500).end());
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const before = await manager.sql('SELECT count(*) FROM connectors');
    const { status, body } = await send(CREATE, undefined, published(endpoint, bearer(id)));
    expect([status, body.error]).toEqual([409, expect.stringContaining('the secret was changed')]);
    expect(await manager.sql('SELECT count(*) FROM connectors')).toEqual(before);
  });

  it('do not send the secret to another origin, which is not called', async () => {
    upstream.demand({ name: 'x-api-key', value: 'unknown' });
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(401).end();
    }).listen(0, '127.0.0.1');
    servers.push(other);
    await once(other, 'listening');
    const elsewhere = `http://localhost:${(other.address() as AddressInfo).port}/mcp`;
    const first = createServer((_, response) => response.writeHead(307, { location: elsewhere }).end()).listen(
      0,
      '127.0.0.1',
    );
    servers.push(first);
    await once(first, 'listening');
    const { id } = await makeSecret(manager, 'stays-here');
    const endpoint = `http://127.0.0.1:${(first.address() as AddressInfo).port}/mcp`;
    const { body } = await send(CREATE, undefined, published(endpoint, header('x-api-key', id)));
    expect([body.status, seen]).toEqual(['failure', []]);
  });
});
