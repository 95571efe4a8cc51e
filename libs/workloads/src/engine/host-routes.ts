import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/** Linux lists the IPv4 routes of all routing tables here. */
const ROUTES_FILE = '/proc/net/fib_trie';

/**
 * Parses the routes of `/proc/net/fib_trie`, of every routing table: a line `|-- ADDRESS` and below
 * it one line `/BITS …` for each route to that address.
 * @returns blocks in CIDR notation
 */
export function parseRoutes(text: string): string[] {
  const routes = new Set<string>();
  let address: string | undefined;
  for (const line of text.split('\n')) {
    address = /\|-- ([0-9.]+)$/.exec(line)?.[1] ?? address;
    const bits = /^\s+\/(\d+) \S+ \S+/.exec(line)?.[1];
    if (address !== undefined && bits !== undefined) routes.add(`${address}/${bits}`);
  }
  return [...routes];
}

/** Lists the addresses of this machine besides loopback. */
export const listMachineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ address, internal }) => (internal ? [] : [address.replace(/%.*$/, '')]));

/**
 * Returns the IPv4 blocks to which this machine has routes, in CIDR notation. On other systems than
 * Linux it returns the blocks of the network interfaces.
 */
export function listHostRoutes(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ family, cidr }) => (family === 'IPv4' && cidr !== null ? [cidr] : [])),
  );
  try {
    return [...interfaces, ...parseRoutes(readFileSync(ROUTES_FILE, 'utf8'))];
  } catch {
    return interfaces;
  }
}
