import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** What of a connection of the driver is used here: it speaks COPY, but has no word for it. */
interface Wire {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Sends rows to `COPY … FROM STDIN`, as fast as the server takes them. Postgres writes what comes
 * so page by page, and not row by row. While it waits for rows no timeout of its own ends it: of a
 * client whose host is gone it learns by the keepalive of the connection, of one that stands still
 * when that ends.
 * @param chunks what COPY reads, cut anywhere; each may be overwritten when the next one is made
 * @throws {Error} as the server, or the making of chunks, refused
 */
export function copyIn(
  client: Pick<pg.ClientBase, 'query'>,
  text: string,
  chunks: Iterable<string | Buffer>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const over = new AbortController();
    const query = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => void send(wire),
      handleError: (error: Error) => {
        over.abort();
        reject(failure ?? error);
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure === undefined ? resolve() : reject(failure)),
    };
    const send = async (wire: Wire) => {
      try {
        for (const chunk of chunks) {
          wire.sendCopyFromChunk(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
          if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain', { signal: over.signal });
        }
        wire.endCopyFrom();
      } catch (error) {
        // Whoever waits has been told already.
        if (over.signal.aborted) return;
        failure = error as Error;
        wire.sendCopyFail('the rows could not be made');
      }
    };
    client.query(query as unknown as pg.Submittable);
  });
}
