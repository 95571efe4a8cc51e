import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';

/** One request of a client, as a proxy sees it. */
export interface ProxiedRequest {
  method: string;
  /** Path with the query. */
  path: string;
}

/**
 * What happens to a request: it waits; it is answered by the proxy; it is never answered; its
 * connection is cut before, or after, the API has processed it.
 */
export type ProxyFault =
  | { delayMs: number }
  | { status: number; headers?: Readonly<Record<string, string>>; body?: string }
  | 'hang'
  | 'cut-before'
  | 'cut-after';

/** Selects the fault of a request. The request waits for a promise. */
export type FaultSelector = (request: ProxiedRequest) => ProxyFault | undefined | Promise<ProxyFault | undefined>;

/** A proxy in front of a Kubernetes API that simulates faults of the network and of the API. */
export interface KubernetesProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** All requests since the start. */
  readonly requests: ProxiedRequest[];
  /** Number of connections that clients have opened. */
  readonly connections: number;
  /** Selects the fault of each request. Default: none. */
  inject(select: FaultSelector): void;
  /** Cuts all connections of clients. */
  cutConnections(): void;
  /** Ends all responses that are under way, as if the API had ended them. */
  endResponses(): void;
  close(): Promise<void>;
}

/** Starts a proxy. Clients connect without TLS and authenticate as they would at the API. */
export async function startKubernetesProxy(cluster: Pick<Cluster, 'api' | 'caPath'>): Promise<KubernetesProxy> {
  const proxy = new FaultProxy(cluster.api.url, readFileSync(cluster.caPath));
  await proxy.listen();
  return proxy;
}

class FaultProxy implements KubernetesProxy {
  readonly requests: ProxiedRequest[] = [];
  connections = 0;
  url = '';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();
  readonly #agent: Agent;
  readonly #target: string;
  #select: FaultSelector = () => undefined;

  constructor(target: string, ca: Buffer) {
    this.#target = target;
    this.#agent = new Agent({ ca, keepAlive: true });
    this.#server = createServer((incoming, response) => void this.#handle(incoming, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((settle) => this.#server.listen(0, '127.0.0.1', settle));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  inject(select: FaultSelector): void {
    this.#select = select;
  }

  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  endResponses(): void {
    for (const response of this.#responses) response.end();
  }

  async close(): Promise<void> {
    this.cutConnections();
    this.#agent.destroy();
    await new Promise((settle) => this.#server.close(settle));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { method: incoming.method ?? '', path: incoming.url ?? '' };
    this.requests.push(seen);
    const fault = await this.#select(seen);
    if (fault === 'hang') return;
    if (fault === 'cut-before') incoming.socket.destroy();
    else if (typeof fault === 'object' && 'status' in fault)
      response.writeHead(fault.status, fault.headers).end(fault.body);
    else {
      if (typeof fault === 'object') await sleep(fault.delayMs, undefined, { ref: false });
      this.#forward(incoming, response, fault === 'cut-after');
    }
  }

  #forward(incoming: IncomingMessage, response: ServerResponse, isAnswerLost: boolean): void {
    const { method, url, headers } = incoming;
    const outgoing = request(`${this.#target}${url}`, { method, headers, agent: this.#agent }, (answer) => {
      if (isAnswerLost) {
        answer.resume().once('close', () => incoming.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      this.#responses.add(response.once('close', () => this.#responses.delete(response)));
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      response.once('close', () => answer.destroy());
    });
    outgoing.once('error', () => incoming.socket.destroy());
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}
