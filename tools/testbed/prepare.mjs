// Usage: node tools/testbed/prepare.mjs [--kubernetes]
// Installs the missing Debian packages of the suites on Debian 12, as root. `--kubernetes` also
// builds etcd, kube-apiserver and dex (build.mjs).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The required files, and the package of each. */
const requirements = [
  { package: 'docker.io', files: ['/usr/sbin/dockerd', '/usr/bin/dockerd'] },
  { package: 'docker-registry', files: ['/usr/bin/docker-registry'] },
  { package: 'podman', files: ['/usr/bin/podman'] },
  { package: 'iptables', files: ['/usr/sbin/iptables'] },
  { package: 'debootstrap', files: ['/usr/sbin/debootstrap'] },
  { package: 'ca-certificates', files: ['/etc/ssl/certs/ca-certificates.crt'] },
  { package: 'chromium', files: ['/usr/bin/chromium'] },
  { package: 'git', files: ['/usr/bin/git', '/usr/local/bin/git'] },
  // The SCIM tester and the OpenAPI validator are Python programs.
  {
    package: 'python3-venv',
    files: ['3.11', '3.12', '3.13'].map((version) => `/usr/lib/python${version}/ensurepip/__init__.py`),
  },
  // Only tests start this server. Any version from 15 on is possible.
  {
    package: 'postgresql',
    files: ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin/initdb`),
  },
  // Their completion scripts are run.
  { package: 'zsh', files: ['/usr/bin/zsh'] },
  { package: 'fish', files: ['/usr/bin/fish'] },
  { package: 'procps', files: ['/usr/bin/ps', '/bin/ps'] },
];

const run = (program, args, options = {}) =>
  spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...options,
  });

const missing = requirements
  .filter(({ files }) => !files.some((file) => existsSync(file)))
  .map((requirement) => requirement.package);
if (missing.length === 0) {
  console.error('All Debian packages of the tests are installed.');
} else if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
  console.error(
    `Missing packages: ${missing.join(', ')}. Run this as root on Debian to install them; without them their suites are skipped.`,
  );
} else {
  console.error(`Installing ${missing.join(', ')} …`);
  // Packages must not start daemons (RUNLEVEL=1): the tests start dockerd with their own data
  // folder.
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
