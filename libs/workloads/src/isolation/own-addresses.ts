import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** An address of the egress container, and that of the gateway of its network. */
export interface OwnAddress {
  readonly address: string;
  /** The network, in CIDR notation. */
  readonly network: string;
  readonly gateway: string;
  /** Whether the network has a way out. The others are those of servers. */
  readonly isOutside: boolean;
}

/**
 * Lists the present addresses of this container.
 * @param outside the network with a way out, in CIDR notation
 */
export function listOwnAddresses(outside: string): OwnAddress[] {
  const [block, bits] = ipaddr.IPv4.parseCIDR(outside);
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ address, cidr, family, internal }) => {
      if (internal || family !== 'IPv4' || cidr === null) return [];
      const gateway = ipaddr.IPv4.networkAddressFromCIDR(cidr);
      gateway.octets[3] = (gateway.octets[3] ?? 0) + 1;
      const isOutside = ipaddr.IPv4.parse(address).match(block, bits);
      return [{ address, network: cidr, gateway: gateway.toString(), isOutside }];
    });
}
