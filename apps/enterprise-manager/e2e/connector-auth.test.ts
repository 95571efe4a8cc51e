import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Auth, createAuthExamples, ROLE, removeReferences } from './connector-auth-scene.ts';
import { type Connector, draft, makeAvailable, makeConnector, published } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  injecting,
  makeProvider,
  type MetadataServer,
  oauth2,
  oidc,
  startMetadata,
} from './identity-provider-scene.ts';
import { makeSecret, reveal } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

const CREATE = 'POST /v1/gateways/{gateway_id}/connectors';
const READ = 'GET /v1/gateways/{gateway_id}/connectors/{id}';
const UPDATE = 'PUT /v1/gateways/{gateway_id}/connectors/{id}';
const DELETE_PROVIDER = 'DELETE /v1/connector-identity-providers/{id}';
const DELETE_SECRET = 'DELETE /v1/managed-secrets/{id}';

describe('the authentication of connectors', () => {
  let manager: TestManager;
  let metadata: MetadataServer;
  let upstream: McpUpstream;
  /** A provider of each type, and a secret for each field. */
  let oidcId: string;
  let oauth2Id: string;
  let secretId: string;
  beforeAll(async () => {
    manager = await startManager({ environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
    metadata = await startMetadata();
    upstream = await startMcpUpstream({ bearer: 'of-a-person' });
    oidcId = (await makeProvider(manager, oidc(metadata.issuer))).id;
    oauth2Id = (await makeProvider(manager)).id;
    secretId = (await makeSecret(manager, 'the value')).id;
  }, 60_000);
  afterAll(async () => {
    await upstream.close();
    await metadata.close();
    await manager.close();
  });

  const callAsAdmin = <Body>(operation: string, path: Record<string, string>, body?: unknown) =>
    manager.client.call<Body & { error: string }>(operation, {
      token: manager.tokens.admin,
      path,
      ...(body !== undefined && { body }),
    });
  const create = (body: unknown) => callAsAdmin<Connector>(CREATE, { gateway_id: 'local' }, body);
  const update = (id: string, body: unknown) => callAsAdmin<Connector>(UPDATE, { gateway_id: 'local', id }, body);
  const makeRef = () => ({ managed_secret_id: secretId });
  const readSnapshot = (headers: Record<string, string> = {}, query: Record<string, number> = {}) =>
    manager.client.call<{ connectors: Record<string, unknown>[] }>('GET /gateway/v1/gateways/{gateway_id}/snapshot', {
      token: manager.tokens.gateway,
      path: { gateway_id: 'local' },
      headers,
      query,
    });
  const findInSnapshot = async (id: string) => (await readSnapshot()).body.connectors.find((one) => one['id'] === id);

  const arn = ROLE;
  const createExamples = () => createAuthExamples({ providerId: oidcId, otherProviderId: oauth2Id, secretId });

  it('is stored for each type, read without secrets, and included in the snapshot', async () => {
    const types = new Set<string>();
    for (const [written, read, places] of createExamples()) {
      types.add(written.type);
      const made = await create(draft({ auth: written }));
      expect([written.type, made.status, made.body.error]).toEqual([written.type, 201, undefined]);
      expect(made.body['auth']).toEqual(read);
      const { id } = made.body;
      expect((await callAsAdmin<Connector>(READ, { gateway_id: 'local', id })).body['auth']).toEqual(read);
      await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [id]);
      const { auth, identity_provider } = (await findInSnapshot(id)) as {
        auth: Auth & { secrets?: Record<string, unknown> };
        identity_provider?: { id: string };
      };
      const { secrets = {}, ...rest } = auth;
      expect(rest).toEqual(read);
      expect(Object.keys(secrets).sort()).toEqual(places);
      for (const place of Object.values(secrets)) expect(place).toEqual({ id: secretId, version: 1 });
      expect(identity_provider?.id).toBe(JSON.stringify(read).match(/"provider_id":"([^"]+)"/)?.[1]);
    }
    expect([...types]).toHaveLength(8);
  });

  it('keeps omitted secrets, and removes them together with their client', async () => {
    for (const [written, read, places] of createExamples()) {
      const { id, name } = await makeConnector(manager, draft({ auth: written }));
      const kept = await update(id, draft({ name, auth: removeReferences(written) }));
      expect([written.type, kept.status, kept.body['auth']]).toEqual([written.type, 200, read]);
      expect(await listSecretFields(id)).toEqual(places);
    }
    const toExchange = (client: object) => ({
      auth: { type: 'tokenExchange', token_exchange: { token_url: 'https://sts.example.com/t', ...client } },
    });
    const { id, name } = await makeConnector(manager, draft(toExchange({ client_id: 'c', client_secret: makeRef() })));
    const lost = await update(id, draft({ name, ...toExchange({}) }));
    expect(lost.body['auth']).toMatchObject({ token_exchange: { client_secret_configured: false } });
    expect(await listSecretFields(id)).toEqual([]);
  });
  const listSecretFields = async (id: string) =>
    (
      await manager.sql<{ field: string }>('SELECT field FROM connector_secrets WHERE connector_id = $1 ORDER BY 1', [
        id,
      ])
    ).map(({ field }) => field);

  it('is refused with two types, or with the block of another type', async () => {
    const before = await readDatabaseState(manager);
    const all = createExamples();
    for (const [one] of all)
      for (const [other] of all.filter(([{ type }]) => type !== one.type && type !== 'none')) {
        const both = await create(draft({ auth: { ...other, ...one } }));
        expect([both.status, both.body.error]).toEqual([400, expect.stringMatching(/^auth\.\w+: does not belong/)]);
      }
    for (const type of ['Bearertoken', 'oauth', '', 7, null]) {
      const { status, body } = await create(draft({ auth: { type } }));
      expect([status, body.error]).toEqual([400, expect.stringContaining('auth')]);
    }
    for (const auth of [[], 'none', { type: ['none', 'bearerToken'] }])
      expect((await create(draft({ auth }))).status).toBe(400);
    expect(await readDatabaseState(manager)).toBe(before);
  });

  const toAuth = (type: string, block: string, fields: () => Record<string, unknown>) => () => ({
    type,
    [block]: fields(),
  });
  it.each<[string, number, RegExp, () => Record<string, unknown>]>([
    ['bearerToken without token', 400, /^auth\.bearer_token\.token: is required/, () => ({ type: 'bearerToken' })],
    ['headerInjection without block', 400, /^auth\.header_injection: is required/, () => ({ type: 'headerInjection' })],
    ['upstreamInject without block', 400, /^auth\.upstream_inject: is required/, () => ({ type: 'upstreamInject' })],
    ['tokenExchange without block', 400, /^auth\.token_exchange: is required/, () => ({ type: 'tokenExchange' })],
    ['awsSts without block', 400, /^auth\.aws_sts: is required/, () => ({ type: 'awsSts' })],
    ['obo without block', 400, /^auth\.obo: is required/, () => ({ type: 'obo' })],
    ['xaa without block', 400, /^auth\.xaa: is required/, () => ({ type: 'xaa' })],
    [
      'a provider that does not exist',
      422,
      /^auth\.upstream_inject\.provider_id: there is no/,
      toAuth('upstreamInject', 'upstream_inject', () => ({ provider_id: randomUUID() })),
    ],
    [
      'a provider that is no id',
      400,
      /provider_id/,
      toAuth('upstreamInject', 'upstream_inject', () => ({ provider_id: 'x' })),
    ],
    [
      'awsSts at an oauth2 provider',
      422,
      /^auth\.aws_sts\.provider_id: .*oidc/,
      toAuth('awsSts', 'aws_sts', () => ({ provider_id: oauth2Id, region: 'eu-west-1', fallback_role_arn: arn })),
    ],
    [
      'obo at an oauth2 provider',
      422,
      /^auth\.obo\.provider_id: .*oidc/,
      toAuth('obo', 'obo', () => ({
        provider_id: oauth2Id,
        client_id: 'c',
        tenant_id: 't',
        scopes: ['s'],
        client_secret: makeRef(),
      })),
    ],
    [
      'tokenExchange that leads nowhere',
      400,
      /token_url or provider_id/,
      toAuth('tokenExchange', 'token_exchange', () => ({ audience: 'a' })),
    ],
    [
      'a secret without its client',
      400,
      /client_id: is required with client_secret/,
      toAuth('tokenExchange', 'token_exchange', () => ({ provider_id: oidcId, client_secret: makeRef() })),
    ],
    [
      'a token of no known type',
      400,
      /subject_token_type/,
      toAuth('tokenExchange', 'token_exchange', () => ({ provider_id: oidcId, subject_token_type: 'saml' })),
    ],
    [
      'a token in a header of MCP',
      422,
      /external_token_header_name/,
      toAuth('tokenExchange', 'token_exchange', () => ({
        provider_id: oidcId,
        external_token_header_name: 'Mcp-Session-Id',
      })),
    ],
    [
      'a private token_url',
      422,
      /^auth\.token_exchange\.token_url: .*private/,
      toAuth('tokenExchange', 'token_exchange', () => ({ token_url: 'https://10.0.0.1/token' })),
    ],
    [
      'a token_url at the metadata service',
      422,
      /never called/,
      toAuth('tokenExchange', 'token_exchange', () => ({ token_url: 'https://169.254.169.254/' })),
    ],
    [
      'a token_url over http',
      422,
      /https/,
      toAuth('tokenExchange', 'token_exchange', () => ({ token_url: 'http://sts.example.com/' })),
    ],
    [
      'a token_url that is a script',
      400,
      /token_url/,
      toAuth('tokenExchange', 'token_exchange', () => ({ token_url: 'javascript:alert(1)' })),
    ],
    [
      'awsSts without a role',
      400,
      /role_mappings or fallback/,
      toAuth('awsSts', 'aws_sts', () => ({ provider_id: oidcId, region: 'eu-west-1' })),
    ],
    [
      'awsSts in no region',
      400,
      /region/,
      toAuth('awsSts', 'aws_sts', () => ({
        provider_id: oidcId,
        region: 'eu-west-1.evil.example',
        fallback_role_arn: arn,
      })),
    ],
    [
      'awsSts with no role of an account',
      400,
      /fallback_role_arn/,
      toAuth('awsSts', 'aws_sts', () => ({
        provider_id: oidcId,
        region: 'eu-west-1',
        fallback_role_arn: 'arn:aws:s3:::x',
      })),
    ],
    [
      'a mapping of both kinds',
      400,
      /role_mappings\.0: must have exactly one/,
      toAuth('awsSts', 'aws_sts', () => ({
        provider_id: oidcId,
        region: 'eu-west-1',
        role_mappings: [{ claim: 'a', matcher: 'b', role_arn: arn }],
      })),
    ],
    [
      'a session that is too short',
      400,
      /session_duration/,
      toAuth('awsSts', 'aws_sts', () => ({
        provider_id: oidcId,
        region: 'eu-west-1',
        fallback_role_arn: arn,
        session_duration: 60,
      })),
    ],
    [
      'obo for nothing',
      400,
      /scopes or audience/,
      toAuth('obo', 'obo', () => ({
        provider_id: oidcId,
        client_id: 'c',
        tenant_id: 't',
        client_secret: makeRef(),
      })),
    ],
    [
      'obo without a secret',
      400,
      /^auth\.obo\.client_secret: is required/,
      toAuth('obo', 'obo', () => ({ provider_id: oidcId, client_id: 'c', tenant_id: 't', scopes: ['s'] })),
    ],
    [
      'obo at a private authority',
      422,
      /authority: .*private/,
      toAuth('obo', 'obo', () => ({
        provider_id: oidcId,
        client_id: 'c',
        tenant_id: 't',
        scopes: ['s'],
        authority: 'https://[::ffff:10.0.0.1]',
        client_secret: makeRef(),
      })),
    ],
    [
      'obo with no duration',
      400,
      /cache_skew/,
      toAuth('obo', 'obo', () => ({
        provider_id: oidcId,
        client_id: 'c',
        tenant_id: 't',
        scopes: ['s'],
        cache_skew: 'soon',
        client_secret: makeRef(),
      })),
    ],
    ['xaa without target', 400, /target_token_url: is required/, toAuth('xaa', 'xaa', () => ({ provider_id: oidcId }))],
    [
      'xaa at a private target',
      422,
      /target_token_url: .*private/,
      toAuth('xaa', 'xaa', () => ({
        provider_id: oidcId,
        target_token_url: 'https://10.0.0.1/t',
        target_audience: 'a',
      })),
    ],
    [
      'xaa at the metadata service, also with allow_private_ips',
      422,
      /never called/,
      toAuth('xaa', 'xaa', () => ({
        provider_id: oidcId,
        target_token_url: 'http://169.254.169.254/t',
        target_audience: 'a',
        insecure_target_token_url: true,
      })),
    ],
    [
      'xaa at a private provider, though the target may be',
      422,
      /idp_token_url: .*private/,
      toAuth('xaa', 'xaa', () => ({
        provider_id: oidcId,
        target_token_url: 'http://10.0.0.1/t',
        idp_token_url: 'https://10.0.0.1/t',
        target_audience: 'a',
        insecure_target_token_url: true,
      })),
    ],
    [
      'xaa with a relative resource',
      400,
      /target_resource/,
      toAuth('xaa', 'xaa', () => ({
        provider_id: oidcId,
        target_token_url: 'https://t.example/t',
        target_audience: 'a',
        target_resource: '/mcp',
      })),
    ],
    ['an unknown field', 400, /surprise/, toAuth('xaa', 'xaa', () => ({ provider_id: oidcId, surprise: 1 }))],
    [
      'a secret that does not exist',
      422,
      /^auth\.obo\.client_secret\.managed_secret_id: there is no such secret/,
      toAuth('obo', 'obo', () => ({
        provider_id: oidcId,
        client_id: 'c',
        tenant_id: 't',
        scopes: ['s'],
        client_secret: { managed_secret_id: randomUUID() },
      })),
    ],
    [
      'a Secret of a cluster',
      422,
      /kubernetes_secret: this deployment does not read Kubernetes Secrets/,
      toAuth('tokenExchange', 'token_exchange', () => ({
        provider_id: oidcId,
        client_id: 'c',
        client_secret: { kubernetes_secret: { name: 'n', namespace: 'm', key: 'k' } },
      })),
    ],
  ])('is refused with %s', async (_, status, sentence, auth) => {
    const before = await readDatabaseState(manager);
    const response = await create(draft({ auth: auth() }));
    expect([response.status, response.body.error]).toEqual([status, expect.stringMatching(sentence)]);
    expect(await readDatabaseState(manager)).toBe(before);
  });

  it('does not apply allow_private_ips of the endpoint to other addresses', async () => {
    const response = await create(
      draft({
        endpoint: 'http://10.0.0.1:8000/mcp',
        allow_private_ips: true,
        auth: { type: 'tokenExchange', token_exchange: { token_url: 'http://10.0.0.1:8001/token' } },
      }),
    );
    expect([response.status, response.body.error]).toEqual([
      422,
      expect.stringMatching(/^auth\.token_exchange\.token_url/),
    ]);
  });

  it('is published with credentials of users whether or not the server demands them, but not without an MCP server', async () => {
    const asks = await create(published(upstream.url, { auth: injecting(oidcId)['auth'] }));
    expect(asks.body).toMatchObject({ status: 'available' });
    const open = await startMcpUpstream();
    const responses = await create(published(open.url, { auth: injecting(oidcId)['auth'] }));
    expect(responses.body).toMatchObject({ status: 'available' });
    open.answerWith({ status: 404, body: 'nothing here' });
    const nothing = await create(published(open.url, { auth: injecting(oidcId)['auth'] }));
    expect(nothing.body).toMatchObject({ status: 'failure', status_message: expect.stringContaining('HTTP 404') });
    await open.close();
  });

  it('prevents the deletion of its identity provider with a 409 that names the connector', async () => {
    const { id: provider } = await makeProvider(manager);
    const connector = await makeConnector(manager, injecting(provider));
    const before = await readDatabaseState(manager);
    const refused = await callAsAdmin<object>(DELETE_PROVIDER, { id: provider });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `the identity provider is in use by connector "${connector.name}" of gateway local`,
    ]);
    expect(await readDatabaseState(manager)).toBe(before);
    expect((await update(connector.id, draft({ name: connector.name }))).status).toBe(200);
    expect((await callAsAdmin(DELETE_PROVIDER, { id: provider })).status).toBe(204);
    expect((await create(injecting(provider))).status).toBe(422);
  });

  it('leaves no reference to its provider when both are deleted concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await makeProvider(manager);
      const [made, gone] = await Promise.all([create(injecting(id)), callAsAdmin(DELETE_PROVIDER, { id })]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });

  it('prevents its provider from becoming oauth2 if it needs ID tokens', async () => {
    const { id, name } = await makeProvider(manager, oidc(metadata.issuer));
    await makeConnector(
      manager,
      draft({ auth: { type: 'awsSts', aws_sts: { provider_id: id, region: 'eu-west-1', fallback_role_arn: arn } } }),
    );
    const response = await callAsAdmin<object>(
      'PUT /v1/connector-identity-providers/{id}',
      { id },
      { ...oauth2(), name },
    );
    expect([response.status, response.body.error]).toEqual([409, expect.stringMatching(/^provider_type: connector/)]);
  });

  it('includes its provider, the secret of the provider and their changes in the snapshot at once', async () => {
    const client = await makeSecret(manager, 'client secret');
    const provider = await makeProvider(manager, oauth2({ client_secret: { managed_secret_id: client.id } }));
    expect((await reveal(manager, client.id)).status).toBe(404);
    const { id } = await makeAvailable(manager, injecting(provider.id));
    const first = (await findInSnapshot(id))?.['identity_provider'];
    expect(first).toEqual({
      id: provider.id,
      name: provider.name,
      provider_type: 'oauth2',
      registration_mode: 'static',
      oauth2_config: { ...(oauth2()['oauth2_config'] as object) },
      secrets: { 'oauth2_config.client_secret': { id: client.id, version: 1 } },
    });
    expect((await reveal(manager, client.id)).body).toEqual({ value: 'client secret', version: 1 });
    const refused = await callAsAdmin<object>(DELETE_SECRET, { id: client.id });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `the secret is in use by connector identity provider "${provider.name}"; remove these references first`,
    ]);
    const changes = [
      // A client secret is not sent as a header, so it may contain a newline.
      () => callAsAdmin('PUT /v1/managed-secrets/{id}', { id: client.id }, { value: 'next\n' }),
      () =>
        callAsAdmin(
          'PUT /v1/connector-identity-providers/{id}',
          { id: provider.id },
          { ...oauth2({ client_id: 'another', client_secret: { managed_secret_id: client.id } }), name: provider.name },
        ),
    ];
    for (const change of changes) {
      const waiting = readSnapshot({ 'if-none-match': (await readSnapshot()).headers.get('etag') ?? '' }, { wait: 20 });
      expect((await change()).status).toBe(200);
      expect((await waiting).status).toBe(200);
    }
    expect((await findInSnapshot(id))?.['identity_provider']).toMatchObject({
      oauth2_config: { client_id: 'another' },
      secrets: { 'oauth2_config.client_secret': { version: 2 } },
    });
    expect(JSON.stringify((await readSnapshot()).body)).not.toContain('client secret');
  });
});
