import type { IncomingMessage } from 'node:http';

/**
 * Reads a body without an async iterator, which costs more than the rest of a small request.
 * @param take is called for each part; an error that it throws ends the read
 * @throws {Error} if the client disconnects before the end of the body
 */
export function readChunks(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error: Error) => {
      request.removeAllListeners('data');
      request.pause();
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        stop(error as Error);
      }
    });
    let isRead = false;
    // Every request is closed at some time, and an error costs more than a small request.
    const leave = () => {
      if (!isRead) reject(new Error('the client disconnected before the end of the body'));
    };
    request.once('end', () => {
      isRead = true;
      resolve();
    });
    request.once('error', reject);
    request.once('close', leave);
    // A request that is closed already emits no further event.
    if (request.destroyed) leave();
  });
}
