import { GATEWAY_CLIENT } from '@gatehouse/testing/issuer';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import type { TestDatabase } from '@gatehouse/testing/postgres';
import { GATEWAY_ID, type World } from './world.ts';

/** The members of the manager's responses that tests read. */
export interface ManagerAnswer {
  id: string;
  items: { id: string; user_name: string }[];
  records: Record<string, unknown>[];
}

/** The users `alice` and `bob` of an issuer, for the variable SEED_USERS. */
export const createSeedUsers = (issuer: string, getSubject = (user: string): string => user): string =>
  JSON.stringify(
    ['alice', 'bob'].map((user) => ({
      issuer,
      subject: getSubject(user),
      user_name: user,
      display_name: user,
      email: `${user}@example.test`,
    })),
  );

/**
 * Starts the real enterprise manager for the gateway of a world, in a process of its own. It trusts
 * the issuer of the world, and knows the users alice and bob.
 * @param more further variables
 */
export function startManager(
  world: World,
  database: TestDatabase,
  port: number,
  more: Record<string, string> = {},
): Promise<TestProcess> {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...common } = world.environment();
  const { issuer } = world.issuer;
  return startProcess({
    app: 'enterprise-manager',
    env: {
      ...common,
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      ISSUERS: JSON.stringify([
        { id: 'local', issuer, roles: { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } } },
      ]),
      ALLOW_LOOPBACK_UPSTREAMS: 'true',
      LOG_LEVEL: 'debug',
      GATEWAYS: JSON.stringify([
        {
          id: GATEWAY_ID,
          display_name: 'Test',
          kind: 'connector',
          client_ids: [{ issuer, client_id: GATEWAY_CLIENT }],
        },
      ]),
      SEED_USERS: createSeedUsers(issuer),
      ...more,
    },
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  });
}

/** A request to a manager. */
export interface ManagerRequest {
  token: string;
  method: string;
  path: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/** Sends a request to a manager. @throws Error for a refusal */
export async function requestManager(
  managerUrl: string,
  { token, method, path, body, headers = {} }: ManagerRequest,
): Promise<{ body: ManagerAnswer; etag: string | null }> {
  const response = await fetch(`${managerUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return { body: (text === '' ? undefined : JSON.parse(text)) as ManagerAnswer, etag: response.headers.get('etag') };
}
