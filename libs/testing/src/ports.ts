import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Where ports for tests come from: below those that the system gives to outgoing connections and to
 * servers on port 0, and below those of a second platform (`freePortOffset`).
 */
const FIRST = 11_000;
const COUNT = 7_000;

/**
 * A TCP port of 127.0.0.1 that nobody listens on. It stays the caller's until its test file, or
 * else its process, ends, whether it is listened on or not: no other call gives it away meanwhile,
 * in no process.
 */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Several different free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let attempt = 0; ports.length < count; attempt += 1) {
    if (attempt >= 100 * count) throw new Error(`No ${count} ports were found that are free.`);
    const port = randomInt(FIRST, FIRST + COUNT);
    if (await claimed(port, [port])) ports.push(port);
  }
  return ports;
}

/**
 * A port is claimed by the UDP port of the same number, which nobody else uses: the system gives it
 * back when the process ends, however it ends.
 */
const claims = new Set<Socket>();

(globalThis as { afterAll?: (hook: () => void) => void }).afterAll?.(() => {
  for (const claim of claims) claim.close();
  claims.clear();
});

/** @returns whether the claim was free, and the ports are; then it is ours */
async function claimed(number: number, ports: readonly number[]): Promise<boolean> {
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
 * Offsets at which two platforms never share a port: their well-known ports lie in two groups of at
 * most 12, about a thousand apart.
 */
const OFFSETS = Array.from({ length: 6 }, (_, block) =>
  Array.from({ length: 40 }, (_, slot) => 10_000 + 2_000 * block + 20 * slot),
).flat();
/**
 * An offset is claimed by the UDP port that lies this far above it: above those of single ports.
 */
const CLAIM_OF_OFFSET = 8_000;
let tried = process.pid;

/**
 * A number to add to a set of well-known ports so that all of them are free, for a second platform
 * beside a first. All lie below the ports from which the system takes those of outgoing
 * connections, which come and go. A platform takes seconds until it listens on all of its ports;
 * until the test file of the caller ends, or else its process, no other call gives the number away.
 * @throws {Error} when no number of all does
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  for (let attempt = 0; attempt < OFFSETS.length; attempt += 1) {
    tried += 1;
    const offset = OFFSETS[(tried * 7) % OFFSETS.length] ?? 0;
    const wanted = ports.map((port) => port + offset);
    if (await claimed(offset + CLAIM_OF_OFFSET, wanted)) return offset;
  }
  throw new Error(`No offset was found at which the ports ${ports.join(', ')} are all free.`);
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
