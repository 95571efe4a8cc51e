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
import { type PaperCluster, startPaperCluster } from './paper-cluster.ts';

/** A person that a test wants in the directory. */
export interface Person {
  subject: string;
  user_name: string;
  email?: string;
  display_name: string;
}

/**
 * An enterprise manager under test: the real service on a free port, with a database and an issuer
 * of its own.
 */
export interface TestManager {
  baseUrl: string;
  client: ContractClient;
  issuer: TestIssuer;
  database: TestDatabase;
  /** The cluster whose servers it discovers, where it was started with one. */
  cluster?: PaperCluster;
  /**
   * Tokens of one caller for each role; `alice` and `bob` are in the directory, `stranger` is not.
   */
  tokens: Record<'admin' | 'auditor' | 'gateway' | 'alice' | 'bob' | 'stranger', string>;
  /** Runs SQL as superuser: for what no API can bring about. */
  sql: <Row>(text: string, params?: unknown[]) => Promise<Row[]>;
  /** Id of the directory entry of a seeded subject. */
  userId(subject: string): Promise<string>;
  /** Shuts the service down; its database stays to be looked at. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Servers of a cluster on paper: as many as a test may admit, each once. */
const DISCOVERABLE = 1_000;

/** The people of every test directory. */
export const PEOPLE: Person[] = [
  { subject: 'alice', user_name: 'alice', email: 'alice@example.test', display_name: 'Alice Ångström' },
  { subject: 'bob', user_name: 'bob', email: 'Bob@Example.test', display_name: 'Bob Straße' },
];

/**
 * The gateways of every test: `local` and the given ones for connectors, `local-ai` for models, all
 * with one client.
 */
export const gatewaysOf = ({ issuer }: Pick<TestIssuer, 'issuer'>, connectors: readonly string[] = []): string => {
  const client_ids = [{ issuer, client_id: GATEWAY_CLIENT }];
  return JSON.stringify([
    ...['local', ...connectors].map((id) => ({ id, display_name: id, kind: 'connector', client_ids })),
    { id: 'local-ai', display_name: 'local-ai', kind: 'ai', client_ids },
  ]);
};

/** What every process of this service needs in its environment. */
export const environmentOf = (
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
  GATEWAYS: gatewaysOf(issuer, gateways),
  SEED_USERS: JSON.stringify(people.map((person) => ({ issuer: issuer.issuer, ...person }))),
});

/** How a service under test differs from the usual one. */
interface ManagerRequest {
  people?: readonly Person[];
  /** False: the configuration makes nobody an administrator or auditor. */
  administration?: boolean;
  /** Ids of connector gateways on top of `local`. */
  gateways?: readonly string[];
  /** Entries of GATEWAYS instead of the usual ones. */
  gatewaysFor?: (issuer: string) => readonly object[];
  /** Variables on top of the usual ones. */
  environment?: Record<string, string>;
  /** Gives it a cluster on paper with servers to discover. */
  discoverable?: true;
  /** What time the service has; tokens are held to it too. */
  clock?: Clock;
  /** Longest time for a request to arrive, in milliseconds. */
  arrivalMs?: number;
  /**
   * Brings a new database to where the service finds it; unless told, all migrations run. Databases
   * that are brought there by the same words are copies of one.
   */
  prepare?: (ownerUrl: string) => Promise<unknown>;
  /**
   * Puts something between the service and its database, or something into it before the service
   * starts.
   * @returns the URL that the service shall use
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
  const cluster = discoverable && (await startPaperCluster(DISCOVERABLE));
  const settings = loadSettings({
    ...environmentOf(issuer, { ...database, url: await between(database.url) }, { people, administration, gateways }),
    ...(cluster && { DISCOVERY_KUBERNETES_URL: cluster.url }),
    // The usual gateways belong to the usual issuer.
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
      module: AppModule.with(settings, opened),
    });
    await running.listen();
  } catch (error) {
    // What stays open would keep the test process alive.
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
    userId: async (subject) => {
      const [row] = await sql<{ id: string }>('SELECT id FROM users WHERE issuer = $1 AND subject = $2', [
        issuer.issuer,
        subject,
      ]);
      if (!row) throw new Error(`nobody has the subject ${subject}`);
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
