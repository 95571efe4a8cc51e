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

/** Offsets at which two platforms never share a port: their well-known ports lie in two groups of at most 12, about a thousand apart. */
const OFFSETS = Array.from({ length: 6 }, (_, block) =>
  Array.from({ length: 40 }, (_, slot) => 10_000 + 2_000 * block + 20 * slot),
).flat();
let tried = process.pid;

/**
 * A number to add to a set of well-known ports so that all of them are free, for a second platform beside a first. All lie below the ports from which the
 * system takes those of outgoing connections, which come and go; processes that ask at the same time begin at different numbers.
 * @throws {Error} when no number of all does
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  for (let attempt = 0; attempt < OFFSETS.length; attempt += 1) {
    tried += 1;
    const offset = OFFSETS[(tried * 7) % OFFSETS.length] ?? 0;
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
