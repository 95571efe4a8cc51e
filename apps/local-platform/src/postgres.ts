import { appendFileSync } from 'node:fs';
import { type PostgresServer, startPostgres } from '@gatehouse/postgres/server';
import { logFile } from './child.ts';
import { type HomePaths, replaceFile } from './home.ts';
import { secretFiles } from './secret-files.ts';
import type { Child, Exit } from './supervisor.ts';

/** Services with a database. The database has the name of the service with underscores. */
const DATABASES = ['enterprise-manager', 'connector-gateway'];

/** Settings for one user's machine: few connections, no replication, few helper processes. */
const SETTINGS = {
  max_connections: 60,
  shared_buffers: '24MB',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
};

/**
 * The Postgres of the platform as a child of the supervisor. It starts the server, or adopts one
 * that a killed supervisor left, and creates a database with two roles for each service. When the
 * supervisor is killed, the guard of libs/postgres stops the server.
 */
export class PostgresChild implements Child {
  readonly exited: Promise<Exit>;
  readonly #paths: HomePaths;
  readonly #wantedPort: number | undefined;
  readonly #starting: Promise<PostgresServer>;
  #server: PostgresServer | undefined;
  #ready = false;
  #stopping = false;

  /**
   * @param port the port of an earlier server of the same run, because services have its URL;
   * without it any free port
   */
  constructor(paths: HomePaths, port: number | undefined) {
    this.#paths = paths;
    this.#wantedPort = port;
    this.#starting = startPostgres({
      directory: paths.postgres,
      settings: SETTINGS,
      ...(port === undefined ? {} : { port }),
    });
    this.exited = this.#keep();
  }

  /** Process id of the server; 0 before its start. */
  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Its port, or the requested one before its start. */
  get port(): number | undefined {
    return this.#server?.port ?? this.#wantedPort;
  }

  /** Whether every service can use its database. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * SIGTERM shuts the server down. SIGKILL ends it at once; its next start recovers all commits.
   */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#stopping = true;
    if (signal === 'SIGKILL') this.#quit();
    else void this.#starting.then((server) => server.stop()).catch(() => undefined);
  }

  async #keep(): Promise<Exit> {
    try {
      const server = await this.#starting;
      this.#server = server;
      await Promise.race([this.#provision(server), server.exited]);
      await server.exited;
      if (this.#stopping) return { code: 0, signal: null };
      this.#log('Postgres ended');
    } catch (error) {
      this.#log(error instanceof Error ? error.message : String(error));
      await this.#server?.stop().catch(() => undefined);
    } finally {
      this.#ready = false;
    }
    return { code: 1, signal: null };
  }

  async #provision(server: PostgresServer): Promise<void> {
    const files = secretFiles(this.#paths);
    for (const service of DATABASES) {
      const { url, ownerUrl } = await server.database(service.replaceAll('-', '_'));
      replaceFile(files.databaseUrl(service), url);
      replaceFile(files.databaseOwnerUrl(service), ownerUrl);
    }
    this.#log(server.adopted ? 'Postgres was running already' : 'Postgres is ready');
    this.#ready = true;
  }

  #quit(): void {
    try {
      if (this.pid > 0) process.kill(this.pid, 'SIGQUIT');
    } catch {
      // The server has ended already.
    }
  }

  #log(message: string): void {
    const line = JSON.stringify({ time: new Date().toISOString(), message, pid: this.pid, port: this.port });
    try {
      appendFileSync(logFile(this.#paths, 'postgres'), `${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the supervisor.
    }
  }
}
