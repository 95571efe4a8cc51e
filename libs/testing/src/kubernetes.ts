import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testbedFolder } from './cache.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { freePorts } from './ports.ts';

/**
 * A running Kubernetes API server with its own storage. RBAC is on; there are no controllers and no
 * nodes.
 */
export interface KubernetesApi {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** Path of a kubeconfig of a cluster administrator. */
  readonly kubeconfig: string;
  /** Bearer token of that administrator. */
  readonly token: string;
  stop(): Promise<void>;
  /** Kills the API server. Its storage continues to run. */
  stopServer(): Promise<void>;
  /** Starts the API server again, with the same storage, address and certificate. */
  startServer(): Promise<void>;
  /**
   * Deletes all versions but the present ones from the storage. The API server then answers 410 to
   * tokens of lists and, after its restart, to watches from earlier versions.
   */
  compact(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;

/**
 * Folder with `kube-apiserver` and `etcd`: KUBEBUILDER_ASSETS (the convention of envtest), else the
 * cache that `node tools/testbed/build.mjs` fills.
 */
export function kubernetesPrograms(): Fixture<string> {
  const folder = process.env['KUBEBUILDER_ASSETS'] ?? join(testbedFolder(), 'bin');
  const missing = ['etcd', 'kube-apiserver'].filter((program) => !existsSync(join(folder, program)));
  return missing.length === 0
    ? available(folder)
    : unavailable(
        `${folder} lacks ${missing.join(' and ')}: run "node tools/testbed/build.mjs" once (Go, about 5 minutes).`,
      );
}

/**
 * Starts a real kube-apiserver and etcd on free loopback ports, in about 3 s. They end with
 * `stop()`, at the latest with the test file.
 * @param serverArguments further arguments of kube-apiserver
 * @throws {Error} with the end of its log when it does not become ready
 */
export async function startKubernetes(
  programs: string,
  serverArguments: readonly string[] = [],
): Promise<KubernetesApi> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kubernetes-'));
  const [port, etcdPort, peerPort] = (await freePorts(3)) as [number, number, number];
  const token = randomBytes(24).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'service-accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), {
    mode: 0o600,
  });
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });

  const etcd = start(folder, programs, 'etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync',
  ]);
  const url = `https://127.0.0.1:${port}`;
  let apiServer: ChildProcess | undefined;
  const startServer = async (): Promise<void> => {
    apiServer = start(folder, programs, 'kube-apiserver', [
      ...listServerArguments(folder, port, etcdPort),
      ...serverArguments,
    ]);
    await waitUntilReady(url, token, apiServer);
  };
  const stopServer = async (): Promise<void> => {
    if (apiServer !== undefined) await end(apiServer);
  };
  const stop = async (): Promise<void> => {
    await stopServer();
    await end(etcd);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startServer();
  } catch (cause) {
    const log = readFileSync(join(folder, 'kube-apiserver.log'), 'utf8').split('\n').slice(-10).join('\n');
    await stop();
    throw new Error(`${(cause as Error).message}\n${log}`, { cause });
  }
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, createKubeconfig(url, token, join(folder, 'certificates', 'apiserver.crt')), {
    mode: 0o600,
  });
  const compact = () => compactStorage(`http://127.0.0.1:${etcdPort}`);
  return { url, kubeconfig, token, stop, stopServer, startServer, compact };
}

const listServerArguments = (folder: string, port: number, etcdPort: number): string[] => [
  `--etcd-servers=http://127.0.0.1:${etcdPort}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  '--endpoint-reconciler-type=none',
  `--secure-port=${port}`,
  `--cert-dir=${join(folder, 'certificates')}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${join(folder, 'service-accounts.key')}`,
  `--service-account-signing-key-file=${join(folder, 'service-accounts.key')}`,
  `--token-auth-file=${join(folder, 'tokens.csv')}`,
  '--authorization-mode=RBAC',
  '--service-cluster-ip-range=10.96.0.0/24',
];

/** Compacts etcd at its present revision, over its JSON gateway. */
async function compactStorage(url: string): Promise<void> {
  const call = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd answers ${answer.status} to ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const status = (await call('/v3/maintenance/status', {})) as { header: { revision: string } };
  await call('/v3/kv/compaction', { revision: status.header.revision, physical: true });
}

const living = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of living) child.kill('SIGKILL');
};
// As in process.ts, a test file that fails before its stop() leaves no process behind.
(globalThis as { afterAll?: (hook: () => void) => void }).afterAll?.(killAll);
process.once('exit', killAll);

function start(folder: string, programs: string, name: string, args: string[]): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'w');
  const child = spawn(join(programs, name), args, { cwd: folder, stdio: ['ignore', log, log] });
  living.add(child);
  child.once('exit', () => living.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((settle) => child.once('exit', settle));
  // The data is temporary, so the server is killed: its orderly shutdown takes seconds.
  child.kill('SIGKILL');
  await gone;
}

async function waitUntilReady(url: string, token: string, apiServer: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    if (apiServer.exitCode !== null) throw new Error('kube-apiserver ended while starting.');
    if ((await status(`${url}/readyz`, token)) === 200) return;
    await sleep(50);
  }
  throw new Error(`kube-apiserver was not ready within ${START_DEADLINE_MS / 1000} s.`);
}

/**
 * The server creates its certificate at its start, so this client does not know the certificate.
 * Only this readiness request skips its verification.
 */
function status(url: string, token: string): Promise<number> {
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: false });
  return new Promise((settle) => {
    const request = get(url, { agent, timeout: 2000, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume().once('end', () => settle(response.statusCode ?? 0));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => settle(0));
  });
}

/** The API server's certificate is self-signed, so it is its own authority. */
function createKubeconfig(server: string, token: string, certificate: string): string {
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'testbed',
          cluster: { server, 'certificate-authority-data': readFileSync(certificate).toString('base64') },
        },
      ],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'testbed', context: { cluster: 'testbed', user: 'admin' } }],
      'current-context': 'testbed',
    },
    null,
    2,
  )}\n`;
}
