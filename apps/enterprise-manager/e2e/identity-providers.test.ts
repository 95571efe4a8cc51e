import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  makeProvider,
  type MetadataServer,
  oauth2,
  oidc,
  type Provider,
  startMetadata,
} from './identity-provider-scene.ts';
import { makeSecret } from './secret-scene.ts';
import { readDatabaseState } from './state.ts';

const LIST = 'GET /v1/connector-identity-providers';
const CREATE = 'POST /v1/connector-identity-providers';
const READ = 'GET /v1/connector-identity-providers/{id}';
const UPDATE = 'PUT /v1/connector-identity-providers/{id}';
const DELETE = 'DELETE /v1/connector-identity-providers/{id}';

describe('identity providers of connectors', () => {
  let manager: TestManager;
  let metadata: MetadataServer;
  let elsewhere: MetadataServer;
  beforeAll(async () => {
    manager = await startManager({ environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
    metadata = await startMetadata();
    elsewhere = await startMetadata();
  }, 60_000);
  beforeEach(() => {
    metadata.overrideFields({});
    metadata.replaceDocument();
  });
  afterAll(async () => {
    await metadata.close();
    await elsewhere.close();
    await manager.close();
  });

  const send = (operation: string, id: string | undefined, body?: unknown, more: object = {}) =>
    manager.client.call<Provider & { error: string }>(operation, {
      token: manager.tokens.admin,
      ...(id !== undefined && { path: { id } }),
      ...(body !== undefined && { body }),
      ...more,
    });
  const expectRefusal = async (body: unknown, status: number, sentence: RegExp): Promise<void> => {
    const before = await readDatabaseState(manager);
    const response = await send(CREATE, undefined, body);
    expect([response.status, response.body.error]).toEqual([status, expect.stringMatching(sentence)]);
    expect(await readDatabaseState(manager)).toBe(before);
  };
  const listAuditEvents = (id: string) =>
    manager.sql<{ operation: string; changed_fields: string[] }>(
      'SELECT operation, changed_fields FROM audit_events WHERE object_id = $1 ORDER BY occurred_at, id',
      [id],
    );

  it('are stored as written, with references to secrets and without values', async () => {
    const secret = await makeSecret(manager, 'client-secret-value');
    const body = oidc(metadata.issuer, {
      client_secret: { managed_secret_name: secret.name },
      scopes: ['openid', 'https://api.example.com/read'],
      redirect_uri: 'https://gateway.example.com/oauth/callback',
      subject_claim: 'oid',
      token_endpoint_auth_method: 'client_secret_basic',
      additional_authorization_params: { prompt: 'consent' },
    });
    const made = await send(CREATE, undefined, body);
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      `/v1/connector-identity-providers/${made.body.id}`,
    ]);
    expect(made.body).toMatchObject({
      name: body['name'],
      provider_type: 'oidc',
      registration_mode: 'static',
      source: 'api',
      oidc_config: {
        ...(body['oidc_config'] as object),
        client_secret: { managed_secret_id: secret.id },
      },
    });
    expect(made.body).not.toHaveProperty('oauth2_config');
    const read = await send(READ, made.body.id, undefined, { token: manager.tokens.auditor });
    expect([read.body, read.headers.get('etag')]).toEqual([made.body, made.headers.get('etag')]);
    const headers = { 'if-none-match': read.headers.get('etag') ?? '' };
    expect((await send(READ, made.body.id, undefined, { headers })).status).toBe(304);
    expect(JSON.stringify([made.body, await listAuditEvents(made.body.id)])).not.toContain('client-secret-value');
    expect(await listAuditEvents(made.body.id)).toMatchObject([{ operation: 'Create connector identity provider' }]);
  });

  it('support registration: oidc at its issuer, oauth2 by a document or an endpoint', async () => {
    const { id: token } = await makeSecret(manager, 'initial');
    const initial_access_token = { managed_secret_id: token };
    const own = { client_id: undefined, allow_private_ips: true };
    const endpoints = {
      authorization_endpoint: `${metadata.issuer}/authorize`,
      token_endpoint: `${metadata.issuer}/token`,
    };
    for (const body of [
      oidc(metadata.issuer, { ...own, dcr: { initial_access_token, software_id: 's', software_statement: 'a.b.c' } }),
      oidc(metadata.issuer, { ...own, dcr: { registration_endpoint: `${metadata.issuer}/register` } }),
      oauth2({
        ...own,
        ...endpoints,
        dcr: { discovery_url: `${metadata.issuer}/.well-known/oauth-authorization-server`, initial_access_token },
      }),
      oauth2({ ...own, ...endpoints, dcr: { registration_endpoint: `${metadata.issuer}/register` } }),
    ]) {
      const { status, body: made } = await send(CREATE, undefined, body);
      expect([status, made.registration_mode]).toEqual([201, 'dcr']);
      expect((await send(READ, made.id)).body).toEqual(made);
    }
    metadata.overrideFields({ registration_endpoint: undefined, client_id_metadata_document_supported: true });
    expect((await send(CREATE, undefined, oidc(metadata.issuer, { ...own, dcr: {} }))).status).toBe(201);
  });

  it('have unique names, in any case', async () => {
    const { name } = await makeProvider(manager);
    const before = await readDatabaseState(manager);
    const twice = await send(CREATE, undefined, { ...oauth2(), name: name.toUpperCase() });
    expect([twice.status, twice.body.error]).toEqual([409, 'name: another identity provider has this name already']);
    expect(await readDatabaseState(manager)).toBe(before);
    const other = await makeProvider(manager);
    expect((await send(UPDATE, other.id, { ...oauth2(), name })).status).toBe(409);
    const found = await manager.client.call<Page<Provider>>(LIST, {
      token: manager.tokens.auditor,
      query: { name: name.toUpperCase() },
    });
    expect(found.body.items.map((one) => one.name)).toEqual([name]);
  });

  it.each<[string, number, RegExp, Record<string, unknown>]>([
    ['no block', 400, /^oidc_config: is required/, { name: 'x', provider_type: 'oidc' }],
    ['no block of oauth2', 400, /^oauth2_config: is required/, { name: 'x', provider_type: 'oauth2' }],
    ['both blocks', 400, /^oauth2_config: does not belong/, { ...oauth2(), ...oidc('https://93.184.216.34') }],
    ['the block of another type', 400, /^oauth2_config: does not belong/, { ...oauth2(), provider_type: 'oidc' }],
    ['another type', 400, /provider_type/, { ...oauth2(), provider_type: 'saml' }],
    ['an unknown field', 400, /provider_type|surprise/, { ...oauth2(), surprise: 1 }],
    ['a secret in clear', 400, /client_secret/, oauth2({ client_secret: 'in clear' })],
    ['neither client_id nor dcr', 400, /client_id: exactly one/, oauth2({ client_id: undefined })],
    [
      'client_id and dcr',
      400,
      /client_id: exactly one/,
      oauth2({ dcr: { registration_endpoint: 'https://93.184.216.34/r' } }),
    ],
    ['dcr of oauth2 that leads nowhere', 400, /dcr: must name/, oauth2({ client_id: undefined, dcr: {} })],
    [
      'dcr of both kinds',
      400,
      /dcr: must name .* not both/,
      oauth2({
        client_id: undefined,
        dcr: { discovery_url: 'https://93.184.216.34/d', registration_endpoint: 'https://93.184.216.34/r' },
      }),
    ],
    [
      'dcr with a secret',
      400,
      /client_secret: does not belong/,
      oauth2({
        client_id: undefined,
        client_secret: { managed_secret_id: randomUUID() },
        dcr: { registration_endpoint: 'https://93.184.216.34/r' },
      }),
    ],
    [
      'a method without a secret',
      400,
      /needs client_secret/,
      oauth2({ token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['a scope with a blank', 400, /scopes/, oauth2({ scopes: ['a b'] })],
    ['a scope twice', 400, /scopes/, oauth2({ scopes: ['a', 'a'] })],
    ['a redirect to a script', 400, /redirect_uri/, oauth2({ redirect_uri: 'javascript:alert(1)' })],
    [
      'an endpoint that is a script',
      400,
      /authorization_endpoint/,
      oauth2({ authorization_endpoint: 'javascript:alert(1)' }),
    ],
    ['an endpoint with a user', 400, /token_endpoint/, oauth2({ token_endpoint: 'https://u:p@93.184.216.34/t' })],
    ['an issuer with a query', 400, /issuer_url: must not have a query/, oidc('https://93.184.216.34/?tenant=1')],
    [
      'a protocol parameter',
      422,
      /additional_authorization_params.state/,
      oidc('https://93.184.216.34', { additional_authorization_params: { state: 'mine' } }),
    ],
    [
      'a weaker way to prove who began',
      422,
      /additional_authorization_params.code_challenge_method/,
      oidc('https://93.184.216.34', { additional_authorization_params: { code_challenge_method: 'plain' } }),
    ],
    ['plain http', 422, /token_endpoint: .*https/, oauth2({ token_endpoint: 'http://93.184.216.34/t' })],
    [
      'an unknown secret',
      422,
      /client_secret.managed_secret_id: there is no such secret/,
      oauth2({ client_secret: { managed_secret_id: randomUUID() } }),
    ],
    [
      'a secret of an unknown name',
      422,
      /managed_secret_name: there is no such secret/,
      oauth2({ client_secret: { managed_secret_name: 'missing' } }),
    ],
    [
      'a Secret of a cluster',
      422,
      /kubernetes_secret: this deployment does not read Kubernetes Secrets/,
      oauth2({ client_secret: { kubernetes_secret: { name: 'a', namespace: 'b', key: 'c' } } }),
    ],
    [
      'two references in one',
      400,
      /exactly one secret/,
      oauth2({ client_secret: { managed_secret_id: randomUUID(), managed_secret_name: 'x' } }),
    ],
    ['no reference', 400, /exactly one secret/, oauth2({ client_secret: {} })],
  ])('are refused with %s', async (_, status, sentence, body) => expectRefusal(body, status, sentence));

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '10.0.0.1',
    '0',
    '169.254.169.254',
    'localhost.',
  ])('are not called at %s without allow_private_ips', async (host) => {
    await expectRefusal(oidc(`https://${host}`, { allow_private_ips: false }), 422, /^oidc_config\.issuer_url: /);
    await expectRefusal(oauth2({ token_endpoint: `https://${host}/t` }), 422, /^oauth2_config\.token_endpoint: /);
  });

  it('are not called at metadata and link-local addresses, also with allow_private_ips', async () => {
    for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '0.0.0.0'])
      await expectRefusal(oidc(`http://${host}`), 422, /never called/);
  });

  describe('identity providers with a metadata document', () => {
    const expectDocumentRefusal = (sentence: RegExp, config: Record<string, unknown> = {}) =>
      expectRefusal(oidc(metadata.issuer, config), 422, sentence);
    const dcr = { client_id: undefined, dcr: {} };

    it('are refused with the reason if the document cannot be read', async () => {
      metadata.replaceDocument((_, response) => response.writeHead(404).end());
      await expectDocumentRefusal(/answers HTTP 404 at \/\.well-known\/openid-configuration/);
      metadata.replaceDocument((_, response) => response.end('<html>'));
      await expectDocumentRefusal(/not with a metadata document/);
      metadata.replaceDocument((_, response) => response.end('[]'));
      await expectDocumentRefusal(/not with a metadata document/);
      metadata.replaceDocument((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
      await expectDocumentRefusal(/answers with a redirect/);
      metadata.replaceDocument((_, response) => response.end(' '.repeat(300 * 1024)));
      await expectDocumentRefusal(/longer than/);
      await expectRefusal(oidc(metadata.issuer.replace('http:', 'https:')), 422, /TLS/);
    });

    it('are refused if the document has another issuer', async () => {
      for (const issuer of [elsewhere.issuer, `${metadata.issuer}/`, undefined, 7]) {
        metadata.overrideFields({ issuer });
        await expectDocumentRefusal(/another issuer/);
      }
    });

    it.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://x.example/\nhttps://y.example', 7, undefined])(
      'are refused if the document has the authorization endpoint %j',
      async (authorization_endpoint) => {
        metadata.overrideFields({ authorization_endpoint });
        await expectDocumentRefusal(/authorization_endpoint that .* names cannot be used/);
      },
    );

    it('are refused without a call if private endpoints are on another authority', async () => {
      const { id } = await makeSecret(manager, 'initial');
      for (const [field, path] of [
        ['token_endpoint', '/token'],
        ['jwks_uri', '/jwks'],
        ['registration_endpoint', '/register'],
        ['userinfo_endpoint', '/userinfo'],
      ] as const) {
        metadata.overrideFields({ [field]: `${elsewhere.issuer}${path}` });
        await expectDocumentRefusal(new RegExp(`${field} that .* names cannot be used`), {
          client_id: undefined,
          dcr: { initial_access_token: { managed_secret_id: id } },
        });
        metadata.overrideFields({ [field]: 'https://169.254.169.254/latest' });
        await expectDocumentRefusal(/never called/);
        metadata.overrideFields({ [field]: 'https://localhost./x' });
        await expectDocumentRefusal(/this machine itself/);
      }
      expect(elsewhere.requestedPaths).toEqual([]);
    });

    it('are refused if the initial access token would be sent to another authority', async () => {
      const { id } = await makeSecret(manager, 'initial');
      metadata.overrideFields({ registration_endpoint: 'https://93.184.216.34/register' });
      await expectDocumentRefusal(/elsewhere, which would get the initial access token/, {
        client_id: undefined,
        dcr: { initial_access_token: { managed_secret_id: id } },
      });
    });

    it('are refused if the document lacks the required features', async () => {
      metadata.overrideFields({ code_challenge_methods_supported: ['plain'] });
      await expectDocumentRefusal(/PKCE with S256/);
      metadata.overrideFields({ response_types_supported: ['id_token'] });
      await expectDocumentRefusal(/authorization code flow/);
      metadata.overrideFields({ registration_endpoint: undefined });
      await expectDocumentRefusal(/register themselves/, dcr);
      const { id } = await makeSecret(manager, 'secret');
      await expectDocumentRefusal(/does not take client_secret_post|register/, {
        client_secret: { managed_secret_id: id },
        token_endpoint_auth_method: 'client_secret_post',
      });
    });

    it('are refused for oauth2 if the document has other endpoints than configured', async () => {
      const config = {
        client_id: undefined,
        allow_private_ips: true,
        authorization_endpoint: `${metadata.issuer}/authorize`,
        token_endpoint: `${metadata.issuer}/token2`,
        dcr: { discovery_url: `${metadata.issuer}/.well-known/oauth-authorization-server` },
      };
      await expectRefusal(oauth2(config), 422, /^oauth2_config\.dcr\.discovery_url: .*another token_endpoint/);
      metadata.overrideFields({ issuer: elsewhere.issuer });
      await expectRefusal(oauth2(config), 422, /another issuer/);
    });
  });

  it('are replaced completely, and an omitted secret is removed', async () => {
    const secret = await makeSecret(manager, 'value');
    const { id } = await makeProvider(
      manager,
      oauth2({ client_secret: { managed_secret_id: secret.id }, scopes: ['a'] }),
    );
    const etag = (await send(READ, id)).headers.get('etag') ?? '';
    const body = oauth2({ client_id: 'other' });
    const updated = await send(UPDATE, id, body, { headers: { 'if-match': etag } });
    expect(updated.status).toBe(200);
    expect(updated.body.oauth2_config).toEqual(body['oauth2_config']);
    expect(updated.headers.get('etag')).not.toBe(etag);
    expect((await listAuditEvents(id)).at(-1)).toMatchObject({
      operation: 'Update connector identity provider',
      changed_fields: ['name', 'oauth2_config'],
    });
    for (const [operation, sent] of [
      [UPDATE, body],
      [DELETE, undefined],
    ] as const)
      expect((await send(operation, id, sent, { headers: { 'if-match': etag } })).status).toBe(412);
    const gone = await manager.client.call('DELETE /v1/managed-secrets/{id}', {
      token: manager.tokens.admin,
      path: { id: secret.id },
    });
    expect(gone.status).toBe(204);
  });

  it('keep a change that occurs while their document is read', async () => {
    const { id, name } = await makeProvider(manager);
    let arrived: (() => void) | undefined;
    const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
    let go: (() => void) | undefined;
    const decided = new Promise<void>((resolve) => (go = resolve));
    metadata.replaceDocument((_, response) => {
      arrived?.();
      void decided.then(() => {
        response.end(
          JSON.stringify({
            issuer: metadata.issuer,
            authorization_endpoint: `${metadata.issuer}/a`,
            token_endpoint: `${metadata.issuer}/t`,
          }),
        );
      });
    });
    const slow = send(UPDATE, id, { ...oidc(metadata.issuer), name });
    await hasArrived;
    expect((await send(UPDATE, id, { ...oauth2({ client_id: 'quick' }), name })).status).toBe(200);
    go?.();
    expect((await slow).status).toBe(409);
    expect((await send(READ, id)).body).toMatchObject({
      provider_type: 'oauth2',
      oauth2_config: { client_id: 'quick' },
    });
  });

  it('are listed in pages, and a cursor is valid only for its caller', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await makeProvider(manager)).id);
    const readPage = (query: Record<string, string | number>, token = manager.tokens.admin) =>
      manager.client.call<Page<Provider>>(LIST, { token, query });
    const seen: string[] = [];
    let cursor: string | undefined;
    let first: string | undefined;
    do {
      const { body } = await readPage({ limit: 3, ...(cursor !== undefined && { cursor }) });
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor;
      first ??= cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-4)).toEqual(ids);
    expect((await readPage({ cursor: first ?? '' }, manager.tokens.auditor)).status).toBe(400);
    expect((await readPage({ limit: 0 })).status).toBe(400);
  });

  it('are written only by administrators, and unknown ids return 404', async () => {
    const { id } = await makeProvider(manager);
    for (const token of [manager.tokens.auditor, manager.tokens.alice, manager.tokens.gateway]) {
      expect((await send(CREATE, undefined, oauth2(), { token })).status).toBe(403);
      expect((await send(UPDATE, id, oauth2(), { token })).status).toBe(403);
      expect((await send(DELETE, id, undefined, { token })).status).toBe(403);
    }
    for (const token of [manager.tokens.alice, manager.tokens.gateway]) {
      expect((await send(READ, id, undefined, { token })).status).toBe(403);
      expect((await send(LIST, undefined, undefined, { token })).status).toBe(403);
    }
    for (const [operation, body] of [
      [READ, undefined],
      [UPDATE, oauth2()],
      [DELETE, undefined],
    ] as const) {
      expect((await send(operation, randomUUID(), body)).status).toBe(404);
      expect((await send(operation, 'nonsense', body)).status).toBe(400);
    }
    expect((await send(DELETE, id)).status).toBe(204);
    expect((await send(DELETE, id)).status).toBe(404);
  });
});
