import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { available, describeWhen, type Fixture, unavailable } from '@gatehouse/testing/fixture';
import { Browser } from '@gatehouse/testing/form-browser';
import { nodeVersion } from '@gatehouse/testing/node-versions';
import { freePortOffset } from '@gatehouse/testing/ports';
import { Gatehouse } from './gatehouse.ts';
import { InstalledPackages } from './installed-package.ts';
import { addressIn, listPlatformProcesses, PLATFORM_PORTS } from './local-platform.ts';

jest.setTimeout(120_000);

/** The used fields of `up --json`. */
interface ShownPlatform {
  status: string;
  pid: number;
  urls: { console: string; enterprise_manager: string };
}

describeWhen(installPackages(), 'the package gatehouse-platform', (installed) => {
  let gatehouse: Gatehouse;
  let environment: Record<string, string>;
  beforeEach(async () => {
    // The oldest Node that the packages support.
    const older = await nodeVersion('22.19.0');
    const program = join(installed.folder, 'node_modules/gatehouse/bin/gatehouse.cjs');
    gatehouse = new Gatehouse(undefined, [older.available ? older.value : process.execPath, '--', program]);
    chmodSync(gatehouse.home, 0o711);
    environment = {
      GATEHOUSE_PORT_OFFSET: String(await freePortOffset(PLATFORM_PORTS)),
      GATEHOUSE_SESSION_STORE: 'file',
    };
  });
  afterEach(async () => {
    await gatehouse.call(['down']);
    await gatehouse.close();
  });
  afterAll(() => installed.remove());

  const up = async (...flags: string[]): Promise<ShownPlatform> => {
    const { code, stdout, stderr } = await gatehouse.call(['up', '--json', ...flags], environment);
    if (code !== 0) throw new Error(`up ended with ${code ?? 'a signal'}: ${stderr}`);
    return JSON.parse(stdout) as ShownPlatform;
  };
  const untilNothingRuns = async (): Promise<void> => {
    while (listPlatformProcesses(gatehouse.home).length > 0) await new Promise((wake) => setTimeout(wake, 100));
  };

  it('contains no path of the machine that packed it', () => {
    const names = installed.listFiles('gatehouse-platform').filter((path) => /\.(?:js|json|yaml)$/.test(path));
    const root = join(import.meta.dirname, '../../..');
    const folder = join(installed.folder, 'node_modules/gatehouse-platform');
    expect(names.filter((path) => readFileSync(join(folder, path), 'utf8').includes(root))).toEqual([]);
    expect(names.length).toBeGreaterThan(50);
    expect(installed.listFiles('gatehouse-platform').filter((path) => /\.(?:map|ts)$|test/.test(path))).toEqual([]);
  });

  it('starts one platform with two commands, signs a user in, and stops it', async () => {
    const [one, other] = await Promise.all([up(), up()]);
    expect(one.pid).toBe(other.pid);
    expect([one.status, other.status].sort()).toEqual(['running', 'started']);
    const again = await gatehouse.call(['up'], environment);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(one.urls.console) });

    expect((await fetch(one.urls.console)).status).toBe(200);
    const login = gatehouse.begin(['login', '--no-browser'], environment);
    const browser = new Browser();
    const page = await browser.open(await addressIn(login));
    await browser.submit(page.url, { login: 'alice', password: readPassword(gatehouse.home, 'alice') });
    expect(await login.ended).toMatchObject({ code: 0 });
    expect((await gatehouse.call(['whoami'], environment)).stdout).toContain('alice');

    expect(await gatehouse.call(['down'])).toMatchObject({ code: 0 });
    expect(listPlatformProcesses(gatehouse.home)).toEqual([]);
    expect(await gatehouse.call(['down'])).toMatchObject({ code: 0, stderr: expect.stringContaining('No platform') });
  });

  it('leaves nothing when the command is killed before the platform is ready', async () => {
    const running = gatehouse.begin(['up'], environment);
    await running.says('identity-provider is ready');
    running.process.kill('SIGKILL');
    await untilNothingRuns();
    expect((await gatehouse.call(['down'])).stderr).toContain('No platform');
  });

  it('stops the platform in the foreground with Ctrl-C, and then refuses a port that another program uses', async () => {
    const running = gatehouse.begin(['up', '--foreground'], environment);
    while (!running.stdout().includes('gatehouse down')) await new Promise((wake) => setTimeout(wake, 50));
    const other = new Gatehouse();
    const refused = await gatehouse.call(['up'], { ...environment, GATEHOUSE_HOME: other.home });
    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('GATEHOUSE_PORT_OFFSET') });
    await other.close();
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(listPlatformProcesses(gatehouse.home)).toEqual([]);
  });
});

/** Both packages, installed from the registry. */
function installPackages(): Fixture<InstalledPackages> {
  try {
    return available(
      new InstalledPackages(['gatehouse', 'gatehouse-platform'], ['--prefer-offline', '--fetch-retries=0']),
    );
  } catch (error) {
    const reason = String((error as { stderr?: unknown }).stderr ?? error).split('\n')[0] ?? '';
    return unavailable(`npm cannot install the dependencies of gatehouse-platform: ${reason}`);
  }
}

function readPassword(home: string, name: string): string {
  const { users } = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8')) as {
    users: { name: string; password: string }[];
  };
  return users.find((user) => user.name === name)?.password ?? '';
}
