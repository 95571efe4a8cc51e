import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';

interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * The services that passes call, at all addresses of this machine, so that pods reach them: the keys
 * of an issuer at `/keys`, a webhook that allows everything, and a collector of OTLP.
 */
export class PassServices {
  readonly calls: ReceivedCall[] = [];
  readonly #server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      this.calls.push({ path, headers: request.headers, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(path === '/keys' ? { keys: this.issuer.keys() } : { allowed: true }));
    });
  });

  private constructor(readonly issuer: TestIssuer) {}

  static async start(): Promise<PassServices> {
    const services = new PassServices(await startIssuer({ audience: 'mcp' }));
    services.#server.listen(0, '0.0.0.0');
    await once(services.#server, 'listening');
    return services;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Whether all calls of the webhook have the signature of this secret. */
  isSigned(path: string, secret: string): boolean {
    const calls = this.calls.filter((call) => call.path === path);
    const sign = ({ headers, body }: ReceivedCall) =>
      `sha256=${createHmac('sha256', secret)
        .update(`${String(headers['x-toolhive-timestamp'])}.${body.toString()}`)
        .digest('hex')}`;
    return calls.length > 0 && calls.every((call) => call.headers['x-toolhive-signature'] === sign(call));
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.issuer.close();
  }
}
