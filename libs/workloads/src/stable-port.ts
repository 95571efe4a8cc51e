import { createHash } from 'node:crypto';

/**
 * Proxy ports lie below the ranges that systems hand out by themselves (Linux from 32768, node
 * ports from 30000).
 */
const FIRST = 10_000;
const COUNT = 20_000;

/**
 * The proxy ports to try for a name, best first: the one it had before, then the one its name
 * hashes to and those after it. Ports that belong to other names come last.
 * @param home keeps equal names of two homes apart
 */
export function* portCandidates(
  home: string,
  name: string,
  remembered: number | undefined,
  taken: ReadonlySet<number>,
): Generator<number> {
  if (remembered !== undefined) yield remembered;
  const start = createHash('sha256').update(`${home}\0${name}`).digest().readUInt32BE(0) % COUNT;
  const all = Array.from({ length: COUNT }, (_, index) => FIRST + ((start + index) % COUNT));
  yield* all.filter((port) => !taken.has(port) && port !== remembered);
  yield* all.filter((port) => taken.has(port) && port !== remembered);
}
