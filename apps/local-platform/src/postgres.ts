import { appendFileSync } from 'node:fs';
import { type PostgresServer, startPostgres } from '@gatehouse/postgres/server';
import { logFile } from './child.ts';
import { type HomePaths, replaceFile } from './home.ts';
import { secretFiles } from './secret-files.ts';
import type { Child, Exit } from './supervisor.ts';

/** Services with a database of their own; the database has the service's name with underscores. */
const DATABASES = ['enterprise-manager', 'connector-gateway'];

/**
 * Sized for one person's machine: few connections, no replication, and no helper processes that
 * only a busy server needs.
 */
const SETTINGS = {
  max_connections: 60,
  shared_buffers: '24MB',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
};

/**
 * The platform's Postgres as a child of the supervisor: started, or adopted where a killed
 * supervisor left one, with a database and two roles for each service that needs them. It has no
 * keeper process of its own; when the supervisor is killed, the guard of libs/postgres shuts the
 * server down.
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
   * @param port the port of an earlier server of the same run: services hold URLs to it. Without it
   * any free one.
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

  /** Process id of the server; 0 until there is one. */
  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Its port, or the one it is to have. */
  get port(): number | undefined {
    return this.#server?.port ?? this.#wantedPort;
  }

  /** Whether every service can use its database. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * SIGTERM ends it in order. SIGKILL is Postgres' own immediate end, after which it recovers what
   * was committed.
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
    this.#log(server.adopted ? 'Postgres was still running' : 'Postgres is ready');
    this.#ready = true;
  }

  #quit(): void {
    try {
      if (this.pid > 0) process.kill(this.pid, 'SIGQUIT');
    } catch {
      // It is gone already.
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
