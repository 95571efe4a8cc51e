import { Buffer } from 'node:buffer';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * A keep-alive connection to a loopback port. Its raw socket needs less CPU than an HTTP client.
 * `send` resolves with head and body (as Latin-1) of the next response, and the time of its first
 * byte.
 */
export class Connection {
  constructor(port) {
    this.received = [];
    this.size = 0;
    this.waiting = undefined;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => {
      if (this.size === 0) this.firstByteAt = performance.now();
      this.received.push(chunk);
      this.size += chunk.length;
      this.read();
    });
    this.socket.on('close', () => this.waiting?.reject(new Error('the connection was closed')));
    this.socket.on('error', (error) => this.waiting?.reject(error));
  }

  send(bytes) {
    if (this.socket.destroyed) return Promise.reject(new Error('the connection was closed'));
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(bytes);
    });
  }

  close() {
    this.waiting = undefined;
    this.socket.destroy();
  }

  read() {
    // A long body is joined only when its last chunk may have arrived.
    if (this.size < this.wanted) return;
    const all = this.received.length === 1 ? this.received[0] : Buffer.concat(this.received);
    this.received = [all];
    const end = all.indexOf(HEAD_END);
    if (end === -1) return;
    const head = all.latin1Slice(0, end);
    const start = end + HEAD_END.length;
    const length = readLength(head);
    if (length !== undefined) this.wanted = start + length;
    const isComplete =
      length === undefined ? all.subarray(-LAST_CHUNK.length).latin1Slice() === LAST_CHUNK : all.length >= this.wanted;
    if (!isComplete) return;
    this.received = [];
    this.size = 0;
    this.wanted = 0;
    this.waiting.resolve({ head, body: all.latin1Slice(start), firstByteAt: this.firstByteAt });
  }

  /** Bytes of the response with a known length; 0 otherwise. */
  wanted = 0;
}

/** Returns the length of a body; undefined for a chunked one. */
function readLength(head) {
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /^HTTP\/1\.1 (?:202|204)/.test(head) ? 0 : undefined;
}

/** Returns the bytes of a request. `headers` are lines that end with `\r\n`. */
export function createRequest(method, { port, path = '/mcp', headers = '' }, body = '') {
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Returns the bytes of a POST request with a JSON-RPC message. */
export const createPost = (place, message) =>
  createRequest('POST', place, JSON.stringify({ jsonrpc: '2.0', ...message }));

/** Returns the bytes of an `initialize` request. */
export function createInitialize(place, protocolVersion = '2025-06-18') {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'driver', version: '1' } };
  return createPost(place, { id: 0, method: 'initialize', params });
}

/**
 * Starts a session on a connection.
 * @returns the header lines of its requests
 * @throws {Error} unless `initialize` succeeds
 */
export async function startSession(connection, place) {
  const { head, body } = await connection.send(createInitialize(place));
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`initialize: ${head} ${body.slice(0, 500)}`);
  const headers = `${place.headers ?? ''}${createSessionHeaders(head)}`;
  await connection.send(createPost({ ...place, headers }, { method: 'notifications/initialized' }));
  return headers;
}

/** Returns the header lines of the session that an `initialize` response begins. */
export function createSessionHeaders(head) {
  const session = /mcp-session-id: *([^\r]+)/i.exec(head)?.[1];
  return `MCP-Protocol-Version: 2025-06-18\r\n${session === undefined ? '' : `Mcp-Session-Id: ${session}\r\n`}`;
}
