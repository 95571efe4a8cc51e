import type { EgressPolicy } from './egress-policy.ts';

/** The port of the HTTP proxy. */
export const PROXY_PORT = 3128;
/** The port of the DNS filter, on UDP and TCP. */
export const DNS_PORT = 53;
/** Ports that every egress part serves, besides those of the profile. */
const WEB_PORTS = [80, 443];

/** Whether a port is one of HTTP and HTTPS, whose connections name their host. */
export const isWebPort = (port: number): boolean => WEB_PORTS.includes(port);

/**
 * Ports that are served in each network. Listeners take memory: those of every port that exists
 * would take that of the egress part, which is also that of other workloads.
 */
export const MAX_TRANSPARENT_PORTS = 64;

/**
 * Returns the TCP ports on which the egress part takes connections for any host. The HTTP proxy
 * takes connections to the other ports of the profile.
 */
export function listTransparentPorts({ ports }: Pick<EgressPolicy, 'ports'>): number[] {
  const all = new Set([...WEB_PORTS, ...ports]);
  all.delete(DNS_PORT);
  all.delete(PROXY_PORT);
  return [...all].slice(0, MAX_TRANSPARENT_PORTS);
}
