import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, imageEngine } from '@gatehouse/testing/images';
import { nodeVersion } from '@gatehouse/testing/node-versions';
import { echo, Gatehouse, type Shown } from './gatehouse.ts';
import { InstalledPackages } from './installed-package.ts';

const MEGABYTE = 1024 * 1024;
const engine = await imageEngine();

let installed: InstalledPackages;
let root: string;
// Without the optional dependency, the installation needs no registry.
beforeAll(() => {
  installed = new InstalledPackages(['gatehouse'], ['--omit=optional', '--offline']);
  root = join(installed.folder, 'node_modules/gatehouse');
}, 120_000);
afterAll(() => installed.remove());

const readManifest = (): Record<string, object> =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>;

describe('the package gatehouse', () => {
  it('has only the program, its modules and its documents, in at most 15 MB', () => {
    const allowed =
      /^(?:package\.json|README\.md|LICENSE|oclif\.manifest\.json|bin\/gatehouse\.cjs|dist\/bundle\/(?:main|help|(?:commands|chunks)\/.+)\.js)$/;
    expect(installed.listFiles('gatehouse').filter((path) => !allowed.test(path))).toEqual([]);
    expect(statSync(installed.tarballs['gatehouse'] ?? '').size).toBeLessThan(15 * MEGABYTE);
  });

  it('says how to install the platform', async () => {
    const gatehouse = new Gatehouse(undefined, [process.execPath, '--', join(root, 'bin/gatehouse.cjs')]);
    const { code, stdout, stderr } = await gatehouse.call(['up']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Error: The platform is not installed: there is no package gatehouse-platform\nTry: npm install .*gatehouse-platform-\d/,
    );
    expect(await gatehouse.call(['down'])).toMatchObject({ code: 0, stderr: expect.stringContaining('No platform') });
    await gatehouse.close();
  });

  it('needs no other package, no install script, and Node 22.19', () => {
    const manifest = readManifest();
    expect(Object.keys(manifest['optionalDependencies'] ?? {})).toEqual(['@napi-rs/keyring']);
    for (const field of ['dependencies', 'devDependencies', 'workspaces', 'scripts'])
      expect(manifest).not.toHaveProperty(field);
    expect(manifest['engines']).toEqual({ node: '>=22.19.0' });
  });
});

describeWhen(await nodeVersion('12.22.12'), 'the package gatehouse on Node 12', (node) => {
  it('says which version it needs', async () => {
    const program = join(root, 'bin/gatehouse.cjs');
    expect(await new Gatehouse(undefined, [node, program]).call(['list'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'gatehouse needs Node 22.19 or newer, and this is v12.22.12: install a newer Node.\n',
    });
  });
});

describe('the programs of containers in the package', () => {
  it.each(['sidecar', 'proxy-pod'])('%s imports no other file, which its image lacks', (program) => {
    const chunks = join(root, 'dist/bundle/chunks');
    const files = readdirSync(chunks).filter((name) => name.startsWith(`${program}-`));
    expect(files).toHaveLength(1);
    const code = readFileSync(join(chunks, files[0]!), 'utf8');
    expect(code.match(/^(?:import|export)\b.*\bfrom\s*"\..*$|^import\s*"\..*$/gm)).toBeNull();
  });
});

describeWhen(await nodeVersion('22.19.0'), 'the package gatehouse on Node 22.19', (node) => {
  runsOn(() => node);
});

describe('the package gatehouse on the Node of the repository', () => {
  runsOn(() => process.execPath);
});

function runsOn(findNode: () => string): void {
  let gatehouse: Gatehouse;
  const create = (engine?: ConstructorParameters<typeof Gatehouse>[0]): Gatehouse =>
    (gatehouse = new Gatehouse(engine, [findNode(), '--', join(root, 'bin/gatehouse.cjs')]));
  afterEach(() => gatehouse.close(), 60_000);

  it('loads every command', () => {
    create();
    const script = `
      const { commands } = JSON.parse(require('fs').readFileSync('oclif.manifest.json', 'utf8'));
      Promise.all(Object.keys(commands).map((id) => import('./dist/bundle/commands/' + id.replaceAll(':', '/') + '.js')))
        .then((modules) => process.stdout.write(String(modules.filter((one) => typeof one.default.run === 'function').length)));`;
    const loaded = execFileSync(findNode(), ['-e', script], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as { commands: object };
    expect(Number(loaded)).toBe(Object.keys(commands).length);
  });

  it('loads every module that commands load late, such as those of Cedar, Sigstore and Kubernetes', () => {
    create();
    // These are the programs of other processes, which start when they are loaded.
    const script = `
      const names = require('fs').readdirSync('dist/bundle/chunks').filter((name) => !/^(supervise|sidecar|proxy-pod)-/.test(name));
      Promise.allSettled(names.map((name) => import('./dist/bundle/chunks/' + name))).then((results) => {
        const failed = names.filter((_, index) => results[index].status === 'rejected');
        process.stdout.write(JSON.stringify({ count: names.length, failed }), () => process.exit());
      });`;
    const printed = execFileSync(findNode(), ['-e', script], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    const { count, failed } = JSON.parse(printed) as { count: number; failed: string[] };
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it('answers without an engine and without any message', async () => {
    create();
    const { version } = readManifest() as unknown as { version: string };
    expect(await gatehouse.call(['version'])).toEqual({ code: 0, stdout: `gatehouse ${version}\n`, stderr: '' });
    expect(await gatehouse.call(['registry', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' });
    const keyFile = join(gatehouse.home, 'password');
    expect(await gatehouse.call(['secret', 'setup', '--key-file', keyFile])).toMatchObject({ code: 0 });
    expect(await gatehouse.call(['secret', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' });
    expect((await gatehouse.call(['build', '--dry-run', 'npx://@scope/server@1.0.0'])).stdout).toContain(
      '@scope/server',
    );
  });

  describeWhen(engine, 'with an engine', (value) => {
    it('runs an isolated HTTP server with a secret and a policy of Cedar, and exports it', async () => {
      const image = await everythingImage(value);
      create(value);
      const [keyFile, policy] = ['password', 'authz.json'].map((name) => join(gatehouse.home, name)) as [
        string,
        string,
      ];
      const policies = ['permit(principal, action == Action::"call_tool", resource == Tool::"echo");'];
      writeFileSync(policy, JSON.stringify({ version: '1.0', type: 'cedarv1', cedar: { policies } }));
      expect(await gatehouse.call(['secret', 'setup', '--key-file', keyFile])).toMatchObject({ code: 0 });
      expect(await gatehouse.begin(['secret', 'set', 'token'], {}, 'canary').ended).toMatchObject({ code: 0 });
      const flags = ['--secret', 'token,target=API_TOKEN', '--authz-config', policy, '--json'];
      const run = await gatehouse.call(['run', image, '--name', 'web', ...flags, '--', 'streamableHttp']);
      expect(run).toMatchObject({ code: 0 });
      const { url } = JSON.parse(run.stdout) as Shown;
      expect(await echo(url, 'hello')).toEqual({ tools: ['echo'], said: [{ type: 'text', text: 'Echo: hello' }] });
      const exported = await gatehouse.ok('export', 'web');
      expect(JSON.parse(exported)).toMatchObject({ isolate_network: true, secrets: ['token,target=API_TOKEN'] });
      expect(exported).not.toContain('canary');
      await gatehouse.ok('rm', 'web');
      expect(await gatehouse.leftovers()).toEqual([]);
    }, 120_000);

    it('runs a server in a container, with its supervisor', async () => {
      const image = await everythingImage(value);
      create(value);
      const run = await gatehouse.call(['run', image, '--transport', 'stdio', '--json', '--', 'stdio']);
      expect(run).toMatchObject({ code: 0 });
      const { name, url } = JSON.parse(run.stdout) as Shown;
      expect((await echo(url, 'hello')).said).toEqual([{ type: 'text', text: 'Echo: hello' }]);
      await gatehouse.ok('rm', name);
      expect(await gatehouse.leftovers()).toEqual([]);
    }, 120_000);
  });
}
