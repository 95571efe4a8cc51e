import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import {
  listHomeProcesses,
  type FailedStart,
  freeOffset,
  untilGone,
  newHome,
  RunningPlatform,
  startPlatform,
  fetchStatus,
  tryPlatform,
  until,
} from './platform.ts';

jest.setTimeout(120_000);

const PEOPLE = {
  admin: ['admin', 'policyEditor'],
  auditor: ['auditor'],
  alice: ['user'],
  bob: ['user'],
  carol: ['user'],
};

const startAndFail = async (...options: Parameters<typeof tryPlatform>): Promise<FailedStart> => {
  const outcome = await tryPlatform(...options);
  if (!(outcome instanceof RunningPlatform)) return outcome;
  await outcome.remove();
  throw new Error('the platform started');
};

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.remove());

/** Starts the platform again on its home. */
const startAgain = async (): Promise<void> => {
  platform = await startPlatform({ home: platform.home, offset: platform.offset });
};

describe('a fresh home', () => {
  it('starts with every service ready', async () => {
    await platform.ready();
    expect(Object.keys(platform.pids()).sort()).toEqual([
      'ai-gateway',
      'ai-gateway-mgmt',
      'connector-gateway',
      'console',
      'enterprise-manager',
      'identity-provider',
      'postgres',
      'supervisor',
    ]);
  });

  it('serves a page at the root of every address and at every link of the console', async () => {
    const { services } = (await (await fetch(`${platform.json.urls.console}/api/services`)).json()) as {
      services: { page: string }[];
    };
    const roots = Object.values(platform.json.urls).map((url) => `${url}/`);
    for (const url of [...roots, ...services.map(({ page }) => page)]) {
      const response = await fetch(url);
      await response.body?.cancel();
      expect([url, response.status, response.headers.get('content-type')]).toEqual([
        url,
        200,
        expect.stringMatching(/^text\/(?:html|plain)/),
      ]);
    }
  });

  it('prints exactly one line on stdout, the content of platform.json', () => {
    const file = join(platform.home, 'platform.json');
    expect(platform.output.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(platform.json);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('describes itself in platform.json', () => {
    const port = (base: number): string => `http://127.0.0.1:${base + platform.offset}`;
    expect(platform.json).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pid: platform.process.pid,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      urls: {
        enterprise_manager: port(8080),
        connector_gateway: port(8081),
        connector_gateway_control: port(8091),
        ai_gateway_mgmt: port(8082),
        ai_gateway: port(8083),
        console: port(8084),
        identity_provider: port(8090),
      },
      issuer: port(8090),
      audience: expect.stringMatching(/./),
      gateway_id: 'local',
      ai_gateway_id: 'local-ai',
      users: Object.entries(PEOPLE).map(([name, roles]) => ({ name, email: `${name}@example.test`, roles })),
    });
  });

  it('lets only the owner read or write files in the home', () => {
    const open = files(platform.home).filter((file) => (statSync(file).mode & 0o066) !== 0);
    expect(open).toEqual([]);
    const listable = folders(platform.home).filter((folder) => (statSync(folder).mode & 0o066) !== 0);
    expect(listable).toEqual([]);
  });

  it('passes no secret in a command line or an environment', () => {
    const secrets = readdirSync(join(platform.home, 'secrets')).map((name) =>
      readFileSync(join(platform.home, 'secrets', name), 'utf8'),
    );
    for (const { pid, command } of listHomeProcesses(platform.home)) {
      const environment = existsSync(`/proc/${pid}/environ`) ? readFileSync(`/proc/${pid}/environ`, 'utf8') : '';
      for (const secret of secrets) expect(`${command} ${environment}`).not.toContain(secret);
    }
  });

  it.each([
    ['connector-gateway', 'GET', '/gateway/v1/gateways/local/snapshot', 200],
    ['connector-gateway', 'POST', '/webhooks/ping', 403],
    ['ai-gateway', 'POST', '/webhooks/ping', 200],
    ['ai-gateway', 'GET', '/gateway/v1/gateways/local/snapshot', 403],
    ['ai-gateway-mgmt', 'POST', '/webhooks/ping', 403],
  ])(
    'gives the service client %s the rights of its gateway: %s %s answers %i',
    async (client, method, path, status) => {
      const response = await fetch(`${platform.json.urls.enterprise_manager}${path}`, {
        method,
        headers: { authorization: `Bearer ${await platform.token(client)}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
      expect([response.status, (await response.text()).length > 0]).toEqual([status, true]);
    },
  );

  it.each(Object.entries(PEOPLE))('gives %s a token that every service accepts', async (name, roles) => {
    const token = await platform.token(name);
    const { iss, aud, sub, ...claims } = decodeJwt(token);
    expect({ iss, aud }).toEqual({ iss: platform.json.issuer, aud: platform.json.audience });
    expect(claims).toMatchObject({ email: `${name}@example.test`, groups: [], roles });
    const { urls } = platform.json;
    expect(await fetchStatus(`${urls.ai_gateway_mgmt}/v1/info`, token)).toBe(200);
    expect(await fetchStatus(`${urls.ai_gateway}/v1/models`, token)).toBe(200);
    const me = await fetch(`${urls.enterprise_manager}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ user_name: name, subject: sub, active: true });
  });

  it('lists its users in the directory, without the service clients', async () => {
    const response = await fetch(`${platform.json.urls.enterprise_manager}/v1/users`, {
      headers: { authorization: `Bearer ${await platform.token('admin')}` },
    });
    const { items } = (await response.json()) as { items: { user_name: string }[] };
    expect(items.map(({ user_name }) => user_name).sort()).toEqual(Object.keys(PEOPLE).sort());
  });

  it('refuses users without a token, or with a token for another audience', async () => {
    const foreign = await platform.token('admin', { audience: 'https://elsewhere.test' });
    for (const token of [undefined, foreign]) {
      expect(await fetchStatus(`${platform.json.urls.enterprise_manager}/v1/me`, token)).toBe(401);
      expect(await fetchStatus(`${platform.json.urls.ai_gateway_mgmt}/v1/info`, token)).toBe(401);
      expect(await fetchStatus(`${platform.json.urls.ai_gateway}/v1/models`, token)).toBe(401);
    }
  });

  it('refuses a second start of the same home and names the running process', async () => {
    const before = platform.pids();
    const second = await startAndFail({ home: platform.home, offset: await freeOffset() });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`process ${platform.json.pid}`);
    expect(platform.pids()).toEqual(before);
    expect(existsSync(join(platform.home, 'platform.json'))).toBe(true);
  });

  it('refuses another home on the same ports, and names the ports and their processes', async () => {
    const home = newHome();
    const second = await startAndFail({ home, offset: platform.offset });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(
      new RegExp(
        `Port ${8090 + platform.offset} \\(identity-provider\\) is taken by .*pid ${platform.pids()['identity-provider']}`,
      ),
    );
    expect(readdirSync(home)).toEqual([]);
    expect(listHomeProcesses(home)).toEqual([]);
  });

  it('does not create a new home when a port is taken', async () => {
    const home = join(newHome(), 'new');
    expect(await startAndFail({ home, offset: platform.offset })).toMatchObject({ code: 1 });
    expect(existsSync(home)).toBe(false);
  });

  it('runs beside another home', async () => {
    const other = await startPlatform();
    try {
      expect(await fetchStatus(`${other.json.urls.enterprise_manager}/v1/me`, await other.token('alice'))).toBe(200);
      expect(await fetchStatus(`${other.json.urls.enterprise_manager}/v1/me`, await platform.token('alice'))).toBe(401);
      expect(decodeJwt(await other.token('alice')).sub).not.toBe(decodeJwt(await platform.token('alice')).sub);
    } finally {
      await other.remove();
    }
    await platform.ready();
  });
});

describe('a stop', () => {
  // The tests follow each other on one home.
  let subject: string | undefined;
  let groupUrl: string;

  it('ends with exit code 0', async () => {
    subject = decodeJwt(await platform.token('alice')).sub;
    const headers = { authorization: `Bearer ${await platform.token('admin')}`, 'content-type': 'application/json' };
    const groups = `${platform.json.urls.enterprise_manager}/v1/groups`;
    const created = await fetch(groups, { method: 'POST', headers, body: JSON.stringify({ display_name: 'Kept' }) });
    groupUrl = `${groups}/${((await created.json()) as { id: string }).id}`;
    expect(created.status).toBe(201);

    expect(await platform.stop('SIGINT')).toBe(0);
    expect(listHomeProcesses(platform.home)).toEqual([]);
    expect(existsSync(join(platform.home, 'platform.json'))).toBe(false);
  });

  it('leaves a home that a failed start unlocks again when a port is taken', async () => {
    const { home, offset } = platform;
    const files = (): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
    const before = files();
    const holder = createServer().listen(8084 + offset, '127.0.0.1');
    await once(holder, 'listening');
    const { code, stderr } = await startAndFail({ home, offset });
    await once(holder.close(), 'close');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${8084 + offset} (console) is taken`)]);
    expect(files()).toEqual(before);
    expect(listHomeProcesses(home)).toEqual([]);
  });

  it('keeps all data', async () => {
    await startAgain();
    expect(decodeJwt(await platform.token('alice')).sub).toBe(subject);
    expect(await fetchStatus(groupUrl, await platform.token('admin'))).toBe(200);
  });

  it('kills all processes at a second signal, with exit code 130', async () => {
    platform.process.kill('SIGINT');
    await until('the platform stops', () => Promise.resolve(platform.output.stderr.includes('stopping')));
    platform.process.kill('SIGINT');
    expect([0, 130]).toContain(await platform.ended());
    await untilGone(platform.home);
  });

  it('is possible during a start', async () => {
    const home = newHome();
    const start = tryPlatform({ home });
    await until('the identity provider runs', () =>
      Promise.resolve(listHomeProcesses(home).some(({ command }) => command.includes('identity-provider'))),
    );
    const supervisor = listHomeProcesses(home).find(({ command }) => command.includes('dist/main.js --json'));
    process.kill(supervisor!.pid, 'SIGTERM');
    const outcome = await start;
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
    await untilGone(home);
  });
});

describe('kill -9 of npm', () => {
  it('stops the platform, and the next start works', async () => {
    const command: [string, ...string[]] = ['npm', 'start', '--silent', '--ignore-scripts', '--', '--json'];
    const { home, offset } = platform;
    platform = await startPlatform({ home, offset, command, cwd: resolve(import.meta.dirname, '../../..') });
    expect(platform.json.pid).not.toBe(platform.process.pid);
    platform.process.kill('SIGKILL');
    await untilGone(home);
    await startAgain();
    await platform.ready();
  });
});

describe('npm start with invalid settings', () => {
  it.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV=production'],
    [{ GATEHOUSE_PORT_OFFSET: 'x' }, 'GATEHOUSE_PORT_OFFSET'],
    [{ GATEHOUSE_PORT_OFFSET: '60000' }, 'GATEHOUSE_PORT_OFFSET'],
    [{ GATEHOUSE_PORT_OFFSET: '2000' }, 'port 10080'],
  ])('refuses %j', async (env, sentence) => {
    const home = newHome();
    const outcome = await startAndFail({ home, offset: 0, env });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(sentence);
    expect(readdirSync(home)).toEqual([]);
  });

  it('names the process that uses a port', async () => {
    const offset = await freeOffset();
    const holder = createServer().listen(8084 + offset, '127.0.0.1');
    await once(holder, 'listening');
    const outcome = await startAndFail({ offset });
    expect(outcome.stderr).toMatch(
      new RegExp(`^Port ${8084 + offset} \\(console\\) is taken by .*pid ${process.pid}\\)`, 'm'),
    );
    holder.close();
  });
});

const entries = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    entry,
  }));
const files = (folder: string): string[] =>
  entries(folder).flatMap(({ path, entry }) => (entry.isFile() ? [path] : []));
const folders = (folder: string): string[] => [
  folder,
  ...entries(folder).flatMap(({ path, entry }) => (entry.isDirectory() ? [path] : [])),
];
