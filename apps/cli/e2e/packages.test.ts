import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createCertificateAuthority } from '@gatehouse/testing/certificate-authority';
import { describeWhen } from '@gatehouse/testing/fixture';
import { startGoModuleProxy } from '@gatehouse/testing/go-module-proxy';
import { eventually } from '@gatehouse/testing/eventually';
import { packageImages } from '@gatehouse/testing/package-images';
import { GO_SERVER } from '@gatehouse/testing/small-server';
import { runInContainer } from './container-shell.ts';
import { Gatehouse, listTools } from './gatehouse.ts';

interface NetworkFacts {
  IPAM: { Config: { Gateway?: string }[] };
}

const EVERYTHING = 'npx://@modelcontextprotocol/server-everything@2025.9.25';
describeWhen(await packageImages(), 'gatehouse run of a package', (images) => {
  let gatehouse: Gatehouse;
  let folder: string;
  beforeEach(() => {
    gatehouse = new Gatehouse(images.engine);
    folder = mkdtempSync(join(tmpdir(), 'packages-'));
  });
  afterEach(async () => {
    await gatehouse.close();
    rmSync(folder, { recursive: true });
  }, 60_000);

  const run = (...words: string[]) => gatehouse.run(['--start-timeout', '3m', ...words]);
  const listImages = () => gatehouse.json<{ image: string; source: string; workloads: string[] }[]>('image', 'list');
  const findImage = async (source: string) => (await listImages()).find((one) => one.source === source);
  /** The images without a name that builds have left. */
  const listLayers = async () =>
    (await listImages()).filter(({ source }) => source === 'layers of a build').map(({ image }) => image);

  it('builds an npm package once, runs it as a user without rights, and prunes its image', async () => {
    const base = await images.npx();
    // A test run that was killed has left its image.
    const old = await findImage(EVERYTHING);
    if (old !== undefined) await images.engine.docker.getImage(old.image).remove({ force: true });
    const { shown, stderr } = await run(EVERYTHING, '--name', 'every', '--runtime-image', base);
    expect(stderr).toContain(`building ${EVERYTHING}`);
    expect(shown).toMatchObject({ transport_type: 'stdio', package: EVERYTHING });
    expect(await listTools(shown.url)).toEqual(expect.arrayContaining(['echo']));
    const built = await findImage(EVERYTHING);
    expect(built?.workloads).toEqual(['every']);
    const { Config } = await images.engine.docker.getImage(built?.image ?? '').inspect();
    expect(Config.User).toBe('10001:10001');

    await gatehouse.ok('rm', 'every');
    const again = await run(EVERYTHING, '--name', 'again', '--runtime-image', base);
    expect(again.stderr).not.toContain('building');
    await gatehouse.ok('stop', 'again');
    await images.engine.docker.getImage(built?.image ?? '').remove({ force: true });
    // The layers of the first build make this one short.
    expect((await gatehouse.call(['start', 'again'])).stderr).toContain(`building ${EVERYTHING}`);
    const layers = await listLayers();
    expect(layers).not.toEqual([]);
    await gatehouse.ok('image', 'prune');
    expect(await findImage(EVERYTHING)).toBeDefined();
    const left = await listLayers();
    expect(layers.filter((image) => left.includes(image))).toEqual([]);
    await gatehouse.ok('rm', 'again');
    expect(await gatehouse.ok('image', 'prune')).toContain(built?.image);
  }, 600_000);

  it('builds a Python package with a constraint', async () => {
    const flags = ['--runtime-image', await images.uvx(), '--build-with', 'pydantic<3'];
    const { shown } = await run('uvx://mcp-server-time', '--name', 'time', ...flags);
    expect(await listTools(shown.url)).toEqual(expect.arrayContaining(['get_current_time']));
  }, 600_000);

  it('builds a Go package of a folder, and again after a change', async () => {
    mkdirSync(join(folder, 'cmd', 'server'), { recursive: true });
    writeFileSync(join(folder, 'go.mod'), 'module example.com/server\n\ngo 1.21\n');
    writeFileSync(join(folder, 'cmd', 'server', 'main.go'), GO_SERVER);
    const source = `go://${join(folder, 'cmd', 'server')}`;
    const { shown } = await run(source, '--name', 'mine', '--runtime-image', await images.go());
    expect(await listTools(shown.url)).toEqual(['greet']);
    await gatehouse.ok('stop', 'mine');
    writeFileSync(join(folder, 'cmd', 'server', 'main.go'), GO_SERVER.replace('greet', 'leave'));
    await gatehouse.ok('start', 'mine');
    expect(await listTools(shown.url)).toEqual(['leave']);
  }, 600_000);

  it('builds a Go module with certificates and a package of the operating system', async () => {
    const authority = createCertificateAuthority();
    const { IPAM } = (await images.engine.docker.getNetwork('bridge').inspect()) as NetworkFacts;
    const host = IPAM.Config[0]?.Gateway ?? '';
    const module = {
      ...{ path: 'gatehouse.test/greeter', version: 'v1.0.0' },
      files: { 'go.mod': 'module gatehouse.test/greeter\n\ngo 1.21\n', 'cmd/greeter/main.go': GO_SERVER },
    };
    const proxy = await startGoModuleProxy(module, authority.issue(host, 'server'));
    try {
      const source = 'go://gatehouse.test/greeter/cmd/greeter@v1.0.0';
      const flags = ['--runtime-image', await images.go(), '--ca-cert', authority.certificate];
      const more = ['--name', 'module', '--start-timeout', '3m', '--runtime-add-package', 'hello'];
      const registry = { GOPROXY: `https://${host}:${proxy.port}`, GOSUMDB: 'off' };
      const { shown, stderr } = await gatehouse.run([source, ...flags, ...more], registry);
      expect(stderr).toContain(`building ${source}`);
      expect(await listTools(shown.url)).toEqual(['greet']);
      // The first container found can be that of the ended session.
      const output = await eventually(async () => {
        const [container] = await gatehouse.containers();
        return container && runInContainer(images.engine, container.Id, 'hello').catch(() => undefined);
      }, 'a container of the server runs');
      expect(output).toBe('Hello, world!\n');
      // The registry is a part of the workload, also without the variable.
      await gatehouse.ok('stop', 'module');
      expect((await gatehouse.call(['start', 'module'])).stderr).not.toContain('building');
    } finally {
      await proxy.close();
      authority.remove();
    }
  }, 600_000);

  it('shows the end of a failed build, and leaves nothing', async () => {
    const name = 'npx://@gatehouse-test/no-such-package@1.0.0';
    const failed = await gatehouse.call(['run', name, '--name', 'none', '--runtime-image', await images.npx()]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/could not be built/);
    expect(failed.stderr).toMatch(/404|E404/);
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 300_000);

  it('prints the Dockerfile without an engine', async () => {
    const printed = await gatehouse.call(['build', EVERYTHING, '--dry-run'], { DOCKER_HOST: 'unix:///nowhere' });
    expect(printed.code).toBe(0);
    expect(printed.stdout).toContain('FROM node:24-alpine AS build');
  });
});
