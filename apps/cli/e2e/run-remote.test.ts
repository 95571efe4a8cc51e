/** Remote servers: a proxy without a container, and without a container engine. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { Gatehouse, type Shown } from './gatehouse.ts';

const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
const TOKEN = 'a-token-of-the-test';

const readFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

describe('A remote server', () => {
  let gatehouse: Gatehouse;
  let upstream: McpUpstream;
  const servers: Server[] = [];
  const call = (...args: string[]) => gatehouse.call(args, NO_ENGINE);
  const read = async <T>(...args: string[]) => {
    const { code, stdout, stderr } = await call(...args, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  const listen = async (handle: RequestListener) => {
    const server = createServer(handle).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeEach(async () => {
    gatehouse = new Gatehouse();
    upstream = await startMcpUpstream();
  });
  afterEach(async () => {
    await gatehouse.close();
    await upstream.close();
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  }, 60_000);

  it('is run, stopped, started, exported, recovered and removed like any other workload', async () => {
    const url = `${upstream.url}?tenant=secret`;
    const run = await read<Shown>('run', url, '--name', 'far', '--label', 'team=a');
    expect(run).toMatchObject({ name: 'far', url: expect.stringMatching(/\/mcp$/), transport_type: 'streamable-http' });
    expect(run).toMatchObject({ package: upstream.url, labels: { team: 'a' } });
    expect((await call('mcp', 'tools', 'far')).stdout).toContain(upstream.tools.echo);
    await call('stop', 'far');
    expect(await read('status', 'far')).toMatchObject({ status: 'stopped' });
    await call('start', 'far');
    expect(await read('status', 'far')).toMatchObject({ status: 'running', url: run.url, package: upstream.url });
    const shown = [
      await call('list'),
      await call('list', '--json'),
      await call('status', 'far'),
      await call('inspect', 'far'),
    ];
    const files = readdirSync(join(gatehouse.home, 'workloads', 'far')).filter((file) => /\.(?:json|log)$/.test(file));
    const texts = files.map((file) => [file, readFileSync(join(gatehouse.home, 'workloads', 'far', file), 'latin1')]);
    expect(JSON.stringify(shown)).not.toContain('tenant');
    expect(texts.filter(([, text]) => text?.includes('tenant')).map(([file]) => file)).toEqual(['run.json']);
    expect(statSync(join(gatehouse.home, 'workloads', 'far', 'run.json')).mode & 0o077).toBe(0);
    expect(readFileSync(`/proc/${gatehouse.supervisor('far')}/cmdline`, 'latin1')).not.toContain('tenant');
    expect(await call('logs', 'far')).toMatchObject({ code: 2, stderr: expect.stringContaining('is a remote server') });
    expect((await call('logs', 'far', '--proxy')).stdout).toContain('running');

    const { stdout: document, stderr } = await call('export', 'far');
    expect(stderr).toContain('values that can be secrets: the query of remote_url');
    expect(JSON.parse(document)).toMatchObject({ remote_url: url, transport: 'streamable-http' });
    const again = gatehouse.begin(['run', '--from-config', '-', '--name', 'copy', '--json'], NO_ENGINE, document);
    expect(JSON.parse((await again.ended).stdout)).toMatchObject({ name: 'copy' });

    process.kill(gatehouse.supervisor('far'), 'SIGKILL');
    await call('list');
    expect(await gatehouse.until('far', 'running')).toMatchObject({ url: run.url });
    expect((await call('rm', 'far', 'copy', '--yes')).code).toBe(0);
    expect(await read('list', '-a')).toEqual([]);
  }, 120_000);

  it('sends its token and its headers from secrets, and nothing of this machine', async () => {
    upstream.demand({ name: 'authorization', value: `Bearer ${TOKEN}` });
    const file = join(gatehouse.home, 'token');
    writeFileSync(file, `${TOKEN}\n`);
    const variables = { ...NO_ENGINE, GATEHOUSE_SECRETS_PROVIDER: 'environment', GATEHOUSE_SECRET_key: 'the-key' };
    const flags = ['--remote-auth-bearer-token-file', file, '--remote-forward-headers-secret', 'X-Api-Key=key'];
    const started = await gatehouse.call(['run', upstream.url, '--name', 'far', '--json', ...flags], variables);
    expect(started).toMatchObject({ code: 0 });
    const { url } = JSON.parse(started.stdout) as Shown;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer of-the-client',
        cookie: 'session=local',
        'x-api-key': 'of-the-client',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    await response.text();
    const { headers } = upstream.calls('tools/list').at(-1)!;
    expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-api-key': 'the-key' });
    for (const name of ['cookie', 'x-forwarded-for', 'x-forwarded-host']) expect(headers[name]).toBeUndefined();
    const { stdout } = await call('export', 'far');
    expect(stdout).not.toContain(TOKEN);
    expect(stdout).not.toContain('the-key');
  }, 60_000);

  it('gets values of the command line, which are kept as secrets only', async () => {
    upstream.demand({ name: 'authorization', value: `Bearer ${TOKEN}` });
    const password = { ...NO_ENGINE, GATEHOUSE_SECRETS_PASSWORD: 'password' };
    const run = (...args: string[]) => gatehouse.call(['run', upstream.url, ...args], password);
    const flags = ['--remote-auth-bearer-token', TOKEN, '--remote-forward-headers', 'X-Api-Key=of=the test'];
    expect(await run('--name', 'far', ...flags)).toMatchObject({ code: 1, stderr: expect.stringContaining('setup') });
    expect(await gatehouse.call(['secret', 'setup'], password)).toMatchObject({ code: 0 });
    expect(await run('--name', 'far', ...flags)).toMatchObject({ code: 0 });
    expect((await call('mcp', 'tools', 'far')).stdout).toContain(upstream.tools.echo);
    expect(upstream.calls('tools/list').at(-1)!.headers).toMatchObject({ 'x-api-key': 'of=the test' });
    expect(readFiles(gatehouse.home)).not.toMatch(/a-token-of-the-test|of=the test/);
    expect(readFileSync(`/proc/${gatehouse.supervisor('far')}/cmdline`, 'latin1')).not.toContain(TOKEN);
    const { stdout: document } = await call('export', 'far');
    expect(JSON.parse(document)).toMatchObject({
      remote_auth_config: { bearer_token: 'BEARER_TOKEN_far,target=remote_bearer' },
      header_forward: { add_headers_from_secret: { 'X-Api-Key': 'HEADER_X-Api-Key_far' } },
    });
    const copy = gatehouse.begin(['run', '--from-config', '-', '--name', 'copy'], password, document);
    expect(await copy.ended).toMatchObject({ code: 0 });
    expect(await call('export', 'far', '--format', 'k8s')).toMatchObject({ code: 2 });
  }, 60_000);

  it('is not run when it refuses, redirects or does not speak MCP, and nothing is left', async () => {
    upstream.refuse(true);
    const seen: unknown[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const redirecting = await listen((_request, response) =>
      response.writeHead(307, { location: `${other}/mcp?next=1` }).end(),
    );
    const file = join(gatehouse.home, 'token');
    writeFileSync(file, TOKEN);
    const withToken = ['--remote-auth-bearer-token-file', file];
    for (const [url, flags, text] of [
      [upstream.url, [], 'needs a sign-in (HTTP 401), and --remote-auth is not given'],
      [upstream.url, withToken, 'refuses the token of --remote-auth-bearer-token-file'],
      [`${redirecting}/mcp`, withToken, `redirects to ${other}/mcp, which is not followed`],
      [`${other}/mcp`, [], 'answers with HTTP 200 and no message of MCP'],
      [`${other}/sse`, [], 'answers with HTTP 200 and no message of MCP'],
    ] as const)
      expect(await call('run', url, ...flags)).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
    expect(seen).toEqual([undefined, undefined]);
    expect(await read('list', '-a')).toEqual([]);
  }, 60_000);
});
