import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUDIENCE, startIssuer } from '../real-manager.mjs';
import { installToolhive, TOOLHIVE_ENV } from '../toolhive.mjs';
import { installPackage } from './npm-programs.mjs';

const here = (name) => join(import.meta.dirname, name);
const echo = (...args) => [process.execPath, here('echo-server.mjs'), ...args.map(String)];
const onCore = (core, ...command) => ['taskset', '-c', String(core), ...command];
/** The server runs on core 1, also below a proxy on core 0. */
const stdioServer = onCore(1, ...echo('stdio'));
const POLICY = 'permit(principal, action == Action::"call_tool", resource == Tool::"echo");';

/**
 * The programs under test, each on core 0, and the server on core 1. A target has a name, a port,
 * the pid of its proxy, and the header lines of its requests.
 */
export class Targets {
  #home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  #children = [];
  #issuer;
  all = [];

  /**
   * Starts each proxy plainly, and those that can with OIDC, audit and Cedar too.
   * @param peers whether the programs of others are started too
   */
  async start({ peers }) {
    const upstreamPort = await freePort();
    const { pid } = this.#spawn(onCore(1, ...echo('http', upstreamPort)));
    await untilReady({ port: upstreamPort });
    this.all.push({ name: 'direct', port: upstreamPort, pid });
    const url = `http://127.0.0.1:${upstreamPort}/mcp`;
    const node = (script, ...args) => [process.execPath, here(script), ...args.map(String)];
    const gatehouse = (options) => (port) => node('gatehouse-proxy.mjs', JSON.stringify({ port, ...options }));
    await this.#add('node:http pipe', (port) => node('http-pipe.mjs', port, upstreamPort));
    if (peers) await this.#add('thv', this.#thv('plain', url));
    await this.#add('gatehouse', gatehouse({ upstreamPort }));
    if (peers) {
      await this.#add('mcp-proxy, stdio server', mcpProxy);
      await this.#add('supergateway, stdio server', supergateway);
    }
    await this.#add('gatehouse, stdio server', gatehouse({ command: stdioServer }));
    await this.#startChecked(peers, url, gatehouse, upstreamPort);
  }

  async #startChecked(peers, url, gatehouse, upstreamPort) {
    this.#issuer = await startIssuer({ algorithm: 'RS256' });
    const issuer = this.#issuer.name;
    const headers = `Authorization: Bearer ${await this.#issuer.token('alice')}\r\n`;
    const policies = [POLICY];
    const auditFile = join(this.#home, 'audit.log');
    const authz = join(this.#home, 'authz.json');
    writeFileSync(authz, JSON.stringify({ version: '1.0', type: 'cedarv1', cedar: { policies, entities_json: '[]' } }));
    const flags = [
      ...['--oidc-issuer', issuer, '--oidc-audience', AUDIENCE, '--oidc-client-id', 'bench'],
      ...['--oidc-insecure-allow-http', '--jwks-allow-private-ip', '--enable-audit', '--authz-config', authz],
    ];
    if (peers) await this.#add('thv, OIDC, audit, Cedar', this.#thv('checked', url, flags), { headers });
    const checks = { issuer, audience: AUDIENCE, policies, auditFile };
    await this.#add('gatehouse, OIDC, audit, Cedar', gatehouse({ upstreamPort, checks }), { headers });
    const bridge = gatehouse({ command: stdioServer, checks });
    await this.#add('gatehouse, stdio server, OIDC, audit, Cedar', bridge, { headers });
  }

  async #add(name, commandFor, { headers = '' } = {}) {
    const port = await freePort();
    const child = this.#spawn(onCore(0, ...commandFor(port)), name);
    await untilReady({ port, headers });
    this.all.push({ name, port, pid: child.pid, headers, collect: () => collect(child) });
  }

  /** The command of `thv` in the foreground, where the started process is the proxy. */
  #thv =
    (name, url, flags = []) =>
    (port) => [
      ...['env', `HOME=${this.#home}`, ...Object.entries(TOOLHIVE_ENV).map(([key, value]) => `${key}=${value}`)],
      // It accepts an issuer on http only with this switch.
      'INSECURE_DISABLE_URL_VALIDATION=true',
      ...[installToolhive('thv'), 'run', url, '--name', name, '--transport', 'streamable-http'],
      ...['--proxy-port', String(port), '--foreground', ...flags],
    ];

  #spawn([command, ...args], name = '') {
    // Programs of others log each start and each request.
    const isOurs = name.startsWith('gatehouse,') || name === 'gatehouse';
    const stdio = isOurs ? ['ignore', 'ignore', 'inherit', 'ipc'] : ['ignore', 'ignore', 'ignore'];
    const child = spawn(command, args, { stdio });
    this.#children.push(child);
    return child;
  }

  async stop() {
    const ended = this.#children.map((child) => child.exitCode ?? new Promise((end) => child.once('exit', end)));
    for (const child of this.#children) child.kill();
    await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 5_000))]);
    for (const child of this.#children) child.kill('SIGKILL');
    this.#issuer?.close();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** Collects the garbage of a proxy of ours. @returns its live and resident bytes after it */
async function collect(child) {
  child.send('collect');
  const [memory] = await once(child, 'message');
  return memory;
}

const mcpProxy = (port) => [
  ...[process.execPath, installPackage('mcp-proxy', '6.7.19', 'dist/bin/mcp-proxy.mjs')],
  ...['--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--', ...stdioServer],
];

/** It starts a process for each session, and listens on all addresses. */
const supergateway = (port) => [
  ...[process.execPath, installPackage('supergateway', '4.0.0', 'dist/index.js')],
  ...['--outputTransport', 'streamableHttp', '--stateful', '--port', String(port), '--logLevel', 'none'],
  ...['--stdio', stdioServer.join(' ')],
];

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `initialize` is answered on a port. */
async function untilReady({ port, headers = '' }) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const authorization = /^Authorization: (.*)\r\n/.exec(headers)?.[1];
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
  let last;
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, request).catch((error) => (last = error.message));
    last = response.status === undefined ? last : `${response.status} ${await response.text()}`;
    if (response.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no server answers on port ${port}: ${last}`);
}
