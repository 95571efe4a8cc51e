import { AbstractLogger, DataSource, type DataSourceOptions, type MixedList } from 'typeorm';
import { valueTypes } from './value-types.ts';

/** Entity classes or migration classes. */
export type Classes = MixedList<NewableFunction>;

/** A pool of connections to one database. */
export interface DatabaseOptions {
  url: string;
  entities: Classes;
  migrations?: Classes;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Longest statement, default 15,000 ms; 0 means no limit. */
  statementTimeoutMs?: number;
  /** Longest wait for a free connection or for a new one, default 5,000 ms. */
  connectTimeoutMs?: number;
}

/**
 * A TypeORM data source as every service uses it: never changes the schema by itself, speaks UTC,
 * and reads values without loss (see `valueTypes`). It is not connected yet: call `initialize()`.
 */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource(dataSourceOptions(options));
}

/**
 * The options behind `createDataSource`, for what builds its own data source (Nest's TypeORM
 * module).
 */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  const applicationName = options.applicationName ?? 'gatehouse';
  return {
    type: 'postgres',
    url: options.url,
    entities: options.entities,
    migrations: options.migrations ?? [],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    migrationsRun: false,
    logging: false,
    logger: new Silent(false),
    // Off, else TypeORM installs an extension by itself, which the runtime role may not.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    applicationName,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMS: options.connectTimeoutMs ?? 5000,
    extra: {
      types: valueTypes,
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      idle_in_transaction_session_timeout: 60_000,
      // Without compiling: Postgres takes what follows nesting step by step for a hundred times as
      // dear as it is, and compiling takes longer than all of it. Without parallel workers:
      // starting them takes as long as a whole answer may, and the cores have other answers to work
      // on. A host that is gone is noticed within half a minute: no timeout of a statement ends one
      // whose rows are still being waited for, and it holds its locks.
      options:
        '-c TimeZone=UTC -c default_transaction_isolation=read\\ committed -c jit=off -c max_parallel_workers_per_gather=0 -c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    },
  };
}

/**
 * Failures are thrown. TypeORM prints some of them as well, even with logging off, and a service's
 * output must be nothing but JSON lines.
 */
class Silent extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing to say.
  }
}
