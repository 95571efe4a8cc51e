import { ManagerConnection } from '@gatehouse/service-kit/manager-connection';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The id of the gateway in GATEWAYS of the enterprise manager. */
export const GATEWAY_ID = 'local-ai';

/** The client of the gateway. */
const CLIENT_ID = 'ai-gateway';

/** A real enterprise manager in a process of its own, with the users alice and bob. */
export interface RealManager {
  readonly url: string;
  readonly issuer: TestIssuer;
  /** The variables that connect a gateway to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** A connection with the token of the gateway. */
  readonly connection: ManagerConnection;
  /** Sends a request. @param as a subject with the role `admin`, or the user `alice` or `bob` */
  call<Body>(as: string, method: string, path: string, body?: object): Promise<Body>;
  /** Stops the process and keeps its database. */
  stop(): Promise<void>;
  /** Sends SIGKILL and keeps the database. */
  kill(): Promise<void>;
  /** Starts the process again. @param secretIds managed secrets that the gateway may reveal */
  restart(secretIds?: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param more further variables, which replace others
 * @param users the users of the directory
 */
export async function startRealManager(
  more: Readonly<Record<string, string>> = {},
  users: readonly string[] = ['alice', 'bob'],
): Promise<RealManager> {
  const issuer = await startIssuer();
  const database = await createDatabase({ name: 'enterprise-manager-of-an-ai-gateway' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const createToken = () => issuer.token({ subject: 'gateway', roles: ['gateway'], clientId: CLIENT_ID });
  const tokens = await startTokenEndpoint(createToken);
  const env = {
    ...createEnvironment(issuer, port, users),
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
  };
  let gateways = createGateways(issuer);
  const start = () =>
    startProcess({
      app: 'enterprise-manager',
      env: { ...env, GATEWAYS: gateways, ...more },
      readyUrl: `${url}/readyz`,
    });
  let process = await start();
  return {
    url,
    issuer,
    environment: {
      ENTERPRISE_MANAGER_URL: url,
      TOKEN_URL: tokens.url,
      CLIENT_ID,
      CLIENT_SECRET: 'secret',
      GATEWAY_ID,
    },
    connection: new ManagerConnection(url, { get: createToken, forget: () => undefined }),
    call: async <Body>(as: string, method: string, path: string, body?: object) => {
      const roles = as === 'admin' ? ['admin'] : [];
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await issuer.token({ subject: as, roles })}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as Body;
    },
    stop: async () => {
      await process.stop();
    },
    kill: () => process.killHard(),
    restart: async (secretIds) => {
      if (secretIds !== undefined) gateways = createGateways(issuer, secretIds);
      process = await start();
    },
    close: async () => {
      await process.stop();
      await tokens.close();
      await issuer.close();
      await database.drop();
    },
  };
}

const createEnvironment = (
  { issuer, audience }: TestIssuer,
  port: number,
  users: readonly string[],
): Record<string, string> => ({
  PORT: String(port),
  METRICS_PORT: '0',
  LOG_LEVEL: 'error',
  AUDIENCE: audience,
  CURSOR_KEY: 'a cursor key for tests, long enough',
  KEY_ENCRYPTION_KEYS: '1:5PdWlOEymF9BCvVJ1ur8yhgHPd3GYkCxeXwyGEJ6lI0=',
  ISSUERS: JSON.stringify([
    { id: 'local', issuer, roles: { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } } },
  ]),
  SEED_USERS: JSON.stringify(
    users.map((name) => ({
      issuer,
      subject: name,
      user_name: name,
      display_name: name,
      email: `${name}@example.test`,
    })),
  ),
});

const createGateways = ({ issuer }: Pick<TestIssuer, 'issuer'>, secrets: readonly string[] = []): string => {
  const client_ids = [{ issuer, client_id: CLIENT_ID }];
  return JSON.stringify([{ id: GATEWAY_ID, display_name: 'Models', kind: 'ai', client_ids, secrets }]);
};

/** Starts a token endpoint (RFC 6749 §4.4) for the client of the gateway. */
async function startTokenEndpoint(createToken: () => Promise<string>) {
  const server = createServer((request, response) => {
    request.resume();
    void createToken().then((access_token) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ access_token, expires_in: 300 })),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
