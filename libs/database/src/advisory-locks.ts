import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

const POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 5_000;

/** A lock that stayed in use for the whole wait. */
export class LockTimeoutError extends GatehouseError {
  override readonly code = 'lock_timeout';
}

/**
 * Advisory locks of Postgres, by name, over all processes of a database. All locks of a process are
 * on one connection of its own: a long lock takes no connection of the pool, and a killed process
 * releases its locks at once. A process that loses this connection loses its locks, so the work
 * under a lock must also be correct without it, for instance by comparing versions.
 */
export class AdvisoryLocks {
  private connecting: Promise<pg.Client> | undefined;
  private current: pg.Client | undefined;
  private readonly held = new Set<string>();
  /** The last statement: a connection executes one at a time. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly applicationName: string,
  ) {}

  /**
   * Runs work under a lock.
   * @param waitMs the longest wait for the lock
   * @throws LockTimeoutError when it is in use for longer; an error of the database
   */
  async run<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const client = await this.acquire(name, performance.now() + waitMs);
    try {
      return await work();
    } finally {
      this.held.delete(name);
      await this.query(client, 'SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS done', name).catch(() =>
        this.drop(client),
      );
    }
  }

  /** Closes the connection, which releases all locks. */
  async close(): Promise<void> {
    const client = await this.connecting?.catch(() => undefined);
    this.connecting = undefined;
    await client?.end().catch(() => undefined);
  }

  private async acquire(name: string, deadline: number): Promise<pg.Client> {
    for (;;) {
      // A session gets its own lock again, so the process keeps count itself.
      const client = this.held.has(name) ? undefined : await this.tryAcquire(name);
      if (client !== undefined) return client;
      if (performance.now() >= deadline) throw new LockTimeoutError(`the lock ${name} is in use`);
      await sleep(POLL_MS * (0.5 + Math.random()));
    }
  }

  private async tryAcquire(name: string): Promise<pg.Client | undefined> {
    this.held.add(name);
    let isAcquired = false;
    try {
      const client = await (this.connecting ??= this.connect());
      const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done';
      isAcquired = await this.query(client, text, name).catch((error: unknown) => {
        this.drop(client);
        throw error;
      });
      return isAcquired ? client : undefined;
    } finally {
      if (!isAcquired) this.held.delete(name);
    }
  }

  private query(client: pg.Client, text: string, name: string): Promise<boolean> {
    const result = this.last.then(async () => {
      const { rows } = await client.query<{ done: boolean }>(text, [name]);
      return rows[0]?.done === true;
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  private async connect(): Promise<pg.Client> {
    const { options } = this.dataSource;
    if (options.type !== 'postgres') throw new Error('advisory locks need Postgres');
    const client = new pg.Client({
      connectionString: options.url,
      application_name: this.applicationName,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    client.on('error', () => this.drop(client));
    client.on('end', () => this.drop(client));
    this.current = client;
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.drop(client);
      throw error;
    }
  }

  /** Forgets a broken connection; the next lock opens another one. */
  private drop(client: pg.Client): void {
    if (this.current !== client) return;
    this.current = undefined;
    this.connecting = undefined;
    client.end().catch(() => undefined);
  }
}
