/** Stock clients of other languages and authors through each kind of proxy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describeWhen } from '@gatehouse/testing/fixture';
import { npmPackage } from '@gatehouse/testing/npm-package';
import { runProcess } from '@gatehouse/testing/process';
import { mcpPython } from '@gatehouse/testing/python-environment';
import { createScriptedSpawner, runAtEnd, startProxy } from './harness.ts';

const stdio = (clientTransport: 'streamable-http' | 'sse') =>
  startProxy({ upstream: { kind: 'stdio', openProcess: createScriptedSpawner().openProcess, clientTransport } });
/** A pass-through in front of the bridge of the same transport. */
const behind = async (transport: 'streamable-http' | 'sse') => {
  const { url } = await stdio(transport);
  return startProxy({ upstream: { kind: 'http', url: new URL(url).origin, transport } });
};

const PROXIES = [
  ['a stdio bridge', () => stdio('streamable-http')],
  ['an SSE bridge', () => stdio('sse')],
  ['a pass-through', () => behind('streamable-http')],
  ['an SSE pass-through', () => behind('sse')],
] as const;

const python = join(import.meta.dirname, 'python');
describeWhen(await mcpPython(), 'the official Python client', (program) => {
  it.each(PROXIES)(
    'lists and calls tools behind %s',
    async (_, start) => {
      const { url } = await start();
      const command = [program, join(python, 'stock_client.py'), url, 'echo', '{"message":"from Python"}'] as const;
      const { stdout, stderr } = await runProcess({ command, env: {} });
      if (stdout === '') throw new Error(stderr);
      expect(JSON.parse(stdout)).toMatchObject({ tools: expect.arrayContaining(['echo']), text: 'from Python' });
    },
    30_000,
  );
});

describe('the command line of the MCP inspector', () => {
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'));
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-inspector-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it.each(PROXIES)(
    'calls a tool behind %s',
    async (_, start) => {
      const { url } = await start();
      const transport = url.endsWith('/sse') ? 'sse' : 'http';
      const call = ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=inspected'];
      const options = ['--server-url', url, '--transport', transport, ...call];
      const command = [process.execPath, program, '--cli', ...options] as const;
      const { stdout, stderr } = await runProcess({ command, env: { HOME: home } });
      if (stdout === '') throw new Error(stderr);
      expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: 'inspected' }] });
    },
    30_000,
  );
});

describeWhen(await npmPackage('mcp-remote', '0.15.1', 'dist/proxy.js'), 'mcp-remote', (program) => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-mcp-remote-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it.each(PROXIES)(
    'calls a tool behind %s',
    async (_, start) => {
      const { url } = await start();
      const strategy = url.endsWith('/sse') ? 'sse-only' : 'http-only';
      const client = new Client({ name: 'desktop', version: '1' });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, url, '--transport', strategy, '--allow-http', '--silent'],
          env: { MCP_REMOTE_CONFIG_DIR: home },
          stderr: 'ignore',
        }),
      );
      runAtEnd(() => client.close());
      const result = await client.callTool({ name: 'echo', arguments: { message: 'from afar' } });
      expect(result).toMatchObject({ content: [{ text: 'from afar' }] });
    },
    30_000,
  );
});
