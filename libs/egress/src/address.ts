import ipaddr from 'ipaddr.js';

/**
 * The class of an address. `public` needs no permission, `private` and `loopback` need one, and
 * `forbidden` is never dialled (link-local, cloud metadata, unspecified, multicast, broadcast,
 * reserved, and forms that hide their host).
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'forbidden';

/** From the least to the most restricted class. */
const ORDER: readonly AddressClass[] = ['public', 'private', 'loopback', 'forbidden'];

/** Metadata services outside the link-local ranges: Google (IPv6), Alibaba, Oracle, Azure. */
const METADATA_ADDRESSES = new Set(['fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

const IPV4_CLASSES: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
};

const IPV6_PRIVATE: readonly [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('fc00::'), 7],
  // Site-local (RFC 3879): deprecated, still routed in old networks.
  [ipaddr.IPv6.parse('fec0::'), 10],
];

/** The only unicast addresses that IANA assigns (RFC 4291 section 2.4). */
const IPV6_GLOBAL: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const IPV6_FORBIDDEN: readonly [ipaddr.IPv6, number][] = [
  // AWS services of an instance: metadata and pod credentials.
  [ipaddr.IPv6.parse('fd00:ec2::'), 32],
  // RFC 8215: only the local operator knows the position of the embedded IPv4 address.
  [ipaddr.IPv6.parse('64:ff9b:1::'), 48],
  // Teredo (RFC 4380): the IPv4 address of the peer is obfuscated.
  [ipaddr.IPv6.parse('2001::'), 32],
];

/**
 * Classifies an IP address in text form, without brackets. An IPv6 address that carries an IPv4
 * address (mapped, compatible, NAT64, 6to4, ISATAP, IPv4-translated) has the more restricted class
 * of the two. A zone id and a text that is not an address are `forbidden`.
 */
export function classifyAddress(text: string): AddressClass {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return 'forbidden';
  if (text.includes('%')) return 'forbidden';
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 ? classifyIpv6(address) : classifyIpv4(address);
}

function classifyIpv4(address: ipaddr.IPv4): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'forbidden';
  return IPV4_CLASSES[address.range()] ?? 'forbidden';
}

function classifyIpv6(address: ipaddr.IPv6): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'forbidden';
  if (IPV6_FORBIDDEN.some((range) => address.match(range[0], range[1]))) return 'forbidden';
  if (address.range() === 'loopback') return 'loopback';
  if (address.range() === 'unspecified') return 'forbidden';
  const wrapped = findEmbeddedIpv4(address);
  if (wrapped !== undefined) return classifyIpv4(wrapped);
  const host = findIsatapHost(address);
  const own = classifyRange(address);
  return host === undefined ? own : getMoreRestricted(own, classifyIpv4(host));
}

function classifyRange(address: ipaddr.IPv6): AddressClass {
  if (IPV6_PRIVATE.some((range) => address.match(range[0], range[1]))) return 'private';
  return address.range() === 'unicast' && address.match(...IPV6_GLOBAL) ? 'public' : 'forbidden';
}

/**
 * The IPv4 address inside an IPv6 address: RFC 4291 (mapped, compatible), RFC 2765 (translated),
 * RFC 6052 (NAT64), RFC 3056 (6to4).
 */
function findEmbeddedIpv4({ parts }: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const isZeroUpTo = (end: number) => parts.slice(0, end).every((part) => part === 0);
  if (isZeroUpTo(5) && (parts[5] === 0xffff || parts[5] === 0)) return readIpv4(parts, 6);
  if (isZeroUpTo(4) && parts[4] === 0xffff && parts[5] === 0) return readIpv4(parts, 6);
  if (parts[0] === 0x64 && parts[1] === 0xff9b && parts.slice(2, 6).every((part) => part === 0))
    return readIpv4(parts, 6);
  return parts[0] === 0x2002 ? readIpv4(parts, 1) : undefined;
}

/** The IPv4 host of an ISATAP interface id (RFC 5214). */
function findIsatapHost({ parts }: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe ? readIpv4(parts, 6) : undefined;
}

function readIpv4(parts: readonly number[], index: number): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(index, index + 2);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function getMoreRestricted(a: AddressClass, b: AddressClass): AddressClass {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}
