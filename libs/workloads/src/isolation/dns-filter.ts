import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { decode, encode, type Packet, type Question, RECURSION_AVAILABLE, streamEncode } from 'dns-packet';
import { findAddressOf, type HostAddress } from './addressed-hosts.ts';
import type { DenialLog } from './denial-log.ts';
import { allowsHost, type EgressPolicy, normalizeHost } from './egress-policy.ts';

/** Response codes of RFC 1035, section 4.1.1, as the flags of a packet. */
const REFUSED = 5;
const NAME_ERROR = 3;
/** Seconds for which a client keeps an answer. */
const TTL = 30;
const MAX_TCP_CLIENTS = 32;
const TCP_IDLE_MS = 10_000;
/** Bytes of answers that wait for a client, which reads none of them. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Longest query; over TCP, a length of two bytes comes before it. */
const MAX_QUERY_BYTES = 4 * 1024;

/** Length of the header of a message (RFC 1035, section 4.1.1). */
const HEADER_BYTES = 12;
/** Further records of a query: EDNS, and a signature. */
const MAX_ADDITIONAL = 2;

/**
 * Whether a message can be decoded in a short time. The names of many questions and records can
 * point at each other, so that one message would occupy the egress part for seconds.
 */
function isShortQuery(message: Buffer): boolean {
  if (message.length < HEADER_BYTES || message.length > MAX_QUERY_BYTES) return false;
  const [questions, answers, authorities] = [4, 6, 8].map((at) => message.readUInt16BE(at));
  return questions === 1 && answers === 0 && authorities === 0 && message.readUInt16BE(10) <= MAX_ADDITIONAL;
}

/**
 * Answers a query: the address of the egress part for names that the profile allows, no such name
 * for others. No query is forwarded, so that names carry nothing out.
 * @param findAddress returns the IPv4 address of the egress part for an allowed host
 */
export function answerQuery(
  policy: EgressPolicy,
  findAddress: (host: string) => string,
  query: Packet,
): Packet & { readonly denied?: string } {
  const [question, ...others] = query.questions ?? [];
  const respond = (code: number, answers: Packet['answers'] = []): Packet => ({
    type: 'response',
    id: query.id ?? 0,
    flags: RECURSION_AVAILABLE | code,
    questions: question === undefined ? [] : [question],
    answers,
  });
  if (query.type !== 'query' || ((query.flags ?? 0) & 0x7800) !== 0 || question === undefined || others.length > 0)
    return respond(REFUSED);
  const { name, type, class: family } = question as Question & { class?: string };
  const host = normalizeHost(name);
  if (family !== 'IN' || host === undefined || !allowsHost(policy, host))
    return { ...respond(NAME_ERROR), denied: name };
  return type === 'A' ? respond(0, [{ type: 'A', name, ttl: TTL, data: findAddress(host) }]) : respond(0);
}

/** The DNS server of a workload, on UDP and TCP. */
export class DnsFilter {
  readonly #udp: DatagramSocket = createSocket('udp4');
  readonly #tcp: Server;
  readonly #clients = new Set<Socket>();

  /**
   * @param accepts whether the server answers the client of an address
   * @param hosts the hosts that have another address than that of the filter
   */
  constructor(
    private readonly policy: EgressPolicy,
    private readonly address: string,
    private readonly denials: DenialLog,
    private readonly accepts: (client: string) => boolean = () => true,
    private readonly hosts: readonly HostAddress[] = [],
  ) {
    this.#udp.on('message', (message, { port, address: client }) => {
      if (!this.accepts(client)) return;
      const response = this.#answer(message);
      // A client that has gone away is no error.
      if (response !== undefined) this.#udp.send(encode(response), port, client, () => undefined);
    });
    this.#udp.on('error', () => undefined);
    this.#tcp = createServer((client) => this.#serve(client));
    this.#tcp.maxConnections = MAX_TCP_CLIENTS;
  }

  /** Listens on port 53 of the address in its answers, or on another port or address. */
  async listen(port = 53, host = this.address): Promise<void> {
    await Promise.all([
      new Promise<void>((resolve, reject) => {
        this.#udp.once('error', reject);
        this.#udp.bind(port, host, resolve);
      }),
      new Promise<void>((resolve, reject) => {
        this.#tcp.once('error', reject);
        this.#tcp.listen(port, host, resolve);
      }),
    ]);
  }

  /** The port on UDP. */
  get port(): number {
    return this.#udp.address().port;
  }

  close(): void {
    this.#udp.close();
    this.#tcp.close();
    for (const client of this.#clients) client.destroy();
  }

  #serve(client: Socket): void {
    if (!this.accepts(client.remoteAddress ?? '')) {
      client.destroy();
      return;
    }
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    let waiting = Buffer.alloc(0);
    client.setTimeout(TCP_IDLE_MS, () => client.destroy());
    client.on('error', () => client.destroy());
    client.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const message = waiting.subarray(0, 2 + waiting.readUInt16BE(0));
        waiting = waiting.subarray(message.length);
        const response = this.#answer(message.subarray(2));
        if (response !== undefined) client.write(streamEncode(response));
        if (response === undefined || client.writableLength > MAX_WAITING_BYTES) {
          client.destroy();
          return;
        }
      }
      if (waiting.length > MAX_QUERY_BYTES) client.destroy();
    });
  }

  /** @returns undefined for bytes that are no query */
  #answer(message: Buffer): Packet | undefined {
    if (!isShortQuery(message)) return undefined;
    try {
      const query = decode(message);
      if (query.type !== 'query') return undefined;
      const { denied, ...response } = answerQuery(
        this.policy,
        (host) => findAddressOf(this.hosts, this.address, host),
        query,
      );
      if (denied !== undefined) this.denials.add(`DNS name ${denied}`, 'host is not in the permission profile');
      return response;
    } catch {
      return undefined;
    }
  }
}
