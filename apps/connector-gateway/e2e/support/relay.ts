import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A relay in front of a server, for clients that cannot send a token. */
export interface Relay {
  /** Its origin. */
  origin: string;
  /** Port of the server on this machine; set before the first request. */
  targetPort: number;
  close(): Promise<void>;
}

/** Starts a relay that adds a bearer token to each request and changes nothing else. */
export async function startRelay(token: string): Promise<Relay> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const options = { host: '127.0.0.1', port: relay.targetPort, path: request.url, method: request.method, headers };
    const forwarded = sendRequest(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(response);
    });
    // The end of one side ends the other, also in the middle of a stream.
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay: Relay = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targetPort: 0,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return relay;
}
