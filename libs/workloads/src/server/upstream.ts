import { connect, type Socket } from 'node:net';
import type { HttpUpstream, StdioUpstream } from '@gatehouse/proxy/options';
import { Pool } from 'undici';
import type { ServerAddress, WorkloadServer } from '../runtime/workload-server.ts';
import { getClientTransport } from '../configuration/endpoint-path.ts';
import type { RunConfig } from '../configuration/run-config.ts';

/** Connect timeout. A container on this machine accepts or refuses at once. */
const DIAL_TIMEOUT_MS = 5_000;

/**
 * Creates a connector that dials the current address of the server, which can change at a restart.
 * The server sees the host name `localhost`, which servers that check the Host header accept.
 */
function createDialer(target: () => ServerAddress | undefined) {
  return (_options: unknown, callback: (error: Error | null, socket: Socket | null) => void) => {
    const now = target();
    if (now === undefined) {
      const stopped: NodeJS.ErrnoException = new Error('the server does not run at the moment');
      stopped.code = 'ECONNREFUSED';
      callback(stopped, null);
      return;
    }
    const socket = connect({
      host: now.host,
      port: now.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    const fail = (error: Error) => {
      socket.destroy();
      callback(error, null);
    };
    socket.setTimeout(DIAL_TIMEOUT_MS, () =>
      fail(Object.assign(new Error('the server cannot be reached'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      callback(null, socket);
    });
  };
}

/** Returns the upstream of the proxy. */
export function createUpstream(
  config: RunConfig,
  { connection }: Pick<WorkloadServer, 'connection'>,
): HttpUpstream | StdioUpstream {
  if (connection.kind === 'stdio') return { ...connection, clientTransport: getClientTransport(config) };
  const transport = config.transport === 'sse' ? 'sse' : 'streamable-http';
  if (connection.kind === 'remote') {
    const { url, headers, tokens, dispatcher } = connection;
    return { kind: 'http', url, transport, remote: true, headers, ...(tokens && { tokens }), dispatcher };
  }
  const url = `http://localhost:${config.target_port ?? 0}`;
  const connectToServer = createDialer(connection.getAddress) as NonNullable<Pool.Options['connect']>;
  return {
    kind: 'http',
    url,
    transport,
    dispatcher: new Pool(url, { connect: connectToServer, headersTimeout: 0, bodyTimeout: 0 }),
  };
}
