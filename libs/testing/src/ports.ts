import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The first port for tests. The range is below the ports that the system gives to outgoing
 * connections and to servers on port 0, and below those of a second platform (`freePortOffset`).
 */
const FIRST = 11_000;
const COUNT = 7_000;

/**
 * Reserves a free TCP port of 127.0.0.1 until the caller's test file, or else its process, ends.
 * Until then no call in any process returns the same port.
 */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Reserves several free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let attempt = 0; ports.length < count; attempt += 1) {
    if (attempt >= 100 * count)
      throw new Error(`No ${count} free ports were found. End other test runs and try again.`);
    const port = randomInt(FIRST, FIRST + COUNT);
    if (await claimPorts(port, [port])) ports.push(port);
  }
  return ports;
}

/**
 * A UDP socket on the same number claims a port, because no other program here uses these UDP
 * ports. The system releases it when the process ends.
 */
const claims = new Set<Socket>();

(globalThis as { afterAll?: (hook: () => void) => void }).afterAll?.(() => {
  for (const claim of claims) claim.close();
  claims.clear();
});

/** Claims ports for this process. @returns whether the claim and the ports were free */
async function claimPorts(number: number, ports: readonly number[]): Promise<boolean> {
  const claim = createSocket('udp4').unref();
  try {
    claim.bind({ port: number, address: '127.0.0.1', exclusive: true });
    await once(claim, 'listening');
  } catch {
    claim.close();
    return false;
  }
  if (!(await allFree(ports))) {
    claim.close();
    return false;
  }
  claims.add(claim);
  return true;
}

/**
 * Offsets that keep the ports of two platforms apart. Their well-known ports form two groups of at
 * most 12 ports, about a thousand apart.
 */
const OFFSETS = Array.from({ length: 6 }, (_, block) =>
  Array.from({ length: 40 }, (_, slot) => 10_000 + 2_000 * block + 20 * slot),
).flat();
/**
 * The distance from an offset to the UDP port that claims it. These ports are above the single
 * ports.
 */
const CLAIM_OF_OFFSET = 8_000;
let tried = process.pid;

/**
 * Reserves an offset for a set of well-known ports, for a second platform beside a first. All
 * resulting ports are free and below the ports that the system gives to outgoing connections.
 * Because a platform needs seconds to listen on all of its ports, no other call returns the offset
 * until the caller's test file, or else its process, ends.
 * @throws {Error} when no offset is free
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  for (let attempt = 0; attempt < OFFSETS.length; attempt += 1) {
    tried += 1;
    const offset = OFFSETS[(tried * 7) % OFFSETS.length] ?? 0;
    const wanted = ports.map((port) => port + offset);
    if (await claimPorts(offset + CLAIM_OF_OFFSET, wanted)) return offset;
  }
  throw new Error(`No offset makes the ports ${ports.join(', ')} free. End other test runs and try again.`);
}

async function allFree(ports: readonly number[]): Promise<boolean> {
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

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
