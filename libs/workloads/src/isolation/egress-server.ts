import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { findHostOf, type HostAddress } from './addressed-hosts.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { DenialLog } from './denial-log.ts';
import type { Dialer } from './dialer.ts';
import { DnsFilter } from './dns-filter.ts';
import { listTransparentPorts, PROXY_PORT } from './egress-ports.ts';
import { createHttpEgress } from './http-egress.ts';
import type { OwnAddress } from './own-addresses.ts';
import { createTcpEgress } from './tcp-egress.ts';

/**
 * The egress part in one internal network: HTTP proxy, DNS filter and transparent listeners. It
 * serves the containers of this network alone, so that no other one gets its rules.
 */
export class EgressServer {
  readonly #servers: { readonly server: Server | HttpServer; readonly port: number }[];
  readonly #clients = new Set<Socket>();
  readonly #dns: DnsFilter;
  readonly #address: string;
  readonly #network: readonly [ipaddr.IPv4, number];

  readonly #limit: ConnectionLimit;

  /**
   * @param limit of the workload
   * @param hosts the addressed hosts of the workload
   */
  constructor(
    dialer: Dialer,
    { address, network }: Pick<OwnAddress, 'address' | 'network'>,
    denials: DenialLog,
    limit: ConnectionLimit,
    hosts: readonly HostAddress[] = [],
  ) {
    this.#address = address;
    this.#limit = limit;
    this.#network = ipaddr.IPv4.parseCIDR(network);
    this.#dns = new DnsFilter(dialer.policy, address, denials, (client) => this.#isInNetwork(client), hosts);
    const host = findHostOf(dialer.policy, hosts, address);
    this.#servers = [
      { server: createHttpEgress(dialer, 80), port: PROXY_PORT },
      ...listTransparentPorts(dialer.policy).map((port) => ({
        server: createTcpEgress(dialer, port, createHttpEgress(dialer, port), host),
        port,
      })),
    ];
    for (const { server } of this.#servers) server.prependListener('connection', (client) => this.#accept(client));
  }

  /** Listens on all ports. @throws Error when one of them is taken */
  async listen(): Promise<void> {
    await Promise.all([
      this.#dns.listen(),
      ...this.#servers.map(
        ({ server, port }) =>
          new Promise<void>((resolve, reject) => {
            server.once('error', reject);
            server.listen(port, this.#address, resolve);
          }),
      ),
    ]);
  }

  /** Ends every connection. */
  close(): void {
    this.#dns.close();
    for (const { server } of this.#servers) server.close();
    for (const client of this.#clients) client.destroy();
  }

  #accept(client: Socket): void {
    if (!this.#isInNetwork(client.remoteAddress ?? '')) {
      client.destroy();
      return;
    }
    if (!this.#limit.admit(client)) return;
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
  }

  #isInNetwork(address: string): boolean {
    return (
      ipaddr.IPv4.isValid(address) && ipaddr.IPv4.parse(address).match(...(this.#network as [ipaddr.IPv4, number]))
    );
  }
}
