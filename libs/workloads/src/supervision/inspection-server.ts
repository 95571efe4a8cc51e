import { rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { getErrorMessage } from '../errors/workload-error.ts';
import type { RequestRecorder } from '@gatehouse/proxy/recording/request-recorder';

/** Ends the list of the requests that were kept before the connection. */
export const END_OF_KEPT = 'end';
/** The longest path of a socket that every system accepts. */
const MAX_PATH_LENGTH = 100;
/** A reader that does not keep up loses requests, so that the proxy does not keep them for it. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Shows the requests of a proxy to the user of this process, over a Unix socket: the kept requests
 * as JSON lines, a line with {@link END_OF_KEPT}, then each later request.
 * @param log receives the reason when the socket cannot be opened; the proxy works without it
 */
export function serveInspection(path: string, recorder: RequestRecorder, log: (message: string) => void): void {
  if (path.length > MAX_PATH_LENGTH) {
    log(`gatehouse inspect is not available: the path ${path} is too long for a socket`);
    return;
  }
  // The socket of a killed process stays.
  rmSync(path, { force: true });
  const server = createServer((socket) => answer(socket, recorder));
  server.on('error', (error) => log(`gatehouse inspect is not available: ${error.message}`));
  // The folder of the workload belongs to the user, so no other user reaches the socket before.
  server.listen(path, () => void chmod(path, 0o600).catch((error: unknown) => log(getErrorMessage(error))));
  server.unref();
}

function answer(socket: Socket, recorder: RequestRecorder): void {
  const print = (value: object) => `${JSON.stringify(value)}\n`;
  socket.write(`${recorder.list().map(print).join('')}"${END_OF_KEPT}"\n`);
  const end = recorder.subscribe((record) => {
    if (socket.writableLength < MAX_WAITING_BYTES) socket.write(print(record));
  });
  socket.on('error', () => undefined);
  socket.once('close', end);
  socket.resume();
  socket.unref();
}
