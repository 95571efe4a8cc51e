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
 * Sends rows to `COPY … FROM STDIN`, as fast as the server takes them.
 * @param chunks text in the format of COPY, cut anywhere
 */
export function copyIn(client: pg.Client, text: string, chunks: Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const query = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => void send(wire),
      handleError: (error: Error) => reject(error),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure === undefined ? resolve() : reject(failure)),
    };
    const send = async (wire: Wire) => {
      try {
        for (const chunk of chunks) {
          wire.sendCopyFromChunk(Buffer.from(chunk));
          if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
        }
        wire.endCopyFrom();
      } catch (error) {
        failure = error as Error;
        wire.sendCopyFail('the rows could not be made');
      }
    };
    client.query(query as unknown as pg.Submittable);
  });
}
