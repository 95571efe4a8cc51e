import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { everythingImage, generatedServerImage, type GeneratedServer, imageEngine } from '@gatehouse/testing/images';
import { compileCache } from '@gatehouse/testing/process';
import type { Client } from '@modelcontextprotocol/client';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readText } from './support/stock-clients.ts';
import { eventually, MODERN, World } from './support/world.ts';

const run = promisify(execFile);
const CLI = resolve(import.meta.dirname, '../../cli/bin/gatehouse.js');

describeWhen(await imageEngine(), 'servers of `gatehouse run` behind the gateway', (engine) => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  let world: World;
  let generated: GeneratedServer;
  let clients: Client[];

  /** Runs a command of the CLI. @returns its output */
  async function gatehouse(...args: string[]): Promise<string> {
    const env = { ...process.env, ...compileCache, GATEHOUSE_HOME: home, DOCKER_HOST: engine.dockerHost };
    return (await run(process.execPath, ['--', CLI, ...args], { env })).stdout;
  }

  /** Runs a container and registers it as a connector with the same name. */
  async function addWorkload(name: string, image: string, transport: string, argument: string): Promise<void> {
    const words = ['run', image, '--name', name, '--transport', transport, '--json', '--', argument];
    const { url } = JSON.parse(await gatehouse(...words)) as { url: string };
    const [alice] = world.manager.users;
    world.manager.toggle(alice!, world.manager.addConnector({ slug: name, endpoint: url }, ['all']), true);
  }

  beforeAll(async () => {
    world = await World.start();
    world.manager.addUser({ subject: 'alice', groups: ['all'] });
    generated = await generatedServerImage(engine);
    await addWorkload('stdio', await everythingImage(engine), 'stdio', 'stdio');
    await addWorkload('http', generated.image, 'streamable-http', 'streamableHttp');
    const url = `${(await world.gateway()).url}/mcp`;
    const token = await world.token('alice');
    clients = [await world.client(url, token), await world.client(url, token, MODERN)];
  }, 600_000);

  afterAll(async () => {
    await world.close();
    for (const name of ['stdio', 'http']) await gatehouse('rm', name);
    await generated.remove();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  it('are listed with their own tools, below their slugs', async () => {
    const expected = ['stdio__echo', ...generated.tools.map((tool) => `http__${tool}`)];
    for (const client of clients) {
      const isListed = async () => {
        const names = (await client.listTools()).tools.map(({ name }) => name);
        return expected.every((name) => names.includes(name)) || undefined;
      };
      await eventually(isListed, 'the tools of both servers are listed');
    }
  });

  it('are called by stock clients of both eras, also at the same time', async () => {
    const calls = clients.flatMap((client, at) =>
      Array.from({ length: 5 }, async (_, index) => {
        const said = `${at} ${index}`;
        const [first, second] = await Promise.all([
          client.callTool({ name: 'stdio__echo', arguments: { message: said } }),
          client.callTool({ name: `http__${generated.echoTool}`, arguments: { text: said } }),
        ]);
        expect([readText(first), readText(second)]).toEqual([`Echo: ${said}`, `${generated.prefix}${said}`]);
      }),
    );
    await Promise.all(calls);
  });
});
