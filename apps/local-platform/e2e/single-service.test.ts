import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@gatehouse/testing/ports';
import { listHomeProcesses, untilGone, newHome, fetchStatus, until } from './platform.ts';

jest.setTimeout(120_000);

const ROOT = resolve(import.meta.dirname, '../../..');
const KEY = 'k'.repeat(32);
const RESOURCES = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
const COMMON = {
  AUDIENCE: 'urn:test',
  ISSUERS: '[{"id":"test","issuer":"http://127.0.0.1:1"}]',
  METRICS_PORT: '0',
};

/** Every service with the variables that it requires. */
const SERVICES: Record<string, Record<string, string>> = {
  'enterprise-manager': {
    ...COMMON,
    CURSOR_KEY: KEY,
    GATEWAYS:
      '[{"id":"local","display_name":"Local","kind":"connector","client_ids":[{"issuer":"http://127.0.0.1:1","client_id":"connector-gateway"}]}]',
  },
  'connector-gateway': {
    ...COMMON,
    CURSOR_KEY: KEY,
    GATEWAY_ID: 'local',
    ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:1',
    TOKEN_URL: 'http://127.0.0.1:1/token',
    CLIENT_ID: 'connector-gateway',
    CLIENT_SECRET: 'secret',
  },
  'ai-gateway-mgmt': {
    METRICS_PORT: '0',
    CURSOR_KEY: KEY,
    NAMESPACE: 'gatehouse',
    GATEWAY_NAME: 'local',
    RESOURCES_FOLDER: RESOURCES,
  },
  'ai-gateway': {
    METRICS_PORT: '0',
    NAMESPACE: 'gatehouse',
    GATEWAY_NAME: 'local',
    RESOURCES_FOLDER: RESOURCES,
  },
  console: {
    ISSUER: 'http://127.0.0.1:1',
    ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:1',
    CONNECTOR_GATEWAY_URL: 'http://127.0.0.1:1',
    AI_GATEWAY_MGMT_URL: 'http://127.0.0.1:1',
    AI_GATEWAY_URL: 'http://127.0.0.1:1',
  },
};

/** A service started by its npm script, with environment variables only. */
interface SingleService {
  npm: ChildProcess;
  home: string;
  url: string;
  output: () => string;
}

const started: SingleService[] = [];

async function startService(name: string, env: Record<string, string>): Promise<SingleService> {
  const [home, port, control] = [newHome(), await freePort(), await freePort()];
  // The programs are built already, so the test skips the build check (`prestart`).
  const npm = spawn('npm', ['run', '--silent', '--ignore-scripts', `start:${name}`], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      GATEHOUSE_HOME: home,
      PORT: String(port),
      CONTROL_PORT: String(control),
      ...env,
    },
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const service = {
    npm,
    home,
    url: `http://127.0.0.1:${name === 'connector-gateway' ? control : port}`,
    output: () => output,
  };
  started.push(service);
  return service;
}

const waitForExit = async ({ npm }: SingleService): Promise<number | null> => {
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'close');
  return npm.exitCode;
};

const waitUntilHealthy = (service: SingleService): Promise<void> =>
  until(
    `the service answers; its output:\n${service.output()}`,
    async () => (await fetchStatus(`${service.url}/healthz`)) === 200,
  );

afterEach(async () => {
  for (const service of started.splice(0)) {
    service.npm.kill('SIGTERM');
    await waitForExit(service);
    await untilGone(service.home);
    rmSync(service.home, { recursive: true, force: true });
  }
});

afterAll(() => rmSync(RESOURCES, { recursive: true, force: true }));

describe.each(Object.entries(SERVICES))('npm run start:%s', (name, env) => {
  it('starts with environment variables only, and ends with npm', async () => {
    const service = await startService(name, env);
    await waitUntilHealthy(service);
    service.npm.kill('SIGKILL');
    await untilGone(service.home);
    expect(await fetchStatus(`${service.url}/healthz`)).toBe(0);
  });

  it('reports all errors of its environment at once, with exit code 1', async () => {
    const service = await startService(name, { PORT: 'x', HOST: '', ENTERPRISE_MANAGER_URL: 'ftp://x' });
    expect(await waitForExit(service)).toBe(1);
    const required = Object.keys(env).filter(
      (variable) => !/METRICS_PORT|ENTERPRISE_MANAGER_URL|GATEWAYS|RESOURCES_FOLDER/.test(variable),
    );
    const reported = name === 'console' ? required.filter((variable) => variable !== 'CLIENT_ID') : required;
    for (const variable of ['PORT', ...reported]) expect(service.output()).toMatch(new RegExp(`^ *${variable}:`, 'm'));
    expect(service.output()).not.toMatch(/^\s+at /m);
  });
});

describe.each(['enterprise-manager', 'connector-gateway'])('%s with an unreachable DATABASE_URL', (name) => {
  it('names the variable in one line, without the password', async () => {
    const port = await freePort();
    const service = await startService(name, {
      ...SERVICES[name],
      DATABASE_URL: `postgres://user:planted-7f3a@127.0.0.1:${port}/some_database`,
    });
    expect(await waitForExit(service)).toBe(1);
    expect(service.output().trim()).toMatch(
      new RegExp(
        `^DATABASE_URL: no connection to database "some_database" at 127\\.0\\.0\\.1:${port} \\(.*ECONNREFUSED.*\\)\\. .*$`,
      ),
    );
    expect(service.output()).not.toContain('planted-7f3a');
  });
});

describe('Node 20', () => {
  const olderNode = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})`;
  const programs = [...Object.keys(SERVICES), 'local-platform'].map((name) => `apps/${name}/dist/main.js`);
  /** The tools run in the repository only, which brings its own Node. */
  const tools = ['tools/build/build.mjs', 'tools/test/run.mjs'];
  it.each([...programs.map((program) => [program, '22.19']), ...tools.map((tool) => [tool, '24'])])(
    'is refused by %s in one sentence',
    (program, needed) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', olderNode, program], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`Gatehouse needs Node ${needed} or newer, and this is 20.1.0: `);
      expect(stderr.split('\n')).toHaveLength(2);
    },
  );
});

describe('the enterprise manager without DATABASE_URL', () => {
  it('starts its own Postgres, keeps its data, and stops the Postgres when it ends', async () => {
    const service = await startService('enterprise-manager', SERVICES['enterprise-manager']!);
    await until(
      `the service is ready; its output:\n${service.output()}`,
      async () => (await fetchStatus(`${service.url}/readyz`)) === 200,
    );
    const data = join(service.home, 'enterprise-manager', 'postgres', 'data');
    expect(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])).toBeGreaterThan(0);
    service.npm.kill('SIGTERM');
    await waitForExit(service);
    await untilGone(service.home);
    expect(listHomeProcesses(service.home)).toEqual([]);
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
  });
});
