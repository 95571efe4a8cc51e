// Usage: node tools/test/machine.mjs
// Prints which optional requirements of suites this machine has. Nx hashes the line with the inputs
// of a test run, so a cached result with skipped suites is not used when the machine can run them.
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const isUsable = (path) => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
const testbed = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse/testbed/bin');
const cluster = process.env.KUBEBUILDER_ASSETS ?? testbed;
const programs = [
  '/usr/sbin/dockerd',
  '/usr/bin/dockerd',
  '/usr/local/bin/dockerd',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/sbin/debootstrap',
  '/usr/bin/python3',
  '/usr/lib/python3.11/ensurepip/__init__.py',
];

console.log(
  JSON.stringify({
    root: process.getuid?.() === 0,
    engine: process.env.DOCKER_HOST ?? isUsable('/var/run/docker.sock'),
    programs: programs.filter((program) => existsSync(program)),
    cluster: ['etcd', 'kube-apiserver'].filter((program) => existsSync(join(cluster, program))),
    dex: existsSync(join(testbed, 'dex')),
  }),
);
