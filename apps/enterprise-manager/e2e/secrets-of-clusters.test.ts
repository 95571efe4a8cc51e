import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { type Connector, draft, makeConnector, published } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { injecting, makeProvider, oauth2, type Provider } from './identity-provider-scene.ts';
import { bearer, makeSecret, reveal } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

const CREATE = 'POST /v1/gateways/{gateway_id}/connectors';
const UPDATE = 'PUT /v1/gateways/{gateway_id}/connectors/{id}';

const REFERENCE = { name: 'github.token', namespace: 'tools', key: 'token_1' };
const createReference = (part: object = {}) => ({ kubernetes_secret: { ...REFERENCE, ...part } });
const createAuth = (part: object = {}) => ({
  auth: { type: 'bearerToken', bearer_token: { token: createReference(part) } },
});

interface Snapshot {
  connectors: {
    id: string;
    auth: { secrets?: object; kubernetes_secrets?: object };
    identity_provider?: { secrets: object; kubernetes_secrets?: object };
  }[];
}

describe('connectors with Kubernetes Secrets', () => {
  let manager: TestManager;
  let upstream: McpUpstream;
  beforeAll(async () => {
    manager = await startManager({
      environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true', KUBERNETES_SECRETS_NAMESPACES: '["tools","more-tools"]' },
    });
    upstream = await startMcpUpstream();
  }, 60_000);
  afterAll(async () => {
    await upstream.close();
    await manager.close();
  });

  const send = (operation: string, id: string | undefined, body: unknown) =>
    manager.client.call<Connector & { error: string }>(operation, {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', ...(id !== undefined && { id }) },
      body,
    });
  const readSnapshot = () =>
    manager.client.call<Snapshot>('GET /gateway/v1/gateways/{gateway_id}/snapshot', {
      token: manager.tokens.gateway,
      path: { gateway_id: 'local' },
    });
  const makePublished = (endpoint: string, auth: Record<string, unknown>) =>
    makeConnector(manager, published(endpoint, auth));
  const findInSnapshot = async (id: string) =>
    (await readSnapshot()).body.connectors.find((connector) => connector.id === id);
  const listUses = (id: string) =>
    manager.sql<{ field: string; secret_id: string | null; kubernetes_secret: object | null }>(
      'SELECT field, secret_id, kubernetes_secret FROM connector_secrets WHERE connector_id = $1',
      [id],
    );

  it('are published if the server demands a credential, and their snapshot contains the reference', async () => {
    upstream.demand({ name: 'authorization', value: 'Bearer unknown-credential' });
    const made = await makePublished(upstream.url, createAuth());
    expect([made.status, made['auth']]).toEqual(['available', { type: 'bearerToken' }]);
    expect((await findInSnapshot(made.id))?.auth).toEqual({
      type: 'bearerToken',
      kubernetes_secrets: { 'bearer_token.token': REFERENCE },
    });
    const header = { header_name: 'X-Api-Key', value: createReference({ namespace: 'more-tools' }) };
    const other = await makePublished(upstream.url, { auth: { type: 'headerInjection', header_injection: header } });
    expect((await findInSnapshot(other.id))?.auth).toEqual({
      type: 'headerInjection',
      header_injection: { header_name: 'X-Api-Key' },
      kubernetes_secrets: { 'header_injection.value': { ...REFERENCE, namespace: 'more-tools' } },
    });
  });

  it('are not published without an MCP server', async () => {
    upstream.answerWith({ status: 500, body: 'no' });
    const made = await makePublished(upstream.url, createAuth());
    upstream.answerWith(undefined);
    expect([made.status, made.status_message]).toEqual(['failure', expect.stringContaining('HTTP 500')]);
  });

  it('keep an omitted reference, and change to a managed secret and back', async () => {
    const secret = await makeSecret(manager);
    const { id, name } = await makeConnector(manager, draft(createAuth()));
    const here = [{ field: 'bearer_token.token', secret_id: null, kubernetes_secret: REFERENCE }];
    expect(await listUses(id)).toEqual(here);
    const updateAuth = async (auth: object) => {
      expect((await send(UPDATE, id, draft({ name, endpoint: 'https://mcp.example.com/mcp', ...auth }))).status).toBe(
        200,
      );
      const [line] = await manager.sql<{ changed_fields: string[] }>(
        "SELECT changed_fields FROM audit_events WHERE object_id = $1 AND operation = 'Update connector' ORDER BY occurred_at DESC LIMIT 1",
        [id],
      );
      return line?.changed_fields.includes('auth');
    };
    expect([await updateAuth({ auth: { type: 'bearerToken' } }), await listUses(id)]).toEqual([false, here]);
    expect(await updateAuth(createAuth())).toBe(false);
    expect([await updateAuth(bearer(secret.id)), await listUses(id)]).toEqual([
      true,
      [{ field: 'bearer_token.token', secret_id: secret.id, kubernetes_secret: null }],
    ]);
    expect([await updateAuth(createAuth()), await listUses(id)]).toEqual([true, here]);
    expect([await updateAuth(createAuth({ key: 'token_2' })), await listUses(id)]).toEqual([
      true,
      [{ ...here[0], kubernetes_secret: { ...REFERENCE, key: 'token_2' } }],
    ]);
    expect([await updateAuth({}), await listUses(id)]).toEqual([true, []]);
  });

  it('send a changed reference to a gateway with a snapshot', async () => {
    const made = await makePublished(upstream.url, createAuth());
    const { headers } = await readSnapshot();
    await send(UPDATE, made.id, published(upstream.url, { name: made.name, ...createAuth({ name: 'another' }) }));
    expect((await readSnapshot()).headers.get('etag')).not.toBe(headers.get('etag'));
    expect((await findInSnapshot(made.id))?.auth.kubernetes_secrets).toEqual({
      'bearer_token.token': { ...REFERENCE, name: 'another' },
    });
  });

  it('coexist with managed secrets, and only managed secrets are revealed', async () => {
    const secret = await makeSecret(manager, 'revealed');
    upstream.demand({ name: 'authorization', value: 'Bearer revealed' });
    const managed = await makePublished(upstream.url, bearer(secret.id));
    await makePublished(upstream.url, createAuth());
    expect((await findInSnapshot(managed.id))?.auth).toEqual({
      type: 'bearerToken',
      secrets: { 'bearer_token.token': { id: secret.id, version: 1 } },
    });
    expect((await reveal(manager, secret.id)).body.value).toBe('revealed');
  });

  const expectRefusal = async (reference: object) => {
    const before = await readDatabaseState(manager);
    const response = await send(CREATE, undefined, draft(createAuth(reference)));
    expect(await readDatabaseState(manager)).toBe(before);
    return [response.status, response.body.error];
  };

  it.each(['kube-system', 'tools2', 'tool', 'others'])('are refused in the namespace %s', async (namespace) => {
    expect(await expectRefusal({ namespace })).toEqual([
      422,
      'auth.bearer_token.token.kubernetes_secret.namespace: this deployment does not read Secrets of this namespace; an operator can add it to KUBERNETES_SECRETS_NAMESPACES',
    ]);
  });

  it.each([
    ['name', ''],
    ['name', '..'],
    ['name', 'a/b'],
    ['name', 'Upper'],
    ['name', 'under_score'],
    ['name', '-first'],
    ['name', 'last-'],
    ['name', 'a..b'],
    ['name', 'a'.repeat(254)],
    ['name', 7],
    ['namespace', 'a.b'],
    ['namespace', 'tools/secrets'],
    ['namespace', ' tools'],
    ['namespace', 'a'.repeat(64)],
    ['key', '.'],
    ['key', '..'],
    ['key', '..data'],
    ['key', 'a/b'],
    ['key', 'a b'],
    ['key', ''],
    ['key', undefined],
    ['version', '1'],
  ])('are refused with the %s %j, which Kubernetes does not allow', async (field, value) => {
    expect(await expectRefusal({ [field]: value })).toEqual([
      400,
      expect.stringMatching(new RegExp(`^auth\\.bearer_token\\.token\\.kubernetes_secret.*${field}`)),
    ]);
  });

  it.each([
    { name: 'a' },
    { name: '1.2-3.x' },
    { name: 'a'.repeat(253) },
    { key: '.dockerconfigjson' },
    { key: 'A-b_c.d' },
  ])('are accepted with %j, which Kubernetes allows', async (part) => {
    expect((await send(CREATE, undefined, draft(createAuth(part)))).status).toBe(201);
  });

  it('are refused by a write after their namespace was removed from the configuration', async () => {
    const { id, name } = await makeConnector(manager, draft(createAuth()));
    await manager.sql(
      `UPDATE connector_secrets SET kubernetes_secret = jsonb_set(kubernetes_secret, '{namespace}', '"closed"') WHERE connector_id = $1`,
      [id],
    );
    const { status, body } = await send(UPDATE, id, draft({ name, auth: { type: 'bearerToken' } }));
    expect([status, body.error]).toEqual([422, expect.stringMatching(/kubernetes_secret\.namespace: this deployment/)]);
  });

  it('are either managed or in Kubernetes, by a constraint of the database', async () => {
    const { id } = await makeConnector(manager, draft(createAuth()));
    const secret = await makeSecret(manager);
    await expect(
      manager.sql('UPDATE connector_secrets SET secret_id = $2 WHERE connector_id = $1', [id, secret.id]),
    ).rejects.toThrow(/connector_secrets_lie_in_one_place/);
  });

  it('are also supported by identity providers, and the service never reads their values', async () => {
    const provider = await makeProvider(manager, oauth2({ client_secret: createReference() }));
    const { body } = await manager.client.call<Provider & { oauth2_config: { client_secret: object } }>(
      'GET /v1/connector-identity-providers/{id}',
      { token: manager.tokens.admin, path: { id: provider.id } },
    );
    expect(body.oauth2_config.client_secret).toEqual(createReference());
    upstream.demand({ name: 'authorization', value: 'Bearer other-credential' });
    const connector = await makeConnector(manager, published(upstream.url, { auth: injecting(provider.id)['auth'] }));
    expect((await findInSnapshot(connector.id))?.identity_provider).toMatchObject({
      secrets: {},
      kubernetes_secrets: { 'oauth2_config.client_secret': REFERENCE },
    });
    const refusal = await manager.client.call<{ error: string }>('POST /v1/connector-identity-providers', {
      token: manager.tokens.admin,
      body: oauth2({ client_secret: createReference({ namespace: 'kube-system' }) }),
    });
    expect([refusal.status, refusal.body.error]).toEqual([
      422,
      expect.stringMatching(/^oauth2_config\.client_secret\.kubernetes_secret\.namespace: /),
    ]);
  });
});
