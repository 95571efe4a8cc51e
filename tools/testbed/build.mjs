// Usage: node tools/testbed/build.mjs [program …]
// Builds missing programs from public Go modules into a cache folder. The default is what the tests
// need: etcd, dex and a node of Kubernetes that has DNS and enforces NetworkPolicies (about 14
// minutes on one core). `node` builds helm too.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KUBERNETES = '1.34.4';
const bin = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse', 'testbed', 'bin');
const modules = fileURLToPath(new URL('go/', import.meta.url));

const fromKubernetes = (name) => {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = KUBERNETES.split('.');
  const stamp = `-X ${version}.gitVersion=v${KUBERNETES} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
  return {
    folder: 'kubernetes',
    args: ['build', '-mod=readonly', '-ldflags', `-s -w ${stamp}`],
    source: `k8s.io/kubernetes/cmd/${name}`,
  };
};
// `go install` verifies the modules of CoreDNS and helm with the checksum database.
const fromModule = (source) => ({ folder: '.', args: ['install', '-ldflags', '-s -w'], source });

const programs = {
  etcd: { folder: 'etcd', args: ['build', '-mod=readonly', '-ldflags', '-s -w'], source: '.' },
  // The tags of dex are no versions of its Go module: go/dex/go.mod names the commit of v2.44.0.
  dex: {
    folder: 'dex',
    args: ['build', '-mod=readonly', '-ldflags', '-s -w'],
    source: 'github.com/dexidp/dex/cmd/dex',
  },
  'kube-apiserver': fromKubernetes('kube-apiserver'),
  kubectl: fromKubernetes('kubectl'),
  'kube-controller-manager': fromKubernetes('kube-controller-manager'),
  'kube-scheduler': fromKubernetes('kube-scheduler'),
  kubelet: fromKubernetes('kubelet'),
  'kube-proxy': fromKubernetes('kube-proxy'),
  'kube-network-policies': {
    folder: 'kube-network-policies',
    args: ['build', '-mod=readonly', '-ldflags', '-s -w'],
    source: '.',
  },
  coredns: fromModule('github.com/coredns/coredns@v1.15.0'),
  helm: fromModule('helm.sh/helm/v3/cmd/helm@v3.22.0'),
};
const forTests = [
  ...['etcd', 'kube-apiserver', 'dex'],
  ...['kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'],
  ...['kubectl', 'coredns', 'kube-network-policies'],
];
const forCluster = Object.keys(programs).filter((name) => name !== 'dex');

const requested = process.argv.slice(2);
const names = requested.length === 0 ? forTests : requested.includes('node') ? forCluster : requested;
const unknown = names.filter((name) => !(name in programs));
if (unknown.length > 0) {
  console.error(
    `Unknown program: ${unknown.join(', ')}. Programs are ${Object.keys(programs).join(', ')}, or node for those of a cluster.`,
  );
  process.exit(2);
}
mkdirSync(bin, { recursive: true });
for (const name of names) {
  if (existsSync(join(bin, name))) continue;
  const { folder, args, source } = programs[name];
  const started = Date.now();
  console.error(`building ${name} …`);
  // A killed build must leave no incomplete program, so the name changes after the build.
  const unfinished = join(bin, `.${name}.${process.pid}`);
  const isInstall = args[0] === 'install';
  const { status, error } = spawnSync('go', [...args, '-trimpath', ...(isInstall ? [] : ['-o', unfinished]), source], {
    cwd: join(modules, folder),
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: bin, GOWORK: 'off' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error(
      error ? `go could not be run (${error.message}): install Go 1.25 or newer.` : `${name} could not be built.`,
    );
    process.exit(1);
  }
  if (!isInstall) renameSync(unfinished, join(bin, name));
  console.error(`${name} built in ${Math.round((Date.now() - started) / 1000)} s`);
}
console.log(bin);
