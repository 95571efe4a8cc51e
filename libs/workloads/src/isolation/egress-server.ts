import type { Server } from 'node:net';
import type { DenialLog } from './denial-log.ts';
import type { Dialer } from './dialer.ts';
import { DnsFilter } from './dns-filter.ts';
import { createHttpEgress } from './http-egress.ts';
import { createTcpEgress } from './tcp-egress.ts';

/** The port of the HTTP proxy. */
export const PROXY_PORT = 3128;
/** Ports that every egress part serves, besides those of the profile. */
const WEB_PORTS = [80, 443];
const DNS_PORT = 53;

/** The egress part on one address: HTTP proxy, DNS filter and transparent listeners. */
export class EgressServer {
  readonly #servers: { readonly server: Server; readonly port: number }[];
  readonly #dns: DnsFilter;

  constructor(
    dialer: Dialer,
    private readonly address: string,
    denials: DenialLog,
  ) {
    this.#dns = new DnsFilter(dialer.policy, address, denials);
    const ports = new Set([...WEB_PORTS, ...dialer.policy.ports]);
    ports.delete(DNS_PORT);
    ports.delete(PROXY_PORT);
    this.#servers = [
      { server: createHttpEgress(dialer, 80), port: PROXY_PORT },
      ...[...ports].map((port) => ({ server: createTcpEgress(dialer, port, createHttpEgress(dialer, port)), port })),
    ];
  }

  /** Listens on all ports. @throws Error when one of them is taken */
  async listen(): Promise<void> {
    await Promise.all([
      this.#dns.listen(),
      ...this.#servers.map(
        ({ server, port }) =>
          new Promise<void>((resolve, reject) => {
            server.once('error', reject);
            server.listen(port, this.address, resolve);
          }),
      ),
    ]);
  }
}
