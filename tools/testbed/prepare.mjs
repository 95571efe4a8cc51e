// node tools/testbed/prepare.mjs [--kubernetes] Brings a bare Debian 12 (as root) to where every
// suite can run: installs the Debian packages that are missing and says which. Runs again in a
// second. With --kubernetes also builds etcd and kube-apiserver (Go, about 5 minutes once; see
// build.mjs).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What must be there, and the package that brings it. */
const needs = [
  { package: 'docker.io', files: ['/usr/sbin/dockerd', '/usr/bin/dockerd'] },
  { package: 'iptables', files: ['/usr/sbin/iptables'] },
  { package: 'debootstrap', files: ['/usr/sbin/debootstrap'] },
  { package: 'ca-certificates', files: ['/etc/ssl/certs/ca-certificates.crt'] },
  { package: 'chromium', files: ['/usr/bin/chromium'] },
  { package: 'git', files: ['/usr/bin/git', '/usr/local/bin/git'] },
  // The SCIM referee and the OpenAPI validator of the tests are Python programs.
  {
    package: 'python3-venv',
    files: ['3.11', '3.12', '3.13'].map((version) => `/usr/lib/python${version}/ensurepip/__init__.py`),
  },
  // Its programs: no server of it is started but by tests. Any version from 15 on.
  {
    package: 'postgresql',
    files: ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin/initdb`),
  },
  { package: 'procps', files: ['/usr/bin/ps', '/bin/ps'] },
];

const run = (program, args, options = {}) =>
  spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...options,
  });

const missing = needs.filter(({ files }) => !files.some((file) => existsSync(file))).map((need) => need.package);
if (missing.length === 0) {
  console.error('Every Debian package that the tests use is installed.');
} else if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
  console.error(
    `Not installed: ${missing.join(', ')}. Only root on Debian can install them here; the suites that need them will be skipped.`,
  );
} else {
  console.error(`Installing ${missing.join(', ')} …`);
  // Nothing that a package brings may start a daemon: the tests start dockerd themselves, with a
  // data folder of their own.
  const steps = [
    ['apt-get', ['update', '-qq']],
    ['apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing]],
  ];
  for (const [program, args] of steps) {
    const { status, stdout, stderr } = run(program, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status !== 0) {
      console.error(`${program} ${args.join(' ')} failed:\n${stdout.slice(-2000)}${stderr.slice(-2000)}`);
      process.exit(1);
    }
  }
}
if (process.argv.includes('--kubernetes')) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.exitCode = status ?? 1;
}
