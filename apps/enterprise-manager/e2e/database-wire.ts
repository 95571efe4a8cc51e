import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire between the service and its database that can be cut. */
export interface DatabaseWire {
  /** The database's URL, through the wire. */
  readonly url: string;
  /** Breaks every connection, and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
}

/** Puts a wire in front of a database. */
export async function wireTo(databaseUrl: string): Promise<DatabaseWire> {
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
    async mend() {
      server = createServer(accept).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
