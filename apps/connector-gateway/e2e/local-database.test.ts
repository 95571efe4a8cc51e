import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../src/open-database.ts';
import type { CallFacts } from '../src/mcp/ports/tool-call.ts';
import { ToolCallsRepository } from '../src/metering/tool-calls.repository.ts';
import { TestBackends } from './support/local-mode.ts';
import { readText } from './support/stock-clients.ts';
import { eventually, MODERN, World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
}, 60_000);
afterAll(() => world.close());

/** A TCP relay to the database of the world, which a test can cut or silence. */
class DatabaseRelay {
  private readonly sockets = new Set<Socket>();
  private isOpen = true;
  private isSilent = false;
  private readonly server = createServer((client) => this.connect(client));

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(world.database.url);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    url.searchParams.delete('host');
    return url.href;
  }

  /** Breaks all connections, and refuses new ones until `open`. */
  cut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Keeps all connections open and passes nothing on until `open`. */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.pause();
  }

  open(): void {
    this.isOpen = true;
    this.isSilent = false;
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.server.close(), 'close');
  }

  private connect(client: Socket): void {
    if (!this.isOpen) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(world.database.url);
    const database = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.isSilent) from.pause();
    }
  }
}

describe('an outage of the database in local mode', () => {
  let upstream: McpUpstream;
  let relay: DatabaseRelay;
  beforeAll(async () => {
    upstream = await startMcpUpstream();
  });
  afterAll(() => upstream.close());
  beforeEach(() => {
    relay = new DatabaseRelay();
  });
  afterEach(() => relay.stop());

  it('refuses calls, also those of known users, until the database is back', async () => {
    const settings = new TestBackends({ name: 'tools', url: upstream.url }).settings();
    const gateway = await world.gateway({ ...settings, DATABASE_URL: await relay.start() });
    const client = await world.client(`${gateway.url}/mcp/tools`, await world.token('alice'), MODERN);
    const call = async () => {
      const result = await client.callTool({ name: upstream.tools.echo, arguments: { text: 'hi' } });
      return readText(result);
    };
    expect(await call()).toBe('hi');
    relay.cut();
    const isUnready = async () => (await fetch(`${gateway.controlUrl}/readyz`)).status === 503 || undefined;
    await eventually(isUnready, 'readiness tells the outage');
    const calls = upstream.calls('tools/call').length;
    await expect(call()).rejects.toThrow();
    expect(upstream.calls('tools/call')).toHaveLength(calls);
    relay.open();
    const isBack = async () => ((await call().catch(() => undefined)) === 'hi' ? true : undefined);
    await eventually(isBack, 'calls succeed again');
    await gateway.close();
  });

  it('trusts no remembered state while the connection is silent', async () => {
    const settings = new TestBackends({ name: 'tools', url: upstream.url }).settings();
    const gateway = await world.gateway({ ...settings, DATABASE_URL: await relay.start() });
    const client = await world.client(`${gateway.url}/mcp/tools`, await world.token('bob'), MODERN);
    const list = () => client.listTools(undefined, { timeout: 1_000 });
    expect((await list()).tools).not.toHaveLength(0);
    relay.silence();
    const isRefused = () =>
      list().then(
        () => undefined,
        () => true as const,
      );
    await eventually(isRefused, 'lists are refused');
    relay.open();
    const isServed = () =>
      list().then(
        () => true as const,
        () => undefined,
      );
    await eventually(isServed, 'lists are served again');
    await gateway.close();
  });
});

describe('ToolCallsRepository in local mode', () => {
  let dataSource: DataSource;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const { url, ownerUrl } = world.database;
    const opened = await openDatabase({
      DATABASE_URL: url,
      DATABASE_OWNER_URL: ownerUrl,
      GATEHOUSE_HOME: '',
      AUDIT_RETENTION_DAYS: 400,
    });
    dataSource = opened.value;
    close = () => opened.close();
    await dataSource.query('DELETE FROM tool_calls');
  });
  afterAll(() => close());

  const createFacts = (tool: string, at: number): CallFacts => ({
    occurredAt: new Date(at),
    issuer: 'https://issuer.test',
    subject: 'alice',
    userId: 'local/alice',
    userEmail: undefined,
    groupIds: [],
    connectorId: 'tools',
    connectorName: 'tools',
    toolName: tool,
    argumentsSha256: undefined,
    definitionVersion: undefined,
  });

  it('keeps the newest records, and records of running calls and of the mode directory', async () => {
    const local = new ToolCallsRepository(dataSource, { MODE: 'local' });
    const directory = new ToolCallsRepository(dataSource, { MODE: 'directory' });
    const logged: string[] = [];
    local.setRecordListener(({ tool_name }) => void logged.push(tool_name));
    await directory.recordRefusal(createFacts('undelivered', 1_000), 'denied');
    const running = local.begin(createFacts('running', 2_000));
    await running.open();
    const names = Array.from({ length: 20 }, (_, at) => `tool-${at}`);
    for (const [at, name] of names.entries()) await local.recordRefusal(createFacts(name, 10_000 + at), 'denied');
    await Promise.all([local.pruneKept(5), local.pruneKept(5)]);
    const listNames = async () => {
      const rows = await dataSource.query<{ tool_name: string }[]>('SELECT tool_name FROM tool_calls ORDER BY call_id');
      return rows.map(({ tool_name }) => tool_name);
    };
    expect(await listNames()).toEqual(['undelivered', 'running', ...names.slice(-5)]);
    await local.closeAbandoned(0);
    expect(logged).toEqual([...names, 'running']);
    await local.pruneKept(5);
    expect(await listNames()).toEqual(['undelivered', ...names.slice(-5)]);
  });
});
