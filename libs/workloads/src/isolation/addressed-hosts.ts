/**
 * Hosts with an address of their own. On ports of other protocols than HTTP and TLS, only the
 * address of a connection tells which host it is for.
 */
import { isIP } from 'node:net';
import { type EgressPolicy, GATEWAY_NAMES, listExactNames } from './egress-policy.ts';
import { isWebPort } from './egress-ports.ts';

/** An address of the egress part that stands for one host, for the containers of one nameserver. */
export interface HostAddress {
  readonly host: string;
  readonly address: string;
  /** The address of the DNS filter that answers so. */
  readonly nameserver: string;
}

/** More hosts of a profile have no address of their own, because each costs a network. */
const MAX_HOSTS = 8;
const [GATEWAY = ''] = GATEWAY_NAMES;

/**
 * Lists the hosts of a profile that need an address of their own. A profile that names one host
 * alone, or only ports of HTTP, needs none.
 */
export function listAddressedHosts(policy: EgressPolicy): readonly string[] {
  const { allowAll, hosts, ports, allowGateway } = policy;
  if (allowAll || ports.every(isWebPort)) return [];
  const gateways = allowGateway ? [GATEWAY] : [];
  const patterns = hosts.filter((host) => isIP(host) === 0).length + gateways.length;
  return patterns > 1 ? [...listExactNames(policy), ...gateways].slice(0, MAX_HOSTS) : [];
}

/**
 * Returns the host to which every connection to an address leads on ports of other protocols.
 * @param hosts the addressed hosts of the workload
 * @returns undefined where the connection itself must name its host
 */
export function findHostOf(policy: EgressPolicy, hosts: readonly HostAddress[], address: string): string | undefined {
  const addressed = hosts.find((one) => one.address === address);
  if (addressed !== undefined || hosts.length > 0) return addressed?.host;
  const exact = listExactNames(policy);
  return exact.length === 1 ? exact[0] : undefined;
}

/** Returns the address with which a DNS filter answers for an allowed host. */
export function findAddressOf(hosts: readonly HostAddress[], nameserver: string, host: string): string {
  const name = GATEWAY_NAMES.includes(host) ? GATEWAY : host;
  return hosts.find((one) => one.host === name && one.nameserver === nameserver)?.address ?? nameserver;
}
