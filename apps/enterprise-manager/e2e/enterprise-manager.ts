import { migrate } from '@gatehouse/database/migrate';
import type { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { GATEWAY_CLIENT, startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import pg from 'pg';
import { AppModule } from '../src/app.module.ts';
import { loadSettings } from '../src/config/config.ts';
import { migrations } from '../src/database/migrations.ts';
import { openDatabase } from '../src/open-database.ts';
import { handling, service } from '../src/openapi.ts';
import { type FakeCluster, startFakeCluster } from './fake-cluster.ts';

/** A user that a test needs in the directory. */
export interface TestUser {
  subject: string;
  user_name: string;
  email?: string;
  display_name: string;
}

/**
 * An enterprise manager under test: the real service on a free port, with its own database and
 * issuer.
 */
export interface TestManager {
  baseUrl: string;
  client: ContractClient;
  issuer: TestIssuer;
  database: TestDatabase;
  /** The cluster whose servers it discovers, if it was started with one. */
  cluster?: FakeCluster;
  /**
   * A token for each role. `alice` and `bob` have directory entries, `stranger` has none.
   */
  tokens: Record<'admin' | 'auditor' | 'gateway' | 'alice' | 'bob' | 'stranger', string>;
  /** Runs SQL as superuser, for states that no API can create. */
  sql: <Row>(text: string, params?: unknown[]) => Promise<Row[]>;
  /** Id of the directory entry of a seeded subject. */
  findUserId(subject: string): Promise<string>;
  /** Stops the service and keeps its database. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Number of servers in the simulated cluster. */
const DISCOVERABLE_SERVERS = 1_000;

/** The users of every test directory. */
export const PEOPLE: TestUser[] = [
  { subject: 'alice', user_name: 'alice', email: 'alice@example.test', display_name: 'Alice Ångström' },
  { subject: 'bob', user_name: 'bob', email: 'Bob@Example.test', display_name: 'Bob Straße' },
];

/**
 * The setting GATEWAYS of every test: `local` and the given connector gateways, and the AI gateway
 * `local-ai`, all with one client.
 */
export const createGatewaysSetting = (
  { issuer }: Pick<TestIssuer, 'issuer'>,
  connectors: readonly string[] = [],
): string => {
  const client_ids = [{ issuer, client_id: GATEWAY_CLIENT }];
  return JSON.stringify([
    ...['local', ...connectors].map((id) => ({ id, display_name: id, kind: 'connector', client_ids })),
    { id: 'local-ai', display_name: 'local-ai', kind: 'ai', client_ids },
  ]);
};

/** The environment of a process of this service. */
export const createEnvironment = (
  issuer: TestIssuer,
  database: Pick<TestDatabase, 'url' | 'ownerUrl'>,
  {
    people = PEOPLE,
    administration = true,
    gateways = [],
  }: Pick<ManagerRequest, 'people' | 'administration' | 'gateways'> = {},
): Record<string, string> => ({
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'error',
  SPEND_EXPORT_ENABLED: 'true',
  PUBLIC_URL: 'http://enterprise-manager.test',
  AUDIENCE: issuer.audience,
  CURSOR_KEY: 'a cursor key for tests, long enough',
  KEY_ENCRYPTION_KEYS: '1:5PdWlOEymF9BCvVJ1ur8yhgHPd3GYkCxeXwyGEJ6lI0=',
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: database.ownerUrl,
  ISSUERS: JSON.stringify([
    {
      id: 'local',
      issuer: issuer.issuer,
      roles: {
        claim: 'roles',
        values: { ...(administration && { admin: ['admin'], auditor: ['auditor'] }), gateway: ['gateway'] },
      },
    },
  ]),
  GATEWAYS: createGatewaysSetting(issuer, gateways),
  SEED_USERS: JSON.stringify(people.map((person) => ({ issuer: issuer.issuer, ...person }))),
});

/** Options of a service under test. */
interface ManagerRequest {
  people?: readonly TestUser[];
  /** False: no claim gives the role of an administrator or auditor. */
  administration?: boolean;
  /** Ids of connector gateways besides `local`. */
  gateways?: readonly string[];
  /** Entries that replace those of GATEWAYS. */
  gatewaysFor?: (issuer: string) => readonly object[];
  /** Additional variables. */
  environment?: Record<string, string>;
  /** Starts a simulated cluster with servers to discover. */
  discoverable?: true;
  /** The clock of the service, also for the lifetime of tokens. */
  clock?: Clock;
  /** Longest time in which a request may arrive, in milliseconds. */
  arrivalMs?: number;
  /**
   * Prepares a new database. Default: runs all migrations. Databases with the same source text of
   * this function are copies of one template.
   */
  prepare?: (ownerUrl: string) => Promise<unknown>;
  /**
   * Puts a relay in front of the database, or changes the database before the service starts.
   * @returns the URL that the service uses
   */
  between?: (databaseUrl: string) => Promise<string>;
}

/** Starts the service. */
export async function startManager({
  people = PEOPLE,
  administration = true,
  gateways = [],
  gatewaysFor,
  environment = {},
  discoverable,
  clock,
  arrivalMs,
  prepare = (ownerUrl) => migrate(ownerUrl, migrations),
  between = (url) => Promise.resolve(url),
}: ManagerRequest = {}): Promise<TestManager> {
  const issuer = await startIssuer();
  const database = await createDatabase({
    name: 'enterprise-manager',
    prepare,
  });
  const cluster = discoverable && (await startFakeCluster(DISCOVERABLE_SERVERS));
  const settings = loadSettings({
    ...createEnvironment(
      issuer,
      { ...database, url: await between(database.url) },
      { people, administration, gateways },
    ),
    ...(cluster && { DISCOVERY_KUBERNETES_URL: cluster.url }),
    // The default gateways belong to the default issuer.
    ...(environment['ISSUERS'] !== undefined && { GATEWAYS: '[]' }),
    ...(gatewaysFor && { GATEWAYS: JSON.stringify(gatewaysFor(issuer.issuer)) }),
    ...environment,
  });
  const opened = await openDatabase(settings);
  let running: Service;
  try {
    running = await createService({
      ...service,
      ...handling,
      settings,
      ...(clock && { clock }),
      ...(arrivalMs !== undefined && { arrivalMs }),
      module: AppModule.createForService(settings, opened),
    });
    await running.listen();
  } catch (error) {
    // An open resource would keep the test process alive.
    await Promise.allSettled([opened.close(), issuer.close(), cluster?.close()]);
    throw error;
  }
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  // A connection that a test cuts must not end the test process.
  admin.on('error', () => undefined);
  const sql = async <Row>(text: string, params: unknown[] = []) => (await admin.query(text, params)).rows as Row[];
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= running.close());
  return {
    baseUrl: running.url,
    client: createContractClient({ service: 'enterprise-manager', baseUrl: running.url }),
    issuer,
    database,
    ...(cluster && { cluster }),
    tokens: {
      admin: await issuer.token({ subject: 'admin', roles: ['admin'] }),
      auditor: await issuer.token({ subject: 'auditor', roles: ['auditor'] }),
      gateway: await issuer.token({ subject: 'connector-gateway', roles: ['gateway'] }),
      alice: await issuer.token({ subject: 'alice' }),
      bob: await issuer.token({ subject: 'bob' }),
      stranger: await issuer.token({ subject: 'stranger' }),
    },
    sql,
    findUserId: async (subject) => {
      const [row] = await sql<{ id: string }>('SELECT id FROM users WHERE issuer = $1 AND subject = $2', [
        issuer.issuer,
        subject,
      ]);
      if (!row) throw new Error(`no user has the subject ${subject}`);
      return row.id;
    },
    stop,
    close: async () => {
      await stop();
      await admin.end();
      await issuer.close();
      await cluster?.close();
      await database.drop();
    },
  };
}
