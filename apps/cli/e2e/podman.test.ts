import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { packageImages } from '@gatehouse/testing/package-images';
import { podmanEngine, type PodmanEngine } from '@gatehouse/testing/podman';
import { buildSmallHttpServer, buildSmallServer, GO_SERVER, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse, listTools } from './gatehouse.ts';

const podmans = podmanEngine();
const builder = podmans.available ? await smallServerEngine() : podmans;

describeWhen(builder, 'gatehouse on Podman', (docker) => {
  let podman: PodmanEngine;
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    if (podmans.available) podman = await podmans.value();
  }, 60_000);
  afterAll(() => podman.stop(), 60_000);
  beforeEach(() => {
    gatehouse = new Gatehouse(podman);
  });
  afterEach(() => gatehouse.close(), 60_000);

  const run = async (image: string, ...words: string[]) =>
    (await gatehouse.run([image, '--name', 'one', ...words])).shown;

  it('runs a stdio server through stop, start and remove', async () => {
    const image = await podman.load(docker, await buildSmallServer(docker));
    const { url } = await run(image);
    expect(await listTools(url)).toEqual(['greet']);
    const [server] = await gatehouse.containers();
    const { NetworkSettings, HostConfig, State } = await podman.docker.getContainer(server!.Id).inspect();
    const [network] = Object.values(NetworkSettings.Networks);
    // This machine has no address in the network of the server, not even a link-local one.
    const block = (address: string) => address.replace(/\d+$/, (octet) => String(Number(octet) >> 4));
    const machine = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    expect(machine.filter(({ address }) => block(address) === block(network!.IPAddress))).toEqual([]);
    expect(readFileSync(`/proc/${State.Pid}/net/if_inet6`, 'utf8')).toBe('');
    expect(HostConfig.Dns?.map(block)).toEqual([block(network!.IPAddress)]);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running' })]);
    await gatehouse.ok('stop', 'one');
    await gatehouse.ok('start', 'one');
    expect(await listTools(url)).toEqual(['greet']);
    await gatehouse.ok('rm', 'one');
    await gatehouse.untilNothingIsLeft();
  }, 120_000);

  it('runs a streamable-http server and shows its log, with and without isolation', async () => {
    const image = await podman.load(docker, await buildSmallHttpServer(docker));
    const profile = join(gatehouse.home, 'profile.json');
    const outbound = { allow_host: ['one.test', 'two.test'], allow_port: [5432] };
    writeFileSync(profile, JSON.stringify({ network: { outbound } }));
    for (const isolated of [true, false]) {
      const flags = isolated ? ['--permission-profile', profile] : ['--isolate-network=false'];
      const { url } = await run(image, ...flags);
      expect(await listTools(url)).toEqual(['greet']);
      const servers = (await gatehouse.containers()).filter(({ Labels }) => Labels['gatehouse-name'] === 'one');
      const { NetworkSettings } = await podman.docker.getContainer(servers[0]!.Id).inspect();
      // Each named host has the address of a network of its own.
      expect(Object.keys(NetworkSettings.Networks)).toHaveLength(isolated ? 3 : 1);
      expect(await gatehouse.ok('logs', 'one')).toContain('listening');
      await gatehouse.ok('rm', 'one');
      await gatehouse.untilNothingIsLeft();
    }
  }, 180_000);

  it('builds a Go package of a folder once, runs it with its limits, and prunes its image', async () => {
    const images = await packageImages();
    if (!images.available) throw new Error(images.reason);
    const base = await podman.load(docker, await images.value.go());
    const folder = mkdtempSync(join(tmpdir(), 'podman-source-'));
    try {
      writeFileSync(join(folder, 'go.mod'), 'module example.com/server\n\ngo 1.19\n');
      writeFileSync(join(folder, 'main.go'), GO_SERVER);
      const { url } = await run(
        ...[`go://${folder}`, '--isolate-network=false', '--runtime-image', base, '--memory', '300m'],
      );
      expect(await listTools(url)).toEqual(['greet']);
      const [container] = await gatehouse.containers();
      const { HostConfig } = await podman.docker.getContainer(container!.Id).inspect();
      expect(HostConfig).toMatchObject({ Memory: 300 * 1024 ** 2, PidsLimit: 512, Privileged: false });
      await gatehouse.ok('stop', 'one');
      expect((await gatehouse.call(['start', 'one'])).stderr).not.toContain('building');
      await gatehouse.ok('rm', 'one');
      expect(await gatehouse.ok('image', 'prune')).toContain('gatehouse.invalid/build/go-');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 240_000);
});
