import { startPostgres } from '@gatehouse/postgres/server';
import { type HomePaths, replaceFile } from '../home.ts';
import { watchParent } from '../parent.ts';
import { secretFiles } from '../secret-files.ts';
import { readConfig } from './config.ts';
import { readReport, writeReport } from './report.ts';

/** Services with a database of their own; the database has the service's name with underscores. */
const DATABASES = ['enterprise-manager', 'connector-gateway'];

/** Sized for one person's machine: few connections, no replication, and no helper processes that only a busy server needs. */
const SETTINGS = {
  max_connections: 60,
  shared_buffers: '32MB',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
};

/**
 * Keeps one Postgres for the platform: starts it or adopts the one that is there, makes the databases, and ends when the server ends, so
 * that the supervisor starts both again. Within one run of the platform the server keeps its port, because services hold URLs to it.
 */
const { paths, supervisorPid } = readConfig();
const last = readReport(paths);
const state = { stopping: false };

const starting = startPostgres({
  directory: paths.postgres,
  settings: SETTINGS,
  ...(last?.supervisor === supervisorPid ? { port: last.port } : {}),
});
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
watchParent(supervisorPid, stop);

const server = await starting;
for (const service of DATABASES) await provision(paths, service);
writeReport(paths, { keeper: process.pid, supervisor: supervisorPid, server: server.pid, port: server.port });
console.log(
  JSON.stringify({ message: 'Postgres is ready', pid: server.pid, port: server.port, adopted: server.adopted }),
);

const heartbeat = setInterval(() => undefined, 60_000);
await server.exited;
clearInterval(heartbeat);
if (!state.stopping) {
  console.error(JSON.stringify({ message: 'Postgres ended', pid: server.pid }));
  process.exit(1);
}

function stop(): void {
  if (state.stopping) return;
  state.stopping = true;
  void starting.then((running) => running.stop()).finally(() => process.exit(0));
}

async function provision(home: HomePaths, service: string): Promise<void> {
  const files = secretFiles(home);
  const { url, ownerUrl } = await server.database(service.replaceAll('-', '_'));
  replaceFile(files.databaseUrl(service), url);
  replaceFile(files.databaseOwnerUrl(service), ownerUrl);
}
