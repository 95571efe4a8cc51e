import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** A TCP port of 127.0.0.1 that nobody listens on. Another process may still take it before you do: a server that can listen on port 0 should. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Several different free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen()));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/**
 * A number to add to a set of well-known ports so that all of them are free, for a second platform beside a first.
 * @throws {Error} when a hundred tries found none
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const offset = 10_000 + Math.floor(Math.random() * 20_000);
    if (await allFree(ports.map((port) => port + offset))) return offset;
  }
  throw new Error(`No offset was found at which the ports ${ports.join(', ')} are all free.`);
}

async function allFree(ports: number[]): Promise<boolean> {
  const servers: Server[] = [];
  try {
    for (const port of ports) servers.push(await listen(port));
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all(servers.map((server) => once(server.close(), 'close')));
  }
}

async function listen(port = 0): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
