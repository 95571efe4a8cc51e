import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { URL } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { startService } from './child-process.mjs';
import { startServer } from './server.mjs';

/** Audience of the tokens of the issuer. */
export const AUDIENCE = 'gatehouse';
const MAIN = resolve(import.meta.dirname, '../../apps/enterprise-manager/dist/bundle/main.js');

/**
 * Runs a measurement on built enterprise managers with one Postgres, then stops all processes.
 * @param options `home`: a folder that keeps the database; `settings` of Postgres; `replicas`;
 * `env(issuer)`: further variables of the services
 * @param work receives `issuer`, `postgres`, `managers`, and the database as `ownerUrl` and
 * `adminUrl`
 */
export async function withManagers({ home, settings, replicas = 1, env = () => ({}) }, work) {
  const folder = openHome(home);
  const issuer = await startIssuer();
  const managers = [];
  let postgres;
  try {
    postgres = await startServer(join(folder, 'postgres'), settings);
    const urls = await postgres.database('enterprise_manager');
    const variables = { DATABASE_URL: urls.url, DATABASE_OWNER_URL: urls.ownerUrl, ...env(issuer) };
    for (let n = 0; n < replicas; n += 1) managers.push(await startManager(issuer, variables));
    const adminUrl = new URL(postgres.adminUrl);
    adminUrl.pathname = new URL(urls.url).pathname;
    await work({ issuer, postgres, managers, ownerUrl: urls.ownerUrl, adminUrl: adminUrl.href });
  } finally {
    for (const manager of managers) await manager.end();
    issuer.close();
    await postgres?.stop();
    if (home === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a home, by default a new one, which the user of Postgres can enter. */
export function openHome(path) {
  const home = path === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-bench-')) : resolve(path);
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  return home;
}

/** Connects to a database. A failed measurement may stop the server before the client. */
export async function connect(connectionString) {
  const database = new pg.Client({ connectionString });
  database.on('error', () => undefined);
  await database.connect();
  return database;
}

/**
 * Starts an OpenID issuer with one key, without a sign-in. Its token endpoint gives every client a
 * token of a gateway.
 */
export async function startIssuer({ algorithm = 'ES256' } = {}) {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: algorithm, use: 'sig' }];
  const documents = {
    '/.well-known/openid-configuration': () => createDiscoveryDocument(name, algorithm),
    '/token': async () => ({ access_token: await token('gateway', ['gateway']), expires_in: 3_600 }),
  };
  const server = createServer(async (incoming, response) => {
    const document = (await documents[incoming.url]?.()) ?? { keys };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const name = `http://127.0.0.1:${server.address().port}`;
  const token = (subject, roles = []) =>
    new SignJWT({ roles, ...(roles.includes('gateway') && { client_id: 'gateway' }) })
      .setProtectedHeader({ alg: algorithm, kid: 'k' })
      .setIssuer(name)
      .setAudience(AUDIENCE)
      .setSubject(subject)
      .setExpirationTime('12h')
      .sign(privateKey);
  return { name, token, close: () => server.close().closeAllConnections() };
}

const createDiscoveryDocument = (issuer, algorithm) => ({
  issuer,
  jwks_uri: `${issuer}/keys`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [algorithm],
  code_challenge_methods_supported: ['S256'],
});

/** Returns the value of ISSUERS for the services. */
export const createIssuersSetting = (issuer) =>
  JSON.stringify([
    {
      id: 'bench',
      issuer: issuer.name,
      jwks_uri: `${issuer.name}/keys`,
      roles: { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } },
    },
  ]);

/**
 * Returns the value of GATEWAYS. All gateways belong to the client of the issuer's gateway tokens.
 */
export const createGatewaysSetting = (issuer, { connector = ['local'], ai = ['local-ai'] } = {}) => {
  const client_ids = [{ issuer: issuer.name, client_id: 'gateway' }];
  const entries = { connector, ai };
  return JSON.stringify(
    Object.entries(entries).flatMap(([kind, ids]) => ids.map((id) => ({ id, display_name: id, kind, client_ids }))),
  );
};

/**
 * Starts a built enterprise manager in its own process. This process reads and drops its log.
 * @param env further variables, such as those of its database
 * @returns its URL and process, and `end`
 */
export async function startManager(issuer, env) {
  const profiling = process.execArgv.filter((flag) => flag.startsWith('--cpu-prof'));
  return startService([...profiling, MAIN], {
    AUDIENCE,
    CURSOR_KEY: randomBytes(32).toString('hex'),
    ISSUERS: createIssuersSetting(issuer),
    GATEWAYS: createGatewaysSetting(issuer),
    ...env,
  });
}

/** Sends a GET request. @throws {Error} for a status that is not expected. @returns the text */
export async function get(url, token, expected = [200]) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!expected.includes(response.status)) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}

/** Posts a JSON body as text over a kept connection. @returns the text of the response */
export function postJson(url, agent, token, body) {
  return new Promise((settle, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => settle(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject).end(body);
  });
}
