import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP relay between the service and its database that can be cut. */
export interface DatabaseWire {
  /** URL of the database through the relay. */
  readonly url: string;
  /** Resets all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): Promise<void>;
}

/** Starts a relay in front of a database. */
export async function startWire(databaseUrl: string): Promise<DatabaseWire> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const accept = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  let server: Server = createServer(accept).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    cut() {
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      sockets.clear();
    },
    async restore() {
      server = createServer(accept).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
