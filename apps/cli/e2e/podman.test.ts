import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { podmanEngine, type PodmanEngine } from '@gatehouse/testing/podman';
import { buildSmallHttpServer, buildSmallServer, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse, listTools, type Shown } from './gatehouse.ts';

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

  const run = async (image: string, ...words: string[]) => {
    const { code, stdout, stderr } = await gatehouse.call(['run', image, '--name', 'one', '--json', ...words]);
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    return JSON.parse(stdout) as Shown;
  };

  it('runs a stdio server through stop, start and remove', async () => {
    const image = await podman.load(docker, await buildSmallServer(docker));
    const { url } = await run(image, '--isolate-network=false');
    expect(await listTools(url)).toEqual(['greet']);
    expect(await gatehouse.list()).toEqual([expect.objectContaining({ name: 'one', status: 'running' })]);
    await gatehouse.ok('stop', 'one');
    await gatehouse.ok('start', 'one');
    expect(await listTools(url)).toEqual(['greet']);
    await gatehouse.ok('rm', 'one');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 120_000);

  it('runs a streamable-http server, shows its log, and refuses isolation that it cannot enforce', async () => {
    const image = await podman.load(docker, await buildSmallHttpServer(docker));
    const { url } = await run(image, '--isolate-network=false');
    expect(await listTools(url)).toEqual(['greet']);
    expect(await gatehouse.ok('logs', 'one')).toContain('listening');
    await gatehouse.ok('rm', 'one');
    const isolated = await gatehouse.call(['run', image, '--name', 'one']);
    expect(isolated.code).not.toBe(0);
    expect(isolated.stderr).toContain('--isolate-network=false');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 120_000);
});
