import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { isInNetworks, type Surroundings } from './address-rules.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { DenialLog } from './denial-log.ts';
import { createAddressLookup, Dialer } from './dialer.ts';
import { EgressServer } from './egress-server.ts';
import { createIngress, type IngressPort } from './ingress.ts';
import type { OwnAddress } from './own-addresses.ts';
import type { WorkloadRules } from './workload-rules.ts';

/** A listener for the clients of a server, with their connections. */
interface Ingress {
  readonly server: Server;
  readonly clients: Set<Socket>;
}

/** The egress and ingress parts of one workload. */
export class WorkloadEgress {
  readonly #print: (line: string) => void;
  readonly #surroundings: () => Omit<Surroundings, 'machine'>;
  readonly #servers = new Map<string, EgressServer>();
  readonly #ingress = new Map<string, Ingress>();
  readonly #denials: DenialLog;
  readonly #limit = new ConnectionLimit();
  #rules: WorkloadRules;

  /**
   * @param print receives the lines about refused connections
   * @param surroundings returns the present addresses around the container
   */
  constructor(rules: WorkloadRules, print: (line: string) => void, surroundings: () => Omit<Surroundings, 'machine'>) {
    this.#rules = rules;
    this.#print = print;
    this.#surroundings = surroundings;
    this.#denials = new DenialLog((line) => this.#print(`${this.#rules.session} ${line}`));
  }

  /** The addresses on which it listens. */
  get addresses(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /**
   * Puts rules into force. Other outbound rules than before end the connections of the workload.
   * @param added the addresses of the rules that are not served yet
   * @param outside the address in the network with a way out
   * @returns the port of the container for each port of the server
   */
  async apply(rules: WorkloadRules, added: readonly OwnAddress[], outside: string): Promise<Record<string, number>> {
    this.#rules = rules;
    const dialer = this.#createDialer(rules);
    await Promise.all(
      added.map(async (own) => {
        const server = new EgressServer(dialer, own, this.#denials, this.#limit, rules.hosts);
        this.#servers.set(own.address, server);
        await server.listen();
      }),
    );
    for (const [key] of this.#ingress) if (!rules.ingress.some((one) => describe(one) === key)) this.#endIngress(key);
    const ports = await Promise.all(
      rules.ingress.map(async (one) => [String(one.port), await this.#serveIngress(one, outside)] as const),
    );
    return Object.fromEntries(ports);
  }

  /** Whether the outbound rules are those that are in force. */
  hasRules({ policy, nameserver }: WorkloadRules): boolean {
    return JSON.stringify([policy, nameserver]) === JSON.stringify([this.#rules.policy, this.#rules.nameserver]);
  }

  /** Ends the egress part on one address. */
  release(address: string): void {
    this.#servers.get(address)?.close();
    this.#servers.delete(address);
  }

  /** Ends every connection. */
  close(): void {
    for (const address of this.addresses) this.release(address);
    for (const key of this.#ingress.keys()) this.#endIngress(key);
  }

  #createDialer({ policy, nameserver }: WorkloadRules): Dialer {
    const around = this.#surroundings;
    const getMachine = () => this.#rules.machine;
    const surroundings = () => ({ ...around(), machine: getMachine() });
    return new Dialer(policy, surroundings, createAddressLookup(nameserver), this.#denials);
  }

  async #serveIngress(port: IngressPort, outside: string): Promise<number> {
    const key = describe(port);
    const known = this.#ingress.get(key);
    if (known !== undefined) return (known.server.address() as AddressInfo).port;
    const server = createIngress(port, (client) => !isInNetworks(this.#surroundings().networks, client));
    const clients = new Set<Socket>();
    server.on('connection', (client) => {
      clients.add(client);
      client.once('close', () => clients.delete(client));
    });
    server.listen(port.isPublished ? port.port : 0, outside);
    await once(server, 'listening');
    this.#ingress.set(key, { server, clients });
    return (server.address() as AddressInfo).port;
  }

  #endIngress(key: string): void {
    const { server, clients } = this.#ingress.get(key) ?? {};
    server?.close();
    for (const client of clients ?? []) client.destroy();
    this.#ingress.delete(key);
  }
}

const describe = (port: IngressPort): string => JSON.stringify([port.port, port.host, port.isPublished]);
