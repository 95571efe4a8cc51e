import { lookup, Resolver } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { findAddressRefusal, type Surroundings } from './address-rules.ts';
import type { DenialLog } from './denial-log.ts';
import { type Destination, type EgressPolicy, findRefusal, GATEWAY_NAMES } from './egress-policy.ts';

/** Time until a target must accept a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 4;
/** Connections that one workload opens at the same time. */
const MAX_OPENING = 256;

/** The result of a call. */
export type Dialed =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | { readonly kind: 'denied'; readonly rule: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Finds the addresses of a name. */
export type AddressLookup = (name: string) => Promise<readonly string[]>;

/**
 * Returns the lookup of names at the nameservers of the system, or at another one. Names of this
 * machine are in the hosts file. The other names do not use the lookup of the system: it has four
 * threads for all workloads, and a nameserver that does not answer would occupy one.
 * @param nameserver `address` or `address:port`
 */
export function createAddressLookup(nameserver: string | undefined): AddressLookup {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  if (nameserver !== undefined) resolver.setServers([nameserver]);
  const findGateway = async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address);
  return (name) => (GATEWAY_NAMES.includes(name) ? findGateway(name) : resolver.resolve4(name));
}

/**
 * Opens the connections that a policy allows. The address that was checked is the one that is
 * dialed, so that a second answer of the DNS changes nothing.
 */
export class Dialer {
  #opening = 0;

  /** @param surroundings returns the present addresses around the egress part */
  constructor(
    readonly policy: EgressPolicy,
    private readonly surroundings: () => Surroundings,
    private readonly findAddresses: AddressLookup,
    private readonly denials: DenialLog,
  ) {}

  /** Refuses and logs. */
  deny(target: string, rule: string): Dialed & { kind: 'denied' } {
    this.denials.add(target, rule);
    return { kind: 'denied', rule };
  }

  /** Decides on a destination by its name, and logs a refusal. */
  check(destination: Destination): (Dialed & { kind: 'denied' }) | undefined {
    const rule = findRefusal(this.policy, destination);
    return rule === undefined ? undefined : this.deny(formatDestination(destination), rule);
  }

  /** Decides on a destination, and connects to it. */
  async dial(destination: Destination): Promise<Dialed> {
    const refused = this.check(destination);
    if (refused !== undefined) return refused;
    if (this.#opening >= MAX_OPENING) return { kind: 'failed', reason: 'too many connections are being opened' };
    this.#opening += 1;
    try {
      return await this.#open(destination);
    } finally {
      this.#opening -= 1;
    }
  }

  async #open(destination: Destination): Promise<Dialed> {
    const { host, port } = destination;
    let addresses: readonly string[];
    try {
      addresses = isIP(host) === 0 ? await this.findAddresses(host) : [host];
    } catch {
      return { kind: 'failed', reason: `the name ${host} has no address` };
    }
    const surroundings = this.surroundings();
    const rules = addresses.map((one) => findAddressRefusal(this.policy, surroundings, host, one));
    const allowed = addresses.filter((_, at) => rules[at] === undefined).slice(0, MAX_ADDRESSES);
    const [rule] = rules;
    if (allowed.length === 0)
      return rule === undefined
        ? { kind: 'failed', reason: `the name ${host} has no address` }
        : this.deny(`${formatDestination(destination)} at ${addresses.join(', ')}`, rule);
    let reason = '';
    for (const address of allowed) {
      try {
        return { kind: 'connected', socket: await open(address, port) };
      } catch (error) {
        reason = (error as Error).message;
      }
    }
    return { kind: 'failed', reason };
  }
}

/** Formats a destination for a message. */
export const formatDestination = ({ host, port }: Destination): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

function open(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => fail(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      // A reset between two users of the socket is seen as its close.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
