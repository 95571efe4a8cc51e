import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { repositoryRoot, testbedFolder } from './cache.ts';
import type { Engine } from './engine.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import type { ImageName } from './images.ts';
import { claim } from './lock.ts';
import { freePorts } from './ports.ts';

const run = promisify(execFile);
const SCRIPT = join(repositoryRoot, 'tools/testbed/cluster.sh');
const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];
/** The program that enforces NetworkPolicies, and those that give pods the names of Services. */
const MORE_PROGRAMS = ['kube-network-policies', 'coredns', 'kubectl'];
const PACKAGES = [
  ['/usr/bin/containerd', 'containerd'],
  ['/usr/lib/cni/bridge', 'containernetworking-plugins'],
  ['/usr/sbin/iptables', 'iptables'],
] as const;
/** A machine runs one node at a time, because its network has a fixed name. */
const LOCK = join(tmpdir(), 'gatehouse-cluster-node.lock');
const LOCK_TIMEOUT_MS = 240_000;

/** A real cluster of one node that runs pods. Its Services are reachable from this machine. */
export interface ClusterNode {
  /** Path of a kubeconfig of a cluster administrator. */
  readonly kubeconfig: string;
  /** Address of the API, for which `caPath` has the certificate. */
  readonly url: string;
  readonly caPath: string;
  /** Bearer token of that administrator. */
  readonly token: string;
  /** Copies images of the engine into the node. */
  load(...images: ImageName[]): Promise<void>;
  /** Calls the API as the administrator. @returns the object of the answer */
  call<T>(method: string, path: string, body?: object, token?: string): Promise<T>;
  readonly stop: () => Promise<void>;
}

/**
 * The programs with which nodes enforce NetworkPolicies and have DNS, and kubectl.
 * @returns the path of kubectl
 */
export function completeNode(): Fixture<string> {
  const programs = findPrograms();
  const missing = MORE_PROGRAMS.filter((program) => !existsSync(join(programs, program)));
  return missing.length === 0
    ? available(join(programs, 'kubectl'))
    : unavailable(`${programs} lacks ${missing.join(', ')}: run "node tools/testbed/build.mjs" once.`);
}

const findPrograms = (): string => process.env['KUBEBUILDER_ASSETS'] ?? join(testbedFolder(), 'bin');

/**
 * Starts a cluster with a node, where this user is root and the machine has the programs.
 * The images of the node come from the engine.
 */
export function clusterNode(): Fixture<(engine: Engine) => Promise<ClusterNode>> {
  const programs = findPrograms();
  const missing = PROGRAMS.filter((program) => !existsSync(join(programs, program)));
  if (missing.length > 0)
    return unavailable(
      `${programs} lacks ${missing.join(', ')}: run "node tools/testbed/build.mjs" once (Go, about 10 minutes).`,
    );
  const package_ = PACKAGES.find(([file]) => !existsSync(file));
  if (package_ !== undefined) return unavailable(`The machine has no ${package_[1]}: apt-get install ${package_[1]}.`);
  if (process.getuid?.() !== 0) return unavailable('Only root can start a node of Kubernetes.');
  return available((engine) => startNode(programs, engine));
}

async function startNode(programs: string, engine: Engine): Promise<ClusterNode> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!claim(LOCK)) {
    if (Date.now() > deadline) throw new Error(`another process runs a node: see ${LOCK}`);
    await sleep(200);
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-node-'));
  const [port, etcdPort, peerPort] = await freePorts(3);
  const env = {
    ...process.env,
    KUBEBUILDER_ASSETS: programs,
    DOCKER_HOST: engine.dockerHost,
    TESTBED_PORT: String(port),
    TESTBED_ETCD_PORT: String(etcdPort),
    TESTBED_ETCD_PEER_PORT: String(peerPort),
  };
  const script = (...args: string[]) => run(SCRIPT, args, { env, maxBuffer: 16 * 1024 * 1024 });
  const stop = async () => {
    await script('down', folder);
    rmSync(folder, { recursive: true, force: true });
    rmSync(LOCK, { force: true });
  };
  try {
    await script('up', folder, '--node', ...(completeNode().available ? ['--policies'] : []));
  } catch (error) {
    await stop();
    throw error;
  }
  const kubeconfig = join(folder, 'kubeconfig');
  const url = `https://localhost:${port}`;
  const caPath = join(folder, 'run/certificates/apiserver.crt');
  const token = /token: "([^"]+)"/.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? '';
  return {
    kubeconfig,
    ...{ url, caPath, token },
    load: async (...images) => {
      await script('load', folder, ...images);
    },
    call: (method, path, body, as = token) =>
      call({ url: `${url}${path}`, method, ca: readFileSync(caPath), as, body }),
    stop,
  };
}

interface ApiCall {
  readonly url: string;
  readonly method: string;
  readonly ca: Buffer;
  /** Bearer token. */
  readonly as: string;
  readonly body: object | undefined;
}

function call<T>({ url, method, ca, as, body }: ApiCall): Promise<T> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${as}`,
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((settle, fail) => {
    request(url, { method, ca, headers, agent: false }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      response.once('end', () => settle(JSON.parse(answer) as T));
    })
      .once('error', fail)
      .end(text);
  });
}
