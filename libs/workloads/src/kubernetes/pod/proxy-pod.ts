/**
 * Entry point of the pod of a proxy. Its argument is {@link PodSettings} as JSON.
 *
 * It serves MCP clients once the server has answered, and lets an isolated server out as its rules
 * allow. A server that does not answer in time ends this program; the reason is its termination
 * message, and the cluster starts it again.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { getClusterAccess } from '@gatehouse/kubernetes/access';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { createProxy } from '@gatehouse/proxy/proxy';
import { parseMilliseconds } from '../../configuration/config-values.ts';
import { getErrorMessage } from '../../errors/workload-error.ts';
import { DenialLog } from '../../isolation/denial-log.ts';
import { createAddressLookup, Dialer } from '../../isolation/dialer.ts';
import { describeEnd, type WorkloadServer } from '../../runtime/workload-server.ts';
import { watchLiveness } from '../../server/liveness.ts';
import { createProxyOptions } from '../../server/proxy-options.ts';
import { openTelemetryOf } from '../../server/workload-telemetry.ts';
import { openAuthorizer } from '../../server/workload-authorizer.ts';
import { openWebhooksOf } from '../../server/workload-webhooks.ts';
import { probeStdioServer, waitForHttpServer } from '../../server/readiness.ts';
import { FIRST_SERVER_PODS, MAX_SERVER_PODS, SERVER_LINE } from '../pod-conventions.ts';
import { readPodAddresses, readPodSecrets } from './config.ts';
import { LineWriter } from './line-writer.ts';
import { startPodEgress } from './pod-egress.ts';
import { type PodSettings, readPodSettings } from './pod-settings.ts';
import { ServerPods } from './server-pods.ts';

/** The file whose text becomes the message of the ended container. */
const TERMINATION_LOG = '/dev/termination-log';
const ALL_ADDRESSES = '0.0.0.0';

/** A text of a server or a client stays one line, so that it cannot look like an audit event. */
const print = (line: string) => process.stdout.write(`${line.replaceAll(/[\r\n]/g, ' ')}\n`);
/** The cluster keeps the standard output, and so the audit. */
const audit = { write: (line: string) => process.stdout.write(line) };
const log = (line: string) => print(`${new Date().toISOString()} ${line}`);
const abort = new AbortController();

/** The reason why clients cannot be served; undefined when they can. */
let problem: string | undefined = 'the server has not answered yet';

async function main(settings: PodSettings): Promise<void> {
  if (settings.egress !== undefined) await startEgress(settings.egress);
  const { config } = settings;
  const timeoutMs = parseMilliseconds(config.start_timeout, 60_000);
  const server = config.transport === 'stdio' ? openStdioServer(settings, timeoutMs) : openHttpServer(settings);
  const authorizer = await openAuthorizer(config, log);
  const secrets = readPodSecrets(config);
  const webhooks = await openWebhooksOf(config, () => Promise.resolve(secrets.webhooks), log);
  const telemetry = await openTelemetryOf(config, {
    readHeaders: () => Promise.resolve(secrets.headers),
    readCertificates: () => settings.certificates,
    environment: {},
    diagnostics: { host: ALL_ADDRESSES, port: settings.ports.metrics ?? 0 },
    log,
  });
  const parts = {
    audit,
    authorizer,
    webhooks,
    telemetry,
    clientSecrets: secrets.clients,
    certificates: settings.certificates,
  };
  const options = createProxyOptions(config, server, log, parts);
  const proxy = createProxy({
    ...options,
    upstream:
      options.upstream.kind === 'stdio' ? { ...options.upstream, maxProcesses: MAX_SERVER_PODS } : options.upstream,
    allowedHosts: [...(options.allowedHosts ?? []), ...settings.hosts],
    host: ALL_ADDRESSES,
    port: settings.ports.mcp,
  });
  serveHealth(settings.ports.health);
  await proxy.listen();
  await server.waitUntilReady(timeoutMs);
  problem = undefined;
  log('running');
  const report = (reason: string | undefined) => {
    problem = reason;
    log(reason === undefined ? 'running' : `unhealthy: ${reason}`);
  };
  void watchLiveness(server.connection, report, abort.signal);
  await new Promise((resolve) => abort.signal.addEventListener('abort', resolve, { once: true }));
  await proxy.close(1_000);
  await telemetry?.close();
}

/** A server, and the wait for its first answer. */
interface ProbedServer extends Pick<WorkloadServer, 'connection'> {
  readonly waitUntilReady: (timeoutMs: number) => Promise<void>;
}

function openHttpServer({ config, serverAddress = '' }: PodSettings): ProbedServer {
  const address = { host: serverAddress, port: config.target_port ?? 0 };
  return {
    connection: { kind: 'http', getAddress: () => address },
    waitUntilReady: (timeoutMs) => waitForHttpServer(address, timeoutMs, abort.signal, config),
  };
}

function openStdioServer({ namespace, statefulSet }: PodSettings, startTimeoutMs: number): ProbedServer {
  const access = getClusterAccess(readPodAddresses().api);
  if (access === undefined) throw new Error('the pod has no account to attach to the server');
  const errors = new LineWriter((line) => print(`${SERVER_LINE}${line}`));
  const pods = new ServerPods(new KubernetesClient(access), {
    ...{ namespace, statefulSet, startTimeoutMs, log },
    ...{ first: FIRST_SERVER_PODS, most: MAX_SERVER_PODS },
    errors: (data) => errors.write(data),
  });
  return {
    connection: { kind: 'stdio', openProcess: () => pods.open() },
    waitUntilReady: async (timeoutMs) => {
      const process = await pods.open();
      let end: string | undefined;
      void process.ended.then((how) => (end = describeEnd(how)));
      try {
        await probeStdioServer(process, timeoutMs, abort.signal);
      } catch (error) {
        throw new Error(end === undefined ? getErrorMessage(error) : `${end} before it answered`, { cause: error });
      } finally {
        void process.stop();
      }
    },
  };
}

async function startEgress({ policy, address }: NonNullable<PodSettings['egress']>): Promise<void> {
  const { pod, node } = readPodAddresses();
  const denials = new DenialLog(log);
  const surroundings = { gateways: [], own: [pod, address], machine: [node], networks: [] };
  const dialer = new Dialer(policy, () => surroundings, createAddressLookup(undefined), denials);
  await startPodEgress(dialer, address, denials);
}

/** Answers the probes of the kubelet. */
function serveHealth(port: number): void {
  createServer((_request, response) => {
    response.writeHead(problem === undefined ? 200 : 503, { 'content-type': 'text/plain' });
    response.end(`${problem ?? 'ready'}\n`);
  }).listen(port, ALL_ADDRESSES);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => abort.abort(new Error('stopped')));
process.on('unhandledRejection', (reason) => log(`unexpected: ${String(reason)}`));
try {
  await main(readPodSettings(process.argv[2]));
  process.exit(0);
} catch (error) {
  if (abort.signal.aborted) process.exit(0);
  log(`failed: ${getErrorMessage(error)}`);
  writeFileSync(TERMINATION_LOG, getErrorMessage(error));
  process.exit(1);
}
