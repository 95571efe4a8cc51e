import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testbedFolder } from './cache.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { freePort } from './ports.ts';
import { startProcess, type TestProcess } from './process.ts';

/** A client of the provider. */
export interface DexClient {
  id: string;
  secret: string;
  redirectUris: readonly string[];
}

/** A running dex: an OpenID provider whose users sign in with a password in a browser. */
export interface Dex {
  readonly issuer: string;
  /** The password of all users. */
  readonly password: string;
  /** The claim `sub` of a user. */
  getSubject(user: string): string;
  /** Gets an access token with the password of a user, without a browser. */
  fetchToken(user: string): Promise<string>;
  /** Restarts it: it knows no earlier sign-in, and signs with new keys. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The connector of dex for the passwords of its configuration. */
const CONNECTOR = 'local';
const PASSWORD = 'password';
/** A bcrypt hash of PASSWORD. */
const PASSWORD_HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

/** The program dex in the cache that `node tools/testbed/build.mjs` fills. */
export function findDex(): Fixture<string> {
  const program = join(testbedFolder(), 'bin', 'dex');
  return existsSync(program)
    ? available(program)
    : unavailable(`${program} is missing: run "node tools/testbed/build.mjs dex" once (Go, about 2 minutes)`);
}

/**
 * Starts dex on a free loopback port, with its data in memory. A user `alice` has the address
 * `alice@example.test`, with which she signs in.
 */
export async function startDex(program: string, client: DexClient, users: readonly string[]): Promise<Dex> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dex-'));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}/dex`;
  const configuration = join(folder, 'dex.json');
  writeFileSync(configuration, JSON.stringify(configure(issuer, client, users)));
  const start = (): Promise<TestProcess> =>
    startProcess({
      command: [program, 'serve', configuration],
      readyUrl: `${issuer}/.well-known/openid-configuration`,
    });
  let running = await start();
  return {
    issuer,
    password: PASSWORD,
    getSubject,
    fetchToken: (user) => fetchToken(issuer, client, user),
    restart: async () => {
      await running.killHard();
      running = await start();
    },
    stop: async () => {
      await running.killHard();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fetchToken(issuer: string, { id, secret }: DexClient, user: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({
      ...{ grant_type: 'password', scope: 'openid email' },
      ...{ username: createAddress(user), password: PASSWORD },
    }),
  });
  if (!response.ok) throw new Error(`dex gives no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

const configure = (issuer: string, { id, secret, redirectUris }: DexClient, users: readonly string[]) => ({
  issuer,
  storage: { type: 'memory' },
  web: { http: new URL(issuer).host },
  oauth2: { skipApprovalScreen: true, passwordConnector: CONNECTOR },
  // A refresh token is invalid as soon as its successor exists.
  expiry: { idTokens: '1h', refreshTokens: { reuseInterval: '0s' } },
  enablePasswordDB: true,
  staticClients: [{ id, secret, redirectURIs: redirectUris, name: id }],
  staticPasswords: users.map((user) => ({
    email: createAddress(user),
    username: user,
    userID: user,
    hash: PASSWORD_HASH,
  })),
});

const createAddress = (user: string): string => `${user}@example.test`;

/** The subject of dex is a message of Protocol Buffers: user id and connector id, in base64url. */
const getSubject = (user: string): string =>
  Buffer.concat([encodeField(1, user), encodeField(2, CONNECTOR)]).toString('base64url');

const encodeField = (number: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, text.length]), Buffer.from(text)]);
