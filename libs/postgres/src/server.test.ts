import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, readdirSync, symlinkSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { isRunning, isProcessAlive, readPidFile } from './pid-file.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let folder: string;
let directory: string;
const servers: PostgresServer[] = [];

async function start(options: { port?: number; stopWithParent?: boolean } = {}): Promise<PostgresServer> {
  const server = await startPostgres({ directory, settings: { fsync: 'off', shared_buffers: '16MB' }, ...options });
  servers.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(() => {
  // mkdtemp creates a folder with the mode 0700, which the user of the server cannot enter.
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  directory = join(folder, 'home');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Command lines that contain a path. Ended processes have no command line. */
function commandsNaming(path: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  });
  return commands.filter((command) => command.includes(path));
}

const asRoot = process.getuid?.() === 0;
const open = (): void => chmodSync(folder, 0o755);

describe('startPostgres', () => {
  beforeEach(open);

  it('keeps data and passwords at a restart', async () => {
    const first = await start();
    const before = await first.database('notes');
    await query(before.ownerUrl, 'CREATE TABLE note (text text)');
    await query(before.url, "INSERT INTO note VALUES ('kept')");
    await first.stop();
    expect(isRunning(join(directory, 'data'), first.pid)).toBe(false);
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.port).toBe(first.port);
    expect(await query(before.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
    expect(await second.database('notes')).toEqual(before);
  });

  it('leaves no guard after the stop', async () => {
    const server = await start();
    expect(commandsNaming(directory).filter((command) => command.includes('gatehouse-postgres-guard'))).toHaveLength(1);
    await server.stop();
    expect(commandsNaming(directory)).toEqual([]);
  });

  it('listens only on loopback and requires the password of a private file', async () => {
    const server = await start();
    const [row] = await query<{ listen_addresses: string }>(server.adminUrl, 'SHOW listen_addresses');
    expect(row?.listen_addresses).toBe('127.0.0.1');
    expect(statSync(join(directory, 'secret')).mode & 0o777).toBe(0o600);
    const wrong = new URL(server.adminUrl);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    const hba = readFileSync(join(directory, 'data', 'pg_hba.conf'), 'utf8');
    expect(hba.split('\n').filter((line) => /^(host|local)/.test(line) && !line.endsWith('scram-sha-256'))).toEqual([]);
  });

  it('detects a killed server and restarts it with all commits', async () => {
    const first = await start();
    const urls = await first.database('notes');
    await query(urls.ownerUrl, 'CREATE TABLE note (text text)');
    await query(urls.url, "INSERT INTO note VALUES ('committed')");
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await first.stop();
    await start();
    expect(await query(urls.url, 'SELECT text FROM note')).toEqual([{ text: 'committed' }]);
  });

  it('starts one server for two concurrent starts', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.pid).toBe(two.pid);
    expect([one.adopted, two.adopted].filter(Boolean)).toHaveLength(1);
    expect(await query(two.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts one server for many concurrent starts', async () => {
    for (let round = 0; round < 3; round += 1) {
      const servers = await Promise.all(Array.from({ length: 8 }, () => start()));
      expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
      expect(readdirSync(directory).sort()).toEqual(['data', 'port', 'postgres.log', 'secret']);
      await servers[0]?.stop();
    }
  }, 180_000);

  it('starts one server for every path of its folder', async () => {
    const first = await start();
    const link = join(folder, 'link');
    symlinkSync(directory, link);
    const again = await startPostgres({ directory: link });
    expect([again.pid, again.adopted]).toEqual([first.pid, true]);
  });

  it('names the used port and its process', async () => {
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    try {
      await expect(start({ port })).rejects.toThrow(new RegExp(`Port ${port} .* taken by .*(pid ${process.pid})`));
    } finally {
      await once(stranger.close(), 'close');
    }
  });

  it('moves to another port on request', async () => {
    const first = await start();
    const second = await start({ port: first.port + 1 });
    expect(second.port).toBe(first.port + 1);
    expect(isProcessAlive(first.pid)).toBe(false);
  });
});

describe('a killed parent', () => {
  beforeEach(open);

  /** Starts the server in a separate process and kills that process. */
  async function startAndKillParent(stopWithParent: boolean): Promise<number> {
    const source = `import { startPostgres } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'server.ts')).href)};
      const server = await startPostgres(${JSON.stringify({ directory, stopWithParent })});
      process.stdout.write(String(server.pid) + '\\n');
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--conditions=gatehouse-source', '--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    return Number(line.toString());
  }

  it('ends the server', async () => {
    const pid = await startAndKillParent(true);
    expect(pid).toBeGreaterThan(0);
    for (let attempt = 0; attempt < 100 && isProcessAlive(pid); attempt += 1) await sleep(50);
    expect(isProcessAlive(pid)).toBe(false);
    expect(readPidFile(join(directory, 'data'))).toBeUndefined();
  });

  it('leaves the server with stopWithParent: false, and the next start adopts it', async () => {
    const pid = await startAndKillParent(false);
    const server = await start();
    expect(server.adopted).toBe(true);
    expect(server.pid).toBe(pid);
    expect(await query(server.adminUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

const hasNamespaces = asRoot && spawnSync('unshare', ['--user', 'true'], { stdio: 'ignore' }).status === 0;
const itInNamespace = hasNamespaces ? it : it.skip;

// Only root runs the server as another user.
if (asRoot) {
  describe('below a folder that is closed to the user postgres', () => {
    if (!hasNamespaces)
      it.skip('This machine forbids user namespaces (unshare --user), as many containers do.', () => undefined);

    itInNamespace('runs in a user namespace, also after the folder is opened', async () => {
      const first = await start();
      const { ownerUrl } = await first.database('notes');
      await query(ownerUrl, 'CREATE TABLE note AS SELECT 1 AS one');
      await first.stop();
      open();
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(await query((await second.database('notes')).ownerUrl, 'SELECT one FROM note')).toEqual([{ one: 1 }]);
    });

    itInNamespace('can be killed and adopted', async () => {
      const first = await start({ stopWithParent: false });
      const again = await start({ stopWithParent: false });
      expect([again.pid, again.adopted]).toEqual([first.pid, true]);
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      expect((await start()).pid).not.toBe(first.pid);
    });

    it('names the folder when the data belongs to that user', async () => {
      open();
      await (await start()).stop();
      chmodSync(folder, 0o700);
      await expect(start()).rejects.toThrow(new RegExp(`cannot enter ${folder}, .*chmod o\\+x`));
    });
  });
}
