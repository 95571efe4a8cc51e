import type { EgressPolicy } from './egress-policy.ts';

/** The port of the HTTP proxy. */
export const PROXY_PORT = 3128;
/** The port of the DNS filter, on UDP and TCP. */
export const DNS_PORT = 53;
/** Ports that every egress part serves, besides those of the profile. */
const WEB_PORTS = [80, 443];

/** Whether a port is one of HTTP and HTTPS, whose connections name their host. */
export const isWebPort = (port: number): boolean => WEB_PORTS.includes(port);

/** Returns the TCP ports on which the egress part takes connections for any host. */
export function listTransparentPorts({ ports }: EgressPolicy): number[] {
  const all = new Set([...WEB_PORTS, ...ports]);
  all.delete(DNS_PORT);
  all.delete(PROXY_PORT);
  return [...all];
}
