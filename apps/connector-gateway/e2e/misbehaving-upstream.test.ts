import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import type { Client } from '@modelcontextprotocol/client';
import { join } from 'node:path';
import { readText } from './support/stock-clients.ts';
import { eventually, MODERN, World } from './support/world.ts';

const program = join(import.meta.dirname, 'support', 'misbehaving-server.mjs');

let world: World;
let good: McpUpstream;
let port: number;
let bad: TestProcess;
let isClosing = false;
let clients: Client[];

/** Starts the server, and again after each crash. */
async function startBad(): Promise<void> {
  bad = await startProcess({ command: [process.execPath, program], env: { PORT: String(port) } });
  const started = bad;
  await eventually(() => started.stderr().includes('ready') || undefined, 'the server listens');
  void started.exited.then(() => (isClosing ? undefined : startBad()));
}

beforeAll(async () => {
  world = await World.start();
  good = await startMcpUpstream();
  port = await freePort();
  await startBad();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const [slug, endpoint] of Object.entries({ good: good.url, bad: `http://127.0.0.1:${port}/mcp` }))
    world.manager.toggle(alice, world.manager.addConnector({ slug, endpoint }, ['all']), true);
  const token = await world.token('alice');
  const url = `${(await world.gateway()).url}/mcp`;
  clients = [await world.client(url, token), await world.client(url, token, MODERN)];
  const isListed = async () =>
    (await clients[0]!.listTools()).tools.some(({ name }) => name === 'bad__late') || undefined;
  await eventually(isListed, 'the tools are listed');
}, 60_000);

afterAll(async () => {
  isClosing = true;
  await world.close();
  await good.close();
  await bad.killHard();
});

/** Tools of the server: the text of a call, or undefined for a failed call. */
const TOOLS: [string, string | undefined][] = [
  ['late', 'late'],
  ['twice', 'first'],
  ['foreign', undefined],
  ['cuts', undefined],
  ['floods', 'flooded'],
  ['asks', 'asked'],
  ['huge', undefined],
  ['crashes', undefined],
];

const countRecords = (tool: string, outcome: string) =>
  [...world.manager.records.values()].filter((one) => one['tool_name'] === tool && one['outcome'] === outcome).length;

async function callBad(client: Client, tool: string): Promise<string | undefined> {
  const result = await client.callTool({ name: `bad__${tool}`, arguments: {} });
  return result.isError === true ? undefined : readText(result);
}

async function callGood(client: Client, said: string): Promise<string> {
  return readText(await client.callTool({ name: `good__${good.tools.echo}`, arguments: { text: said } }));
}

describe('a server that misbehaves', () => {
  it.each(TOOLS)('has one record for each call, and disturbs no other server: %s', async (tool, expected) => {
    const state = { hasEnded: false };
    const calls = Promise.all(clients.map((client) => callBad(client, tool))).finally(() => (state.hasEnded = true));
    let served = 0;
    do {
      for (const client of clients) expect(await callGood(client, `beside ${tool} ${served}`)).toContain(`${served}`);
      served += 1;
    } while (!state.hasEnded);
    expect(await calls).toEqual(clients.map(() => expected));
    // A late response holds up no other call.
    if (tool === 'late') expect(served).toBeGreaterThan(2);
    const outcome = expected === undefined ? 'error' : 'ok';
    await eventually(() => countRecords(tool, outcome) >= clients.length || undefined, 'the records arrive');
    expect([countRecords(tool, 'ok') + countRecords(tool, 'error'), countRecords(tool, outcome)]).toEqual([2, 2]);
  });

  it('is used again after its crash', async () => {
    const isBack = async () => (await callBad(clients[0]!, 'twice').catch(() => undefined)) === 'first' || undefined;
    await eventually(isBack, 'the server answers again');
  });
});
