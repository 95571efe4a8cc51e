import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { RequestRecord } from '@gatehouse/proxy/recording/request-record';
import { WorkloadError } from './errors/workload-error.ts';
import { END_OF_KEPT } from './supervision/inspection-server.ts';

/** Options of {@link readRequests}. */
export interface InspectionRequest {
  /** Whether later requests follow, until the abort or the end of the proxy. */
  readonly follow: boolean;
  readonly abort: AbortSignal;
}

/**
 * Reads the last requests of a workload from its proxy.
 * @param path the socket of the proxy
 * @throws WorkloadError when no proxy has the socket
 */
export async function readRequests(
  name: string,
  path: string,
  { follow, abort }: InspectionRequest,
  take: (record: RequestRecord) => void,
): Promise<void> {
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal: abort });
  } catch (error) {
    socket.destroy();
    abort.throwIfAborted();
    throw new WorkloadError(
      'failed',
      `The proxy of ${name} does not answer`,
      [
        `gatehouse start ${name}   starts it`,
        `gatehouse stop ${name}   before that, when an older gatehouse started it`,
      ],
      error,
    );
  }
  const onAbort = () => socket.destroy();
  abort.addEventListener('abort', onAbort);
  socket.on('error', onAbort);
  try {
    for await (const line of createInterface({ input: socket })) {
      const value = JSON.parse(line) as RequestRecord | typeof END_OF_KEPT;
      if (value !== END_OF_KEPT) take(value);
      else if (!follow) return;
    }
  } finally {
    abort.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}
