import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AUDIENCE, createIssuersSetting, startIssuer, startManager } from '../real-manager.mjs';
import { startServer } from '../server.mjs';
import { countRows, startMeasuredService } from './measured-run.mjs';

const GATEWAY = 'local';
/** Connections are created for so many people at a time. */
const PEOPLE_AT_A_TIME = 8;

/**
 * Starts the surroundings of a connector gateway: an issuer, the enterprise manager with its own
 * Postgres, and the Postgres of the gateway. All of them run on the core of this process.
 * @param people subjects of the users
 */
export async function startScene({ home, people }) {
  // Its signatures are cheaper to verify than those of ES256.
  const issuer = await startIssuer({ algorithm: 'RS256' });
  const [postgres, managerPostgres] = [
    await startServer(join(home, 'gateway')),
    await startServer(join(home, 'enterprise-manager')),
  ];
  const urls = await postgres.database('connector_gateway');
  const managerUrls = await managerPostgres.database('enterprise_manager');
  const manager = await startManager(issuer, {
    DATABASE_URL: managerUrls.url,
    DATABASE_OWNER_URL: managerUrls.ownerUrl,
    ALLOW_LOOPBACK_UPSTREAMS: 'true',
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SEED_USERS: JSON.stringify(people.map((subject) => createSeedUser(issuer, subject))),
  });
  const admin = await issuer.token('admin', ['admin']);
  return {
    home,
    issuer,
    urls,
    /** The key-encryption keys of the gateway. */
    keys: `1:${randomBytes(32).toString('base64')}`,
    manager,
    postgres,
    managerPostgres,
    api: (method, path, body, token = admin) => sendApi(`${manager.url}${path}`, { method, body, token }),
    countRecords: () => countRows(managerPostgres, managerUrls.url, 'tool_calls'),
    async end() {
      await manager.end();
      issuer.close();
      await Promise.all([postgres.stop(), managerPostgres.stop()]);
    },
  };
}

const createSeedUser = (issuer, subject) => ({
  issuer: issuer.name,
  subject,
  user_name: subject,
  display_name: subject,
  email: `${subject}@example.test`,
});

/** Sends a request to the enterprise manager. @returns the JSON body @throws {Error} */
async function sendApi(url, { method, body, token }) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'PUT' && { 'if-match': '*' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * Publishes one connector for each upstream, with a Cedar policy for a group of people, and enables
 * it for each of them.
 * @param auth of the requests to them; default none
 * @returns `slugs`, `ids`, and `setAddress`, which changes the path of all endpoints
 */
export async function addConnectors(scene, { name, ports, people, auth }) {
  const { api } = scene;
  const group = await api('POST', '/v1/groups', { display_name: name });
  const users = new Map((await listUsers(api)).map((user) => [user.user_name, user.id]));
  for (const subject of people) await api('PUT', `/v1/groups/${group.id}/users/${users.get(subject)}`);
  const createState = (at, path) => ({
    name: `${name}-${at}`,
    endpoint: `http://127.0.0.1:${ports[at]}${path}`,
    transport: 'streamable-http',
    draft: false,
    allow_private_ips: true,
    ...(auth && { auth }),
  });
  const connectors = [];
  for (const at of ports.keys()) {
    const connector = await api('POST', `/v1/gateways/${GATEWAY}/connectors`, createState(at, '/mcp'));
    if (connector.status !== 'available')
      throw new Error(`a connector is ${connector.status}: ${connector.status_message}`);
    await api('PUT', `/v1/connectors/${connector.id}/policy/cedar-mode`);
    await api('PUT', `/v1/connectors/${connector.id}/policy/document`, { document: createPolicy(group.id) });
    connectors.push(connector);
  }
  await enable(scene, connectors, people);
  return {
    slugs: connectors.map(({ slug }) => slug),
    ids: connectors.map(({ id }) => id),
    async setAddress(path) {
      for (const [at, { id }] of connectors.entries())
        await api('PUT', `/v1/gateways/${GATEWAY}/connectors/${id}`, createState(at, path));
    },
  };
}

/** A policy with a grant and an exception. */
const createPolicy = (groupId) => `permit(principal in Group::"${groupId}", action, resource);
forbid(principal, action == Action::"call_tool", resource) when { resource.name == "delete" };`;

async function listUsers(api) {
  const users = [];
  let cursor;
  do {
    const page = await api('GET', `/v1/users?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    users.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return users;
}

async function enable({ api, issuer }, connectors, people) {
  const enableFor = async (subject) => {
    const token = await issuer.token(subject);
    for (const { id } of connectors)
      await api('POST', '/v1/me/connections', { gateway_id: GATEWAY, connector_id: id, enabled: true }, token);
  };
  for (let at = 0; at < people.length; at += PEOPLE_AT_A_TIME)
    await Promise.all(people.slice(at, at + PEOPLE_AT_A_TIME).map(enableFor));
}

/**
 * Starts the built connector gateway in directory mode and waits until it is ready.
 * @param profile folder of its CPU profile
 * @returns its MCP port and process
 */
export async function startGateway({ home, issuer, urls, manager, keys }, { profile } = {}) {
  const env = {
    PORT: '0',
    CONTROL_PORT: '0',
    METRICS_PORT: '0',
    AUDIENCE,
    ISSUERS: createIssuersSetting(issuer),
    CURSOR_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: urls.url,
    DATABASE_OWNER_URL: urls.ownerUrl,
    KEY_ENCRYPTION_KEYS: keys,
    GATEWAY_ID: GATEWAY,
    ENTERPRISE_MANAGER_URL: manager.url,
    TOKEN_URL: `${issuer.name}/token`,
    CLIENT_ID: 'gateway',
    CLIENT_SECRET: 'bench',
    ALLOW_LOOPBACK_UPSTREAMS: 'true',
  };
  return startMeasuredService('connector-gateway', { home, env, profile, findUrl: ({ mcp }) => mcp });
}
