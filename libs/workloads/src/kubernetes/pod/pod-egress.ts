import { once } from 'node:events';
import { findHostOf } from '../../isolation/addressed-hosts.ts';
import type { DenialLog } from '../../isolation/denial-log.ts';
import type { Dialer } from '../../isolation/dialer.ts';
import { DnsFilter } from '../../isolation/dns-filter.ts';
import { DNS_PORT, listTransparentPorts, PROXY_PORT } from '../../isolation/egress-ports.ts';
import { createHttpEgress } from '../../isolation/http-egress.ts';
import { createTcpEgress } from '../../isolation/tcp-egress.ts';

const ALL_ADDRESSES = '0.0.0.0';

/**
 * Starts the egress part of a pod: HTTP proxy, DNS filter and transparent listeners. Network
 * policies let only the server reach it.
 * @param address the address of its Service, with which the DNS filter answers
 * @throws Error when a port is taken
 */
export async function startPodEgress(dialer: Dialer, address: string, denials: DenialLog): Promise<void> {
  const host = findHostOf(dialer.policy, [], address);
  const servers = [
    { server: createHttpEgress(dialer, 80), port: PROXY_PORT },
    ...listTransparentPorts(dialer.policy).map((port) => ({
      server: createTcpEgress(dialer, port, createHttpEgress(dialer, port), host),
      port,
    })),
  ];
  await Promise.all([
    new DnsFilter(dialer.policy, address, denials).listen(DNS_PORT, ALL_ADDRESSES),
    ...servers.map(({ server, port }) => once(server.listen(port, ALL_ADDRESSES), 'listening')),
  ]);
}
