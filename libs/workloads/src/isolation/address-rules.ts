import { classifyAddress } from '@gatehouse/egress/address';
import ipaddr from 'ipaddr.js';
import { type EgressPolicy, namesExactly } from './egress-policy.ts';

/** The addresses around the egress part that need a rule of their own. */
export interface Surroundings {
  /** Addresses at which the machine of the engine is the gateway of containers. */
  readonly gateways: readonly string[];
  /** Other addresses of that machine, such as the one in its network. */
  readonly machine: readonly string[];
  /** Addresses of the egress part itself. */
  readonly own: readonly string[];
  /** The internal networks of all workloads, in CIDR notation. */
  readonly networks: readonly string[];
}

/** Blocks for documentation (RFC 5737). They are no private networks; laboratories use them. */
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
/** Blocks of IPv6 that contain an IPv4 address, and the position of its first byte. */
const EMBEDDED = [
  { block: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  { block: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
  { block: ipaddr.IPv6.parseCIDR('::/96'), at: 12 },
] as const;

const OWN_PROFILE = 'only --permission-profile FILE can allow it, and no entry of a registry';

/** Parses an address. An IPv6 address that stands for an IPv4 one becomes that one. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4 || ['loopback', 'unspecified'].includes(address.range())) return address;
  const embedded = EMBEDDED.find(({ block }) => address.match(...block));
  return embedded === undefined ? address : new ipaddr.IPv4(address.toByteArray().slice(embedded.at, embedded.at + 4));
}

const isDocumentation = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv4 && DOCUMENTATION.some(([block, bits]) => address.match(block, bits));

const isInNetwork = (address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean =>
  address instanceof ipaddr.IPv4 && address.match(ipaddr.IPv4.parseCIDR(network));

/** Whether an address is in one of the networks, in CIDR notation. */
export const isInNetworks = (networks: readonly string[], address: string): boolean =>
  networks.some((network) => isInNetwork(ipaddr.process(address), network));

const format = (text: string): string => parseAddress(text).toString();

/**
 * Decides on one address of an allowed destination.
 * @param host the requested host: a name, or the address itself
 * @returns the rule that refuses the address; undefined when it is allowed
 */
export function findAddressRefusal(
  policy: EgressPolicy,
  surroundings: Surroundings,
  host: string,
  address: string,
): string | undefined {
  const parsed = parseAddress(address);
  const text = parsed.toString();
  const range = parsed.range();
  if (surroundings.networks.some((network) => isInNetwork(parsed, network))) return 'address of an isolated network';
  const isOneOf = (addresses: readonly string[]) => addresses.some((one) => format(one) === text);
  if (isOneOf(surroundings.gateways))
    return policy.allowGateway ? undefined : 'gateway of the container engine; see --allow-docker-gateway';
  const kind = isDocumentation(parsed) ? 'public' : classifyAddress(address);
  if (kind === 'loopback' || range === 'unspecified' || isOneOf(surroundings.own)) return 'loopback address';
  if (range === 'broadcast' || range === 'multicast') return `${range} address`;
  const isNamedAddress = namesExactly(policy, address);
  const opensPrivate = policy.isOfRegistry !== true;
  if (kind === 'forbidden') {
    if (isNamedAddress && opensPrivate) return undefined;
    return `metadata or reserved address; ${opensPrivate ? 'allow_host must have the address itself' : OWN_PROFILE}`;
  }
  if (kind === 'public' && !isOneOf(surroundings.machine)) return undefined;
  if ((isNamedAddress || namesExactly(policy, host)) && opensPrivate) return undefined;
  return `private address; ${opensPrivate ? 'allow_host must have exactly this host' : OWN_PROFILE}`;
}
