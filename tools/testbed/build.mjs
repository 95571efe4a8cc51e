// node tools/testbed/build.mjs [program …] Builds a real Kubernetes from its public Go modules into
// a cache folder and leaves alone what is there already. Without names: etcd and kube-apiserver,
// which the tests need (about 5 minutes on one core, once). `node` stands for everything that
// cluster.sh needs to run pods.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KUBERNETES = '1.34.4';
const bin = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse', 'testbed', 'bin');
const modules = fileURLToPath(new URL('go/', import.meta.url));

const kubernetes = (name) => {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = KUBERNETES.split('.');
  const stamp = `-X ${version}.gitVersion=v${KUBERNETES} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
  return {
    folder: 'kubernetes',
    args: ['build', '-mod=readonly', '-ldflags', `-s -w ${stamp}`],
    source: `k8s.io/kubernetes/cmd/${name}`,
  };
};
// CoreDNS and helm are programs of one module each: go install checks them against the checksum
// database.
const installed = (source) => ({ folder: '.', args: ['install', '-ldflags', '-s -w'], source });

const programs = {
  etcd: { folder: 'etcd', args: ['build', '-mod=readonly', '-ldflags', '-s -w'], source: '.' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  kubectl: kubernetes('kubectl'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  'kube-proxy': kubernetes('kube-proxy'),
  coredns: installed('github.com/coredns/coredns@v1.15.0'),
  helm: installed('helm.sh/helm/v3/cmd/helm@v3.22.0'),
};

const asked = process.argv.slice(2);
const names = asked.length === 0 ? ['etcd', 'kube-apiserver'] : asked.includes('node') ? Object.keys(programs) : asked;
const unknown = names.filter((name) => !(name in programs));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are: ${Object.keys(programs).join(', ')}, and node for all of them.`,
  );
  process.exit(2);
}
mkdirSync(bin, { recursive: true });
for (const name of names) {
  if (existsSync(join(bin, name))) continue;
  const { folder, args, source } = programs[name];
  const started = Date.now();
  console.error(`building ${name} …`);
  // Built under another name and moved, so that a killed build leaves nothing that looks finished.
  const unfinished = join(bin, `.${name}.${process.pid}`);
  const install = args[0] === 'install';
  const { status, error } = spawnSync('go', [...args, '-trimpath', ...(install ? [] : ['-o', unfinished]), source], {
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
  if (!install) renameSync(unfinished, join(bin, name));
  console.error(`${name} built in ${Math.round((Date.now() - started) / 1000)} s`);
}
console.log(bin);
