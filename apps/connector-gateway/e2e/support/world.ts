import { migrate } from '@gatehouse/database/migrate';
import type { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePorts } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadSettings } from '../../src/config/config.ts';
import { migrations } from '../../src/database/migrations.ts';
import { createServiceOptions } from '../../src/service-options.ts';
import { TestManager } from './manager.ts';

/** The id of every gateway of a world. */
export const GATEWAY_ID = 'test-gateway';

/** The roles by the values of the claim `roles`. */
const ROLES = { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] };

/** A running gateway. */
export interface Gateway {
  service: Service;
  /** Address of the MCP port. */
  url: string;
  /** Address of the control plane. */
  controlUrl: string;
  close(): Promise<void>;
}

/** The environment of a gateway: a real database and issuer, and a fake enterprise manager. */
export class World {
  private readonly closers: (() => Promise<unknown>)[] = [];
  private readonly running = new Set<Service>();

  private constructor(
    readonly issuer: TestIssuer,
    readonly manager: TestManager,
    readonly database: TestDatabase,
  ) {}

  static async start(): Promise<World> {
    const issuer = await startIssuer();
    const manager = new TestManager(issuer, GATEWAY_ID);
    await manager.start();
    const database = await createDatabase({
      name: 'connector-gateway',
      prepare: (ownerUrl) => migrate(ownerUrl, migrations),
    });
    return new World(issuer, manager, database);
  }

  /** The environment of a gateway of this world. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    return {
      PORT: '0',
      CONTROL_PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
      AUDIENCE: this.issuer.audience,
      ISSUERS: JSON.stringify([{ id: 'local', issuer: this.issuer.issuer, roles: { claim: 'roles', values: ROLES } }]),
      CURSOR_KEY: 'k'.repeat(32),
      DATABASE_URL: this.database.url,
      DATABASE_OWNER_URL: this.database.ownerUrl,
      GATEWAY_ID,
      ENTERPRISE_MANAGER_URL: this.manager.url,
      TOKEN_URL: this.manager.tokenUrl,
      CLIENT_ID: 'connector-gateway',
      CLIENT_SECRET: 'secret of the gateway',
      ALLOW_LOOPBACK_UPSTREAMS: 'true',
      // Tests count the requests to their upstreams.
      HEALTH_PROBE_SECONDS: '0',
      ...more,
    };
  }

  /** The settings of a replica that the others reach. */
  async replicaSettings(): Promise<Record<string, string>> {
    const [port] = await freePorts(1);
    return { REPLICA_URL: `http://127.0.0.1:${port}`, REPLICA_PORT: String(port), REPLICA_KEY: 'r'.repeat(32) };
  }

  /** Starts a gateway in a process of its own, which a test can kill. */
  async startApart(more: Record<string, string> = {}): Promise<{ process: TestProcess; url: string }> {
    const [port, control] = await freePorts(2);
    const env = this.environment({ PORT: String(port), CONTROL_PORT: String(control), ...more });
    const process = await startProcess({
      app: 'connector-gateway',
      env,
      readyUrl: `http://127.0.0.1:${control}/readyz`,
    });
    this.closers.unshift(() => process.stop());
    return { process, url: `http://127.0.0.1:${env['PORT']}` };
  }

  /** The rows of a query of the gateways' database. */
  async sql<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /**
   * Starts a gateway in this process.
   * @param logDestination receives its log lines; the level is a setting
   * @param clock the clock of the gateway
   */
  async gateway(
    more: Record<string, string> = {},
    logDestination?: { write: (line: string) => void },
    clock?: Clock,
  ): Promise<Gateway> {
    const options = await createServiceOptions(loadSettings(this.environment(more)));
    const service = await createService({
      ...options,
      ...(logDestination && { logDestination }),
      ...(clock && { clock }),
    });
    await service.listen();
    const close = () => {
      this.running.delete(service);
      return service.close();
    };
    this.running.add(service);
    this.closers.push(close);
    // A gateway is ready after the first answers of the enterprise manager.
    const isManaged = more['ENTERPRISE_MANAGER_URL'] === undefined && this.manager.isListening;
    const isReady = async () => (await fetch(`${service.url}/readyz`)).ok || undefined;
    if (isManaged) await eventually(isReady, 'the gateway is ready');
    const { mcp } = service.sideUrls;
    return { service, url: mcp!, controlUrl: service.url, close };
  }

  /** Number of the running gateways. */
  countGateways(): number {
    return this.running.size;
  }

  /** Waits until all running gateways know the present entitlements. */
  async applyChanges(): Promise<void> {
    await eventually(() => this.manager.isCurrentAt(this.running.size) || undefined, 'the gateways know all changes');
  }

  /** A token of a user. */
  token(subject: string, more: Parameters<TestIssuer['token']>[0] = {}): Promise<string> {
    return this.issuer.token({ subject, email: `${subject}@example.test`, ...more });
  }

  /** A connected client of the current SDK. */
  async client(url: string, token: string, options: ClientOptions = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    this.closers.unshift(() => client.close());
    return client;
  }

  /** A connected client of the previous major version of the SDK. */
  async oldClient(url: string, token: string): Promise<OldClient> {
    const client = new OldClient({ name: 'old', version: '1' });
    const transport = new OldTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    this.closers.unshift(() => client.close());
    return client;
  }

  async close(): Promise<void> {
    for (const close of this.closers) await close();
    await this.manager.stop().catch(() => undefined);
    await this.issuer.close();
    await this.database.drop();
  }
}

/** Client options of the era without sessions. */
export const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** Polls until there is a result. @param what the expected state, for the error */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  polls = 2_400,
): Promise<NonNullable<T>> {
  for (let attempt = 0; attempt < polls; attempt += 1) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await sleep(25);
  }
  throw new Error(`timed out, waiting until ${what}`);
}
