import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A port on which the server of the workload is reached from outside its network. */
export interface IngressPort {
  readonly port: number;
  /** The address of the container of the server. */
  readonly host: string;
  /** Whether the engine publishes the port. Others get any free port of the egress container. */
  readonly isPublished: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Creates a listener that connects its clients with a port of a container.
 * @param accepts whether the client of an address may use it; a server may not use that of another
 */
export function createIngress({ port, host }: IngressPort, accepts: (client: string) => boolean): Server {
  return createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (client: Socket) => {
    if (client.remoteAddress === undefined || !accepts(client.remoteAddress)) {
      client.destroy();
      return;
    }
    const upstream = connect({ host, port, noDelay: true });
    const fail = () => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    client.on('error', fail);
    upstream.setTimeout(CONNECT_TIMEOUT_MS, fail);
    upstream.once('error', fail);
    upstream.once('connect', () => {
      upstream.setTimeout(0);
      pipeline(client, upstream, () => undefined);
      pipeline(upstream, client, () => undefined);
    });
  });
}
