import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SubjectTokens } from '../src/credentials/subject-tokens.ts';
import { listClientScenarios, runClientScenario, type ScenarioServer } from './support/client-scenarios.ts';
import { listProblems } from '@gatehouse/testing/conformance-suite';
import { ConnectWorld } from './support/connect-world.ts';
import { createDiscoveredProvider, findIssuer, ScenarioPerson } from './support/scenario-person.ts';
import type { Gateway } from './support/world.ts';

/** The scenarios of features that the gateway does not have. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt':
    'each sign-in at an upstream is that of a person, so there is no client-credentials grant',
  'auth/client-credentials-basic':
    'each sign-in at an upstream is that of a person, so there is no client-credentials grant',
  'auth/dpop': 'tokens for upstreams are bearer tokens (RFC 6750)',
  'auth/dpop-nonce': 'tokens for upstreams are bearer tokens (RFC 6750)',
  'auth/wif-jwt-bearer': 'a workload has no identity at upstreams; assertions are those of persons (cross-app access)',
};

/** The scenarios whose servers are faulty, and the end of the sign-in. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'auth/scope-retry-limit': /although you have allowed everything/,
  'auth/resource-mismatch': /sent an invalid response/,
  'auth/iss-supported-missing': /sent an invalid response/,
  'auth/iss-wrong-issuer': /sent an invalid response/,
  'auth/iss-unexpected': /sent an invalid response/,
  'auth/iss-normalized': /sent an invalid response/,
  'auth/metadata-issuer-mismatch': /sent an invalid response/,
};

/** Scenarios in which the gateway does not come to the document of the MCP server. */
const WITHOUT_DOCUMENT: ReadonlySet<string> = new Set([
  'auth/enterprise-managed-authorization',
  'auth/metadata-issuer-mismatch',
]);

/** The client id that the suite expects in `auth/basic-cimd`: that of its own example. */
const FIXED_CLIENT_ID = 'https://conformance-test.local/client-metadata.json';

/** An address for browsers with https, which the client id metadata document needs. */
const SECURE_ORIGIN = 'https://gateway.example';

const scenarios = await listClientScenarios();
const offered = scenarios.filter(({ name }) => NOT_OFFERED[name] === undefined);

let scene: ConnectWorld;
let gateway: Gateway;
let person: ScenarioPerson;
beforeAll(async () => {
  scene = await ConnectWorld.start();
  gateway = await scene.gateway();
  person = new ScenarioPerson(scene, gateway);
}, 60_000);
afterAll(() => scene.close());

const findProvider = async ({ serverUrl }: ScenarioServer) => createDiscoveredProvider(await findIssuer(serverUrl));

/** Connects through a provider of which the administrator knows only the issuer. */
const connect = async (server: ScenarioServer): Promise<void> =>
  person.call(await person.addConnector(server, await findProvider(server)));

/** Connects as the client that an administrator registered. */
async function connectRegistered(server: ScenarioServer): Promise<void> {
  const { client_id = '', client_secret = '' } = server.context;
  const id = randomUUID();
  scene.world.manager.secrets.set(id, { value: client_secret, version: 1 });
  const provider = createDiscoveredProvider(await findIssuer(server.serverUrl), { client_id });
  provider.secrets = { 'oidc_config.client_secret': { id, version: 1 } };
  await person.call(await person.addConnector(server, provider));
}

/** Connects through a provider without any document, whose endpoints an administrator typed. */
async function connectTyped(server: ScenarioServer): Promise<void> {
  const { origin } = new URL(server.serverUrl);
  const provider = createDiscoveredProvider(origin);
  delete provider.oidc_config;
  provider.provider_type = 'oauth2';
  provider.oauth2_config = {
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    dcr: { registration_endpoint: `${origin}/register` },
    allow_private_ips: true,
  };
  await person.call(await person.addConnector(server, provider));
}

/**
 * Connects. Before each sign-in, an administrator takes over the authorization server that the
 * document names.
 */
async function connectMigrated(server: ScenarioServer): Promise<void> {
  const connector = await person.addConnector(server, await findProvider(server));
  await person.call(connector, async () => person.replaceProvider(connector, await findProvider(server)));
}

/**
 * Calls as a user whose ID token is that of the scenario. The suite publishes no keys of its
 * identity provider, so the token cannot come through a sign-in.
 */
async function callAcrossApps(server: ScenarioServer): Promise<void> {
  const { idp_id_token: idToken = '', idp_issuer = '', idp_client_id, client_id, client_secret = '' } = server.context;
  const issuer = await findIssuer(server.serverUrl);
  const id = randomUUID();
  scene.world.manager.secrets.set(id, { value: client_secret, version: 1 });
  const auth = {
    type: 'xaa',
    xaa: {
      idp_client_id,
      subject_token_type: 'id_token',
      target_audience: issuer,
      target_resource: server.serverUrl,
      target_client_id: client_id,
      target_token_url: `${issuer}/token`,
      insecure_target_token_url: true,
    },
    secrets: { 'xaa.target_client_secret': { id, version: 1 } },
  };
  const subjects = gateway.service.app.get(SubjectTokens);
  subjects.find = () => Promise.resolve({ accessToken: idToken, idToken, claims: {} });
  await person.call(
    await person.addConnector(server, createDiscoveredProvider(idp_issuer, { client_id: 'unused' }), auth),
  );
}

/** Connects with a client id metadata document. */
async function connectWithDocument(server: ScenarioServer): Promise<void> {
  const secure = await scene.world.gateway({
    ...scene.settings,
    PUBLIC_URL: SECURE_ORIGIN,
    ALLOWED_HOSTS: '["127.0.0.1"]',
  });
  scene.allowSignIn(SECURE_ORIGIN);
  const one = new ScenarioPerson(scene, secure, SECURE_ORIGIN);
  try {
    await one.call(await one.addConnector(server, await findProvider(server)));
  } finally {
    await secure.close();
  }
}

const CLIENTS: Readonly<Record<string, (server: ScenarioServer) => Promise<void>>> = {
  'auth/basic-cimd': connectWithDocument,
  'auth/pre-registration': connectRegistered,
  'auth/2025-03-26-oauth-endpoint-fallback': connectTyped,
  'auth/authorization-server-migration': connectMigrated,
  'auth/enterprise-managed-authorization': callAcrossApps,
};

describe.each(offered)('the scenario $name at $revision', (scenario) => {
  it('passes with the gateway as the client', async () => {
    const { checks, failure } = await runClientScenario(scenario, CLIENTS[scenario.name] ?? connect);
    const expected = REFUSED[scenario.name];
    if (expected === undefined) expect(failure).toBeUndefined();
    else expect(failure).toMatch(expected);
    // The administrator of the test reads the document of the server too, once for each sign-in.
    const reads = checks.filter(({ id }) => id === 'prm-pathbased-requested').length;
    if (!WITHOUT_DOCUMENT.has(scenario.name)) expect(reads).not.toBe(1);
    if (scenario.name !== 'auth/basic-cimd') {
      expect(listProblems(checks)).toEqual([]);
      return;
    }
    expect(listProblems(checks)).toEqual([expect.stringContaining('cimd-client-id-used')]);
    expect(checks.find(({ id }) => id === 'cimd-client-id-used')?.details).toEqual({
      expectedClientId: FIXED_CLIENT_ID,
      actualClientId: `${SECURE_ORIGIN}/oauth/client-metadata.json`,
    });
  }, 90_000);
});

describe('the suite', () => {
  it('has every scenario that a table of this test names', () => {
    const names = new Set(scenarios.map(({ name }) => name));
    for (const name of [...Object.keys(NOT_OFFERED), ...Object.keys(REFUSED), ...Object.keys(CLIENTS)])
      expect(names).toContain(name);
  });
});
