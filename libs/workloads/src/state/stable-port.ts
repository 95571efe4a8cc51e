import { createHash } from 'node:crypto';

/** Proxy ports are below the ephemeral ports (Linux from 32768) and node ports (from 30000). */
const FIRST_PORT = 10_000;
const PORT_COUNT = 20_000;

/**
 * Yields the proxy ports to try for a name, best first: its last port, then the hash of its name
 * and the ports after it. Ports of other names are last.
 * @param home id of the home, so that equal names of two homes have different ports
 */
export function* listPortCandidates(
  home: string,
  name: string,
  remembered: number | undefined,
  taken: ReadonlySet<number>,
): Generator<number> {
  if (remembered !== undefined) yield remembered;
  const start = createHash('sha256').update(`${home}\0${name}`).digest().readUInt32BE(0) % PORT_COUNT;
  const all = Array.from({ length: PORT_COUNT }, (_, index) => FIRST_PORT + ((start + index) % PORT_COUNT));
  yield* all.filter((port) => !taken.has(port) && port !== remembered);
  yield* all.filter((port) => taken.has(port) && port !== remembered);
}
