import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { decodeJwt } from 'jose';
import { AUTH_TYPES, AuthTypesWorld, PERSON } from './support/auth-types-world.ts';
import { EXCHANGE_KINDS, type ExchangeKind } from './support/exchange-world.ts';
import { modern } from './support/raw.ts';
import { refresh, type SignedInClient, signInClient } from './support/raw-authorization.ts';
import type { Gateway } from './support/world.ts';

/** The claims that the corporate provider states about the user. */
const CLAIMS = { groups: ['readers'], email: 'carol@example.test' };

let scene: AuthTypesWorld;
let gateway: Gateway;
/** Every token that a client sent to the gateway. */
const tokens: string[] = [];
beforeAll(async () => {
  scene = await AuthTypesWorld.start();
  gateway = await scene.gateway();
  scene.exchanges.world.issuer.authorization.claims = CLAIMS;
  await scene.connect(gateway, await createToken());
}, 90_000);
afterAll(() => scene.close());

const createToken = () => scene.exchanges.world.token(PERSON, { claims: CLAIMS });

/** Calls the tool of each connector at the one endpoint. */
async function callAll(token: string): Promise<void> {
  tokens.push(token);
  for (const type of AUTH_TYPES) {
    const { connector, upstream } = scene.scenes.get(type)!;
    const params = { name: `${connector.slug}__${upstream.tools.echo}`, arguments: { text: `for ${type}` } };
    const { json } = await modern(`${gateway.url}/mcp`, token, 'tools/call', params);
    expect([type, JSON.stringify(json)]).toEqual([type, expect.stringContaining(`"text":"for ${type}"`)]);
  }
}

/** The token of the user that the last exchange of a kind sent. */
function readSubjectToken(kind: ExchangeKind): string {
  const form = scene.exchanged.get(kind)!.provider.requests.at(-1)!.form;
  return form.get('subject_token') ?? form.get('assertion') ?? form.get('WebIdentityToken') ?? '';
}

describe('one user at connectors with all types of authentication', () => {
  it('calls each of them with a corporate token', async () => {
    const token = await createToken();
    await callAll(token);
    for (const kind of EXCHANGE_KINDS) expect([kind, readSubjectToken(kind)]).toEqual([kind, token]);
  });

  it('sees the status of each', async () => {
    const api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
    const { body } = await api.call<{ statuses: { connector_id: string; connection_status: string }[] }>(
      'GET /v1/users/me/gateway/connectors/status',
      { token: await createToken() },
    );
    const statuses = new Map(body.statuses.map((one) => [one.connector_id, one.connection_status]));
    for (const [type, { connector }] of scene.scenes)
      expect([type, statuses.get(connector.id)]).toEqual([type, type === 'upstreamInject' ? 'connected' : 'ready']);
  });

  describe('signed in through the authorization server of the gateway', () => {
    let client: SignedInClient;
    const first = new Map<ExchangeKind, string>();
    beforeAll(async () => {
      client = await signInClient(gateway.url);
    });

    it('calls each of them, and exchanges take the corporate token of the grant', async () => {
      await callAll(client.accessToken);
      for (const kind of EXCHANGE_KINDS) {
        const token = readSubjectToken(kind);
        first.set(kind, token);
        const { iss, sub } = decodeJwt(token);
        expect([kind, iss, sub]).toEqual([kind, scene.exchanges.world.issuer.issuer, PERSON]);
        expect(tokens).not.toContain(token);
      }
    });

    it('calls each of them after a refresh, and exchanges take the refreshed corporate token', async () => {
      const { status, body } = await refresh(gateway.url, client.clientId, client.refreshToken);
      expect(status).toBe(200);
      await callAll(body['access_token'] ?? '');
      for (const kind of EXCHANGE_KINDS) {
        const token = readSubjectToken(kind);
        expect([kind, token === first.get(kind)]).toEqual([kind, false]);
        expect(decodeJwt(token).iss).toBe(scene.exchanges.world.issuer.issuer);
        expect(tokens).not.toContain(token);
      }
    });
  });

  it('gives each server its own credential, and none the token of the user', () => {
    expect(tokens).toHaveLength(3);
    for (const [type, { guard }] of scene.scenes) {
      expect([type, guard.faults]).toEqual([type, []]);
      const seen = JSON.stringify(guard.requests);
      for (const token of tokens) expect(seen).not.toContain(token.split('.')[2]);
      for (const other of AUTH_TYPES)
        if (other !== type)
          for (const credential of scene.listCredentials(other))
            expect([type, other, seen.includes(credential)]).toEqual([type, other, false]);
    }
    for (const type of AUTH_TYPES)
      expect([type, scene.listCredentials(type).length > 0]).toEqual([type, type !== 'none']);
  });
});
