import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response of the relay. */
export interface Relayed {
  status: number;
  body: string;
}

/**
 * A relay between a client and a service that can change responses, like an attacker without TLS.
 */
export class Relay {
  readonly url: string;
  /** Changes the response to a path; unchanged by default. */
  change: (path: string, response: Relayed) => Relayed = (_, response) => response;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param target address of the service */
  static async to(target: string): Promise<Relay> {
    const server = createServer((request, response) => {
      const { authorization = '', 'if-none-match': ifNoneMatch, ...others } = request.headers;
      const headers = {
        authorization,
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
        'x-client-type': String(others['x-client-type'] ?? ''),
        'x-client-version': String(others['x-client-version'] ?? ''),
      };
      void fetch(`${target}${request.url ?? ''}`, { headers }).then(async (upstream) => {
        const { status, body } = relay.change(request.url ?? '', {
          status: upstream.status,
          body: await upstream.text(),
        });
        response.writeHead(status, {
          'content-type': 'application/json',
          etag: upstream.headers.get('etag') ?? '""',
        });
        response.end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new Relay(server);
    return relay;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
