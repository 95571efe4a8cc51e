import { createServer, type Server, type Socket } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import type { Dialer } from './dialer.ts';
import { normalizeHost } from './egress-policy.ts';
import { isWebPort } from './egress-ports.ts';
import { readHead, tunnel } from './tunnel.ts';

/** Time until the first bytes of a connection whose destination they name. */
const FIRST_BYTES_MS = 15_000;
const MAX_CONNECTIONS = 1_024;
const HTTP_REQUEST = /^[A-Z]{3,16} \S/;

/**
 * Creates a transparent listener of one port, for connections to names that the DNS filter answered
 * with the address of the egress part. The destination is the server name of TLS or the Host header
 * of HTTP. On other ports than those of HTTP, it is the host for which the address stands.
 * @param http serves the connections that speak HTTP
 * @param host for which the address stands; undefined: none
 */
export function createTcpEgress(dialer: Dialer, port: number, http: HttpServer, host?: string): Server {
  const only = isWebPort(port) ? undefined : host;
  const server = createServer((client) => {
    // A listener before this one has refused the client.
    if (client.destroyed) return;
    client.on('error', () => client.destroy());
    client.setNoDelay(true);
    client.setKeepAlive(true, 60_000);
    void (only === undefined ? forwardByContent(dialer, port, client, http) : forwardTo(dialer, port, client, only));
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function forwardTo(dialer: Dialer, port: number, client: Socket, host: string, head: Buffer = Buffer.alloc(0)) {
  const dialed = await dialer.dial({ host, port });
  if (dialed.kind === 'connected') await tunnel(client, head, dialed.socket, dialer, port);
  else client.destroy();
}

async function forwardByContent(dialer: Dialer, port: number, client: Socket, http: HttpServer) {
  const start = await readHead(client, Buffer.alloc(0), FIRST_BYTES_MS);
  if (start === undefined) {
    client.destroy();
    return;
  }
  if (start.name === undefined && HTTP_REQUEST.test(start.head.subarray(0, 64).toString('latin1'))) {
    client.unshift(start.head);
    http.emit('connection', client);
    client.resume();
    return;
  }
  const host = start.name?.kind === 'found' ? normalizeHost(start.name.name) : undefined;
  if (host === undefined) {
    dialer.deny(`a connection to port ${port}`, 'neither a server name of TLS nor a Host header names its host');
    client.destroy();
    return;
  }
  await forwardTo(dialer, port, client, host, start.head);
}
