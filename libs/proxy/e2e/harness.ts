/** Test support of the proxy: proxies and processes that end with the test, and a raw client. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { EventStreamDecoder } from '@gatehouse/mcp/event-stream';
import type { OpenProcess, Proxy, ProxyLogLine, ProxyOptions } from '../src/pipeline/options.ts';
import { createProxy } from '../src/proxy.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

/** Registers a cleanup for the end of the test. The last one runs first. */
export function runAtEnd(end: () => Promise<unknown>): void {
  cleanups.push(end);
}

/** Aborts the controller at the end of the test. */
export function abortAtEnd(controller: AbortController): void {
  runAtEnd(() => {
    controller.abort();
    return Promise.resolve();
  });
}

/** A listening proxy and its log. */
export interface Running {
  proxy: Proxy;
  url: string;
  port: number;
  lines: ProxyLogLine[];
}

/** Starts a proxy that is closed at the end of the test. */
export async function startProxy(options: ProxyOptions): Promise<Running> {
  const lines: ProxyLogLine[] = [];
  const proxy = createProxy({ log: (line) => void lines.push(line), ...options });
  const { url, port } = await proxy.listen();
  runAtEnd(() => proxy.close(0));
  return { proxy, url, port, lines };
}

/** Starts child processes and records them. */
export interface Spawner {
  openProcess: OpenProcess;
  children: ChildProcess[];
  reasons: string[];
}

/** Creates a spawner of real processes. */
export function createSpawner(command: readonly string[]): Spawner {
  const children: ChildProcess[] = [];
  const reasons: string[] = [];
  const openProcess: OpenProcess = ({ reason }) => {
    const child = spawn(process.execPath, [...command], { stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    reasons.push(reason);
    const exited = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return Promise.resolve({ input: child.stdin, output: child.stdout, stop });
  };
  return { openProcess, children, reasons };
}

/** Creates a spawner of the scripted server. */
export function createScriptedSpawner(...flags: string[]): Spawner {
  return createSpawner([fileURLToPath(new URL('./scripted-server.mjs', import.meta.url)), ...flags]);
}

/** A JSON-RPC message. */
export interface Message {
  jsonrpc?: string;
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown> & { content?: { text: string }[] };
  error?: { code: number; message: string; data?: unknown };
}

const BOTH = 'application/json, text/event-stream';

/** Posts one message. */
export function post(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    body: JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Yields the messages and event ids of a stream. */
export async function* readEvents(response: Response): AsyncGenerator<{ id: string | undefined; message: Message }> {
  const decoder = new EventStreamDecoder();
  for await (const chunk of response.body!) {
    for (const { id, data } of decoder.push(chunk as Uint8Array)) {
      // The first event of a stream has an id and no message.
      if (data !== '') yield { id, message: JSON.parse(data) as Message };
    }
  }
}

/** Returns all messages of a response, JSON or stream. */
export async function readMessages(response: Response): Promise<Message[]> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return [(await response.json()) as Message];
  const all: Message[] = [];
  for await (const { message } of readEvents(response)) all.push(message);
  return all;
}

/** A legacy client that sends every message as given. */
export class RawClient {
  readonly url: string;
  readonly headers: Record<string, string>;
  private nextId = 1;

  constructor(url: string, session: string) {
    this.url = url;
    this.headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  }

  /** Opens a session. */
  static async open(url: string, capabilities: object = {}, protocolVersion = '2025-11-25'): Promise<RawClient> {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } };
    const response = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    if (response.status !== 200) throw new Error(`initialize: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    const client = new RawClient(url, response.headers.get('mcp-session-id')!);
    await (await client.send({ method: 'notifications/initialized' })).arrayBuffer();
    return client;
  }

  /** Posts a message unchanged. */
  send(message: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return post(this.url, { jsonrpc: '2.0', ...message }, { ...this.headers, ...headers }, signal);
  }

  /** Posts a request and returns all messages; the response is the last. */
  async request(method: string, params: object = {}, id: string | number = this.nextId++): Promise<Message[]> {
    return readMessages(await this.send({ id, method, params }));
  }

  /** Calls a tool and returns the text of its response. */
  async callTool(name: string, args: object = {}): Promise<string> {
    const response = (await this.request('tools/call', { name, arguments: args })).at(-1)!;
    if (response.error !== undefined) throw new Error(response.error.message);
    return response.result!.content![0]!.text;
  }

  /** Opens the standalone stream. */
  async listen(headers: Record<string, string> = {}): Promise<Response> {
    const controller = new AbortController();
    abortAtEnd(controller);
    return fetch(this.url, {
      headers: { accept: 'text/event-stream', ...this.headers, ...headers },
      signal: controller.signal,
    });
  }
}

/** Writes bytes to the port and reads until the connection ends. */
export function sendRaw(port: number, text: string, encoding: BufferEncoding = 'utf8'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, encoding));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    runAtEnd(() => Promise.resolve(socket.destroy()));
  });
}

/** Polls until the condition holds; fails with the last value after a minute. */
export async function waitUntil<T>(look: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > until) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
