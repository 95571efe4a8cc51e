/**
 * Entry point of the supervisor process: `node supervise.js <home folder> <default home folder>
 * [workload]`. Without a workload it waits for a message with its task. It has its own session and
 * outlives the command that started it. Its output goes to the proxy log of the workload.
 */
import { ProxyOptionError } from '@gatehouse/proxy/option-error';
import { createProxy } from '@gatehouse/proxy/proxy';
import { RequestRecorder } from '@gatehouse/proxy/recording/request-recorder';
import { BoundedLog } from './files/bounded-log.ts';
import { parseEngineAddress } from './engine/engine-address.ts';
import { Engine } from './engine/engine.ts';
import { getErrorMessage } from './errors/workload-error.ts';
import { getHome, type Home } from './state/home.ts';
import { HttpServer } from './engine/http-server.ts';
import { prepareNetworks } from './engine/network-attachment.ts';
import { NetworkIsolation } from './engine/network-isolation.ts';
import type { ServerContext } from './engine/server-context.ts';
import type { ClientSecrets } from './configuration/client-secrets.ts';
import { listTelemetryReferences } from './configuration/telemetry-headers.ts';
import { planNetwork } from './configuration/network-plan.ts';
import { requireBuiltSections } from './configuration/built-sections.ts';
import type { RunConfig } from './configuration/run-config.ts';
import { REMOTE_ADDRESS } from './flags/remote-address.ts';
import type { WorkloadServer } from './runtime/workload-server.ts';
import { removeContainers } from './engine/remove-containers.ts';
import { listWebhookSecrets } from './flags/configured-webhooks.ts';
import { createSecretsReader, readClientSecrets } from './secrets/secrets-reader.ts';
import { StdioServer } from './engine/stdio-server.ts';
import { WorkloadStore } from './state/store.ts';
import { addVariables, createSupervisorEnvironment } from './supervision/config.ts';
import { serveInspection } from './supervision/inspection-server.ts';
import { redirectOutput } from './supervision/redirect-output.ts';
import { ACKNOWLEDGEMENT, receiveTask, type SupervisorTask } from './supervision/supervisor-task.ts';
import { supervise, type SupervisorMessage } from './supervision/supervisor.ts';
import { createProxyOptions } from './server/proxy-options.ts';
import { readBundle, readIssuerCertificates } from './server/workload-authentication.ts';
import { openAuditLog } from './server/workload-audit.ts';
import { openTelemetryOf } from './server/workload-telemetry.ts';
import { openAuthorizer } from './server/workload-authorizer.ts';
import { openWebhooksOf } from './server/workload-webhooks.ts';

/** The proxy log with its size limit. Before it is open, lines go to stderr, the same file. */
let proxyLog: BoundedLog | undefined;
const log = (message: string) => {
  const line = `${new Date().toISOString()} ${message}\n`;
  if (proxyLog) proxyLog.write(line);
  else process.stderr.write(line);
};
const sendMessage = (message: SupervisorMessage) => {
  if (process.connected) process.send?.(message, () => undefined);
};

async function main({ folder, defaultFolder, name, foreground, variables }: SupervisorTask): Promise<number> {
  addVariables(variables);
  const home = getHome(folder, defaultFolder);
  const store = new WorkloadStore(home);
  const stored = store.read(name);
  if (stored === undefined) throw new Error(`there is no workload named '${name}'`);
  redirectOutput(store.getProxyLogPath(name));
  if (!stored.config) throw new Error(stored.problem);

  requireBuiltSections(stored.config);

  proxyLog = new BoundedLog(store.getProxyLogPath(name));
  const abort = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => abort.abort(new Error('stopped')));
  process.on('SIGHUP', () => undefined);
  const firstStart = stored.status?.first_start === true;
  const createdAt = stored.status?.created_at;
  const command = watchCommand(foreground ? 'always' : firstStart ? 'until acknowledged' : 'never', abort);
  // The supervisor continues after an unexpected rejection.
  process.on('unhandledRejection', (reason) =>
    log(`unexpected: ${reason instanceof Error ? reason.stack : String(reason)}`),
  );

  let config: RunConfig = stored.config;
  const passes = await openParts(config, home, store.getAuditLogPath(name));
  const isRemote = config.engine === REMOTE_ADDRESS;
  const opened = isRemote
    ? await openRemote(home, config, passes.clientSecrets)
    : openServer(home, store, () => config);
  const { server } = opened;
  const recorder = new RequestRecorder();
  const makeProxy = (port: number) =>
    createProxy({ ...createProxyOptions(config, server, log, passes), host: config.host, port, recorder });
  serveInspection(store.getInspectionPath(name), recorder, log);
  const code = await supervise({
    home,
    store,
    config,
    createdAt,
    server,
    makeProxy,
    useConfig: (chosen) => {
      config = chosen;
    },
    sendMessage,
    log,
    foreground,
    firstStart,
    abort: abort.signal,
  });
  passes.audit?.close();
  await passes.telemetry?.close();
  const close = async () => {
    // The next command may have removed the workload, and created another one of its name.
    const isLeft = command.isAbandoned && store.isCreatedAt(name, createdAt);
    await opened.close(code, isLeft);
    if (isLeft) store.remove(name);
  };
  await (command.isAbandoned ? store.withRemovalLock(close) : close());
  return code;
}

/** Opens the parts of the proxy. One that fails does so before anything exists at the engine. */
async function openParts(config: RunConfig, home: Home, auditPath: string) {
  const secrets = listWebhookSecrets(config);
  return {
    audit: openAuditLog(config, auditPath, log),
    authorizer: await openAuthorizer(config, log),
    clientSecrets: await readClientSecrets(home.folder, config),
    certificates: readIssuerCertificates(config),
    webhooks: await openWebhooksOf(config, createSecretsReader(home.folder, { ...config, secrets }), log),
    telemetry: await openTelemetryOf(config, {
      readHeaders: createSecretsReader(home.folder, { ...config, secrets: listTelemetryReferences(config) }),
      readCertificates: () => readBundle(config),
      environment: createSupervisorEnvironment(),
      diagnostics: { host: config.host, port: 0 },
      log,
    }),
  };
}

/** A server, and the end of the place where it runs. */
interface OpenedServer {
  readonly server: WorkloadServer;
  /** @param isRemoved whether everything of the workload is removed */
  readonly close: (code: number, isRemoved: boolean) => Promise<void>;
}

/** Opens a server that runs elsewhere. */
async function openRemote(home: Home, config: RunConfig, secrets: ClientSecrets<string>): Promise<OpenedServer> {
  const { openRemoteServer } = await import('./remote/open-remote-server.ts');
  const server = await openRemoteServer(home.folder, config, secrets, log);
  return { server, close: () => Promise.resolve() };
}

/** Opens a server on the container engine of its configuration. */
function openServer(home: Home, store: WorkloadStore, getConfig: () => RunConfig): OpenedServer {
  const { name, transport, engine: address } = getConfig();
  const engine = new Engine(parseEngineAddress(address, 'engine'));
  const context = createServerContext(engine, home, getConfig);
  const serverLog = new BoundedLog(store.getServerLogPath(name));
  return {
    server: transport === 'stdio' ? new StdioServer(context, (data) => serverLog.write(data)) : new HttpServer(context),
    close: async (code, isRemoved) => {
      await context.networks;
      if (code !== 0) await context.isolation?.stop();
      if (isRemoved) await removeContainers(engine, home, name);
      engine.close();
    },
  };
}

/**
 * Stops this process when the command that started it ends while it needs the command. The command
 * removes its workload in the foreground and after a failed first start; without it, this process
 * does. A first start needs the command until it has acknowledged that the server is ready.
 */
function watchCommand(needed: 'always' | 'until acknowledged' | 'never', abort: AbortController) {
  const command = { isAbandoned: false };
  let isNeeded = needed !== 'never';
  const abandon = () => {
    if (!isNeeded) return;
    command.isAbandoned = true;
    abort.abort(new Error('the command that started the workload has ended'));
  };
  process.on('message', (message) => {
    if (message === ACKNOWLEDGEMENT && needed === 'until acknowledged') isNeeded = false;
  });
  process.on('disconnect', abandon);
  if (!process.connected) abandon();
  return command;
}

/** @param getConfig returns the configuration, which changes once the port is known */
function createServerContext(engine: Engine, home: Home, getConfig: () => RunConfig): ServerContext {
  const parts = {
    engine,
    home,
    log,
    readSecrets: createSecretsReader(home.folder, getConfig()),
    get config() {
      return getConfig();
    },
  };
  const isolation =
    planNetwork(getConfig()).kind === 'isolated'
      ? new NetworkIsolation(parts, (text) => sendMessage({ kind: 'progress', text }))
      : undefined;
  const networks = prepareNetworks(parts, isolation);
  return Object.defineProperties(parts, {
    isolation: { value: isolation },
    networks: { value: networks },
  }) as typeof parts & Pick<ServerContext, 'isolation' | 'networks'>;
}

/**
 * Loads what the proxies of remote servers and of HTTP servers need. The task of a process that a
 * command has prepared arrives later, so that nothing waits for this.
 */
async function loadAhead(): Promise<void> {
  await import('./remote/open-remote-server.ts');
  // The bundle evaluates the package when its export is read.
  await import('undici').then(({ Pool }) => Pool);
}

const received = receiveTask(process.argv.slice(2));
loadAhead().catch(() => undefined);
const task = await received;
// The command has ended without a workload.
if (task === undefined) process.exit();
try {
  process.exitCode = await main(task);
} catch (error) {
  log(getErrorMessage(error));
  const code = error instanceof ProxyOptionError ? 'usage' : 'failed';
  sendMessage({ kind: 'failed', failure: { code, message: getErrorMessage(error), tryNext: [], excerpt: [] } });
  process.exitCode = 1;
}
// Open sockets to clients and engine must not keep the process alive.
setTimeout(() => process.exit(), 250).unref();
if (process.connected) process.disconnect();
