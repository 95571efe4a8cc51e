import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { ociRegistry, type OciRegistry, REGISTRY_USER } from '@gatehouse/testing/oci-registry';
import { buildSmallServer, smallServerEngine } from '@gatehouse/testing/small-server';
import { Gatehouse, listTools, type Shown } from './gatehouse.ts';

const registries = ociRegistry();
const engine = registries.available ? await smallServerEngine() : registries;

describeWhen(engine, 'a pull of gatehouse run', (engine) => {
  let registry: OciRegistry;
  let gatehouse: Gatehouse;
  let folder: string;
  const used: string[] = [];

  beforeAll(async () => {
    if (registries.available) registry = await registries.value({ signIn: true });
  }, 120_000);
  afterAll(() => registry.stop());
  beforeEach(() => {
    gatehouse = new Gatehouse(engine);
    folder = mkdtempSync(join(tmpdir(), 'docker-config-'));
  });
  afterEach(async () => {
    await gatehouse.close();
    for (const image of used.splice(0))
      await engine.docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => undefined);
    rmSync(folder, { recursive: true });
  }, 60_000);

  const push = async (repository: string) => {
    const reference = await registry.push(engine, await buildSmallServer(engine), repository);
    used.push(reference);
    return reference;
  };
  const configure = (config: unknown) => writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const signIn = ({ username, password } = REGISTRY_USER) => {
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    configure({ auths: { [registry.host]: { auth } } });
  };
  const run = (image: string, ...words: string[]) =>
    gatehouse.call(['run', image, '--name', 'pulled', '--json', ...words], {
      DOCKER_CONFIG: folder,
      PATH: `${folder}:${process.env['PATH']}`,
    });

  it('sends the credentials of the configuration of Docker, which nothing shows or stores', async () => {
    signIn();
    const image = await push('private/server:1');
    const { code, stdout, stderr } = await run(image, '--debug');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`pulling ${image}`) });
    expect(await listTools((JSON.parse(stdout) as Shown).url)).toEqual(['greet']);
    const stored = ['run.json', 'status.json', 'proxy.log'].map((file) =>
      readFileSync(join(gatehouse.home, 'workloads', 'pulled', file), 'utf8'),
    );
    const [container] = await gatehouse.containers();
    const inspected = await engine.docker.getContainer(container?.Id ?? '').inspect();
    expect([stdout, stderr, ...stored, JSON.stringify(inspected), ...gatehouse.processes()].join('\n')).not.toContain(
      REGISTRY_USER.password,
    );
  }, 60_000);

  it('asks the credential helper', async () => {
    const helper = join(folder, 'docker-credential-test');
    const answer = JSON.stringify({ Username: REGISTRY_USER.username, Secret: REGISTRY_USER.password });
    writeFileSync(helper, `#!/bin/sh\nread server; test "$server" = ${registry.host} && echo '${answer}'\n`);
    chmodSync(helper, 0o755);
    configure({ credHelpers: { [registry.host]: 'test' } });
    expect(await run(await push('private/helped:1'))).toMatchObject({ code: 0 });
  }, 60_000);

  it('is refused without credentials, and with wrong ones, and leaves nothing', async () => {
    const image = await push('private/closed:1');
    for (const prepare of [() => configure({}), () => signIn({ username: 'reader', password: 'wrong-canary' })]) {
      prepare();
      const { code, stderr } = await run(image);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot be pulled') });
      expect(stderr).toContain(`docker login ${registry.host}`);
      expect(stderr).not.toContain('canary');
    }
    signIn();
    expect((await run(image.replace(/1$/, '2'))).stderr).toContain(`${registry.host} does not have the image`);
    configure({ credsStore: 'gone' });
    expect((await run(image)).stderr).toContain('docker-credential-gone');
    expect(await gatehouse.leftovers()).toEqual([]);
  }, 60_000);

  it('sends the credentials of the base image to a build', async () => {
    const base = await push('private/base:1');
    const refused = await run('npx://server@1.0.0', '--runtime-image', base);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Try: --runtime-image IMAGE') });
    signIn();
    const { code, stderr } = await run('npx://server@1.0.0', '--runtime-image', base);
    // The base image has no programs, so the build fails after it was pulled.
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('could not be built') });
    expect(stderr).not.toContain('--runtime-image IMAGE');
    expect((await engine.docker.getImage(base).inspect()).RepoTags).toContain(base);
  }, 60_000);

  it('gets the newest image of a moving tag for run, and keeps the local one for start and offline', async () => {
    signIn();
    const image = await push('private/moving:latest');
    expect((await run(image)).stderr).toContain('pulling');
    await gatehouse.ok('rm', 'pulled');
    expect((await run(image)).stderr).toContain('pulling');
    await gatehouse.ok('stop', 'pulled');
    expect((await gatehouse.call(['start', 'pulled'])).stderr).not.toContain('pulling');
    await gatehouse.ok('rm', 'pulled');
    signIn({ username: 'reader', password: 'wrong' });
    const offline = await run(image);
    expect(offline).toMatchObject({ code: 0, stderr: expect.stringContaining('the local copy runs') });
  }, 60_000);
});
