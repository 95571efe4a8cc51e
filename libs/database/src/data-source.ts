import { AbstractLogger, DataSource, type DataSourceOptions, type MixedList } from 'typeorm';
import { VALUE_OPTIONS, valueTypes } from './value-types.ts';

/** Entity classes or migration classes. */
export type Classes = MixedList<NewableFunction>;

/** Options of the connection pool of one database. */
export interface DatabaseOptions {
  url: string;
  entities: Classes;
  migrations?: Classes;
  /** Name of the connections in pg_stat_activity. */
  applicationName?: string;
  /** Maximum number of connections; default 10. */
  poolSize?: number;
  /** Timeout of a statement; default 15,000 ms, 0 means none. */
  statementTimeoutMs?: number;
  /** Maximum wait for a free or a new connection; default 5,000 ms. */
  connectTimeoutMs?: number;
}

/**
 * Creates the TypeORM data source that all services use: it never changes the schema, runs sessions
 * in UTC, and reads values without loss (see `valueTypes`). Call `initialize()` to connect it.
 */
export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource(dataSourceOptions(options));
}

/** The options of `createDataSource`, for callers that create the data source themselves. */
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
    // Otherwise TypeORM installs an extension, which the runtime role is not allowed to do.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    applicationName,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMS: options.connectTimeoutMs ?? 5000,
    extra: {
      types: valueTypes,
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      idle_in_transaction_session_timeout: 60_000,
      // jit: Postgres overestimates recursive queries a hundredfold; compiling takes longer than
      // running the query. Parallel workers: starting them takes as long as a whole answer may.
      // Keepalives: Postgres detects a dead client within 30 s. No statement timeout ends a COPY
      // that waits for rows, and it holds its locks.
      options: `${VALUE_OPTIONS} -c default_transaction_isolation=read\\ committed -c jit=off -c max_parallel_workers_per_gather=0 -c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3`,
    },
  };
}

/**
 * Discards the logs of TypeORM. It prints some failures, which it also throws, even with logging
 * off, and the output of a service must be JSON lines only.
 */
class Silent extends AbstractLogger {
  protected override writeLog(): void {
    // Discarded.
  }
}
