import Docker from 'dockerode';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from './engine.ts';
import { eventually } from './eventually.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import type { ImageName } from './images.ts';
import { startProcess } from './process.ts';

const run = promisify(execFile);
const PODMAN = '/usr/bin/podman';
const RUNTIMES = ['/usr/bin/crun', '/usr/sbin/runc', '/usr/bin/runc'];

/** A Podman service with a storage of its own. */
export interface PodmanEngine extends Engine {
  /** Copies an image from another engine. @returns its name in Podman */
  load(from: Engine, image: ImageName): Promise<string>;
  stop(): Promise<void>;
}

/** Starts Podman, where the machine has it and this user is root. */
export function podmanEngine(): Fixture<() => Promise<PodmanEngine>> {
  const runtime = RUNTIMES.find((path) => existsSync(path));
  if (!existsSync(PODMAN) || runtime === undefined)
    return unavailable('The machine has no Podman: apt-get install podman (tools/testbed/prepare.mjs does it).');
  if (process.getuid?.() !== 0) return unavailable('Only root can start a Podman service with bridge networks.');
  return available(() => startPodman(runtime));
}

async function startPodman(runtime: string): Promise<PodmanEngine> {
  // A socket path has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'podman-'));
  const socket = join(folder, 'podman.sock');
  writeConfiguration(folder, runtime);
  const places = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const options = [...places, '--storage-driver', (await canOverlay(folder)) ? 'overlay' : 'vfs'];
  const service = await startProcess({
    command: [PODMAN, ...options, 'system', 'service', '--time=0', `unix://${socket}`],
    env: { CONTAINERS_CONF: join(folder, 'containers.conf') },
  });
  const docker = new Docker({ socketPath: socket });
  await eventually(() => docker.ping().then(Boolean, () => false), 'Podman answers');
  return {
    ...{ socket, docker, dockerHost: `unix://${socket}` },
    load: async (from, image) => {
      const loaded = await docker.loadImage(await from.docker.getImage(image).get());
      await new Promise((resolve, reject) => loaded.resume().on('end', resolve).on('error', reject));
      // Podman names images without a registry so.
      return `localhost/${image}`;
    },
    stop: async () => {
      await service.stop();
      await unmountAll(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the file system stores layers as overlays; vfs copies every layer in full. */
async function canOverlay(folder: string): Promise<boolean> {
  const places = ['--root', join(folder, 'trial'), '--runroot', join(folder, 'trial-run')];
  try {
    await run(PODMAN, [...places, '--storage-driver', 'overlay', 'info']);
    return true;
  } catch {
    return false;
  }
}

/** Podman mounts the folders of its overlays on themselves, and leaves them so. */
async function unmountAll(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const paths = mounts.flatMap((line) => line.split(' ')[1] ?? []).filter((path) => path.startsWith(`${folder}/`));
  for (const path of paths.reverse()) await run('umount', [path]);
}

/**
 * Podman sets limits of processes that only a user with CAP_SYS_RESOURCE may raise. The wrapper of
 * the runtime takes them out, so that root without this capability can start containers.
 */
function writeConfiguration(folder: string, runtime: string): void {
  const wrapper = join(folder, 'runtime');
  const edit =
    "const { readFileSync, statSync, writeFileSync } = require('node:fs'); let [, path] = process.argv; " +
    "if (statSync(path).isDirectory()) path += '/config.json'; const config = JSON.parse(readFileSync(path, 'utf8')); " +
    'delete (config.process ?? config).rlimits; writeFileSync(path, JSON.stringify(config))';
  const lines = [
    '#!/bin/sh',
    'previous=',
    'for word in "$@"; do',
    `  case "$previous" in --bundle|-b|--process|-p) ${process.execPath} -e "${edit}" "$word";; esac`,
    '  previous=$word',
    'done',
    `exec ${runtime} "$@"`,
  ];
  writeFileSync(wrapper, `${lines.join('\n')}\n`);
  chmodSync(wrapper, 0o755);
  const networks = `[network]\nnetwork_config_dir = "${join(folder, 'networks')}"\n`;
  const runtimes = `[engine]\nruntime = "test"\n[engine.runtimes]\ntest = ["${wrapper}"]\n`;
  writeFileSync(join(folder, 'containers.conf'), networks + runtimes);
}
