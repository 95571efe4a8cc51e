import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { flagError } from '../errors/workload-error.ts';

/** An IPv4 block by its first and last address, as 32-bit numbers. */
interface Block {
  readonly first: number;
  readonly last: number;
}

/** The environment variable of the ranges, for messages. */
const VARIABLE = 'GATEHOUSE_NETWORK_RANGE';
/** Prefix length of a workload's subnet: 13 containers and the gateway. */
const SUBNET_BITS = 28;
const SUBNET_SIZE = 2 ** (32 - SUBNET_BITS);
/** A shorter prefix is a part of the default route (VPN clients split 0.0.0.0/0), not a network. */
const WIDEST_ROUTE_BITS = 8;

/**
 * Default ranges of subnets: one in each private block of RFC 1918, because a VPN often routes a
 * whole block. The first range is outside the default pools of Docker and Podman.
 */
export const DEFAULT_NETWORK_RANGES: readonly string[] = ['10.231.0.0/16', '172.29.0.0/16', '192.168.240.0/20'];

function parseBlock(cidr: string): Block & { readonly bits: number } {
  const [address, bits] = ipaddr.IPv4.parseCIDR(cidr);
  const [a = 0, b = 0, c = 0, d = 0] = address.octets;
  const size = 2 ** (32 - bits);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = Math.floor(number / size) * size;
  return { first, last: first + size - 1, bits };
}

function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Returns the gateway of a subnet: its first address. */
export function getGateway(subnet: string): string {
  return formatAddress(parseBlock(subnet).first + 1);
}

/** The addresses of an isolated network, besides that of its gateway. */
export interface IsolatedAddresses {
  /** The first free address. */
  readonly server: string;
  /** The last address. */
  readonly egress: string;
}

/** Returns the addresses of a subnet that the parts of an isolated workload get. */
export function getIsolatedAddresses(subnet: string): IsolatedAddresses {
  const { first, last } = parseBlock(subnet);
  return { server: formatAddress(first + 2), egress: formatAddress(last - 1) };
}

/** Whether a subnet contains an address, which can also be one of IPv6. */
export function containsAddress(subnet: string, address: string): boolean {
  const [network, bits] = ipaddr.IPv4.parseCIDR(subnet);
  return ipaddr.IPv4.isValid(address) && ipaddr.IPv4.parse(address).match(network, bits);
}

const isOverlapping = (a: Block, b: Block) => a.first <= b.last && b.first <= a.last;

/**
 * Parses `GATEHOUSE_NETWORK_RANGE`: IPv4 blocks in CIDR notation, separated by commas. Undefined
 * and empty select the default.
 * @param origin of the text, which begins the message
 * @throws WorkloadError (usage) that names the origin and the block.
 */
export function parseNetworkRanges(text: string | undefined, origin = VARIABLE): readonly string[] {
  if (text === undefined || text.trim() === '') return DEFAULT_NETWORK_RANGES;
  return text.split(',').map((part) => {
    const cidr = part.trim();
    const name = `${origin} ${cidr}`;
    const example = 'write it like 10.231.0.0/16';
    if (!/^[0-9.]+\/[0-9]{1,2}$/.test(cidr) || !isIPv4(cidr.split('/')[0] ?? '') || !ipaddr.IPv4.isValidCIDR(cidr))
      throw flagError(name, 'is not an IPv4 block in CIDR notation', example);
    const { first, bits } = parseBlock(cidr);
    if (bits < WIDEST_ROUTE_BITS || bits > SUBNET_BITS)
      throw flagError(name, `is not between /${WIDEST_ROUTE_BITS} and /${SUBNET_BITS} in size`, example);
    if (`${formatAddress(first)}/${bits}` !== cidr)
      throw flagError(name, 'does not begin at a boundary of its size', `${formatAddress(first)}/${bits}`);
    return cidr;
  });
}

/**
 * Yields the free subnets of the ranges in the order to try them. The seed selects the first subnet
 * of each range, so that workloads that start together rarely try the same one.
 * @param used blocks in CIDR notation: networks of the engine and routes of this machine; IPv6 is
 * ignored
 * @param seed any whole number
 */
export function* listFreeSubnets(ranges: readonly string[], used: readonly string[], seed: number): Generator<string> {
  const taken = used
    .filter((cidr) => ipaddr.IPv4.isValidCIDR(cidr))
    .map(parseBlock)
    .filter(({ bits }) => bits >= WIDEST_ROUTE_BITS);
  for (const range of ranges) {
    const { first, last } = parseBlock(range);
    const near = taken.filter((block) => isOverlapping(block, { first, last }));
    const count = (last - first + 1) / SUBNET_SIZE;
    for (let step = 0; step < count; step += 1) {
      const start = first + ((seed + step) % count) * SUBNET_SIZE;
      const subnet = { first: start, last: start + SUBNET_SIZE - 1 };
      if (!near.some((block) => isOverlapping(block, subnet))) yield `${formatAddress(start)}/${SUBNET_BITS}`;
    }
  }
}
