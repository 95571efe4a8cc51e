import { type Duplex, pipeline } from 'node:stream';
import type { Dialer } from './dialer.ts';
import { normalizeHost } from './egress-policy.ts';
import { isTls, type ServerName, ServerNameReader } from './server-name.ts';

/** Time until the first bytes of a connection whose destination they name. */
const FIRST_BYTES_MS = 15_000;

/** The first bytes of a connection; `name` where they are TLS. */
export interface ConnectionHead {
  readonly head: Buffer;
  readonly name: ServerName | undefined;
}

/**
 * Reads the first bytes of a client, and the server name where they are TLS. The connection is
 * paused afterwards.
 * @param early bytes that have been read already
 * @param timeoutMs undefined: no limit until the first byte
 * @returns undefined when the client ends before
 */
export function readHead(client: Duplex, early: Buffer, timeoutMs?: number): Promise<ConnectionHead | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let reader: ServerNameReader | undefined;
    let timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(undefined), timeoutMs);
    const settle = (result: ConnectionHead | undefined) => {
      clearTimeout(timer);
      client.off('data', take).off('close', end).off('end', end);
      client.pause();
      resolve(result);
    };
    const end = () => settle(undefined);
    const take = (chunk: Buffer) => {
      if (chunk.length === 0) return;
      parts.push(chunk);
      if (reader === undefined && !isTls(chunk)) {
        settle({ head: chunk, name: undefined });
        return;
      }
      if (reader === undefined) {
        reader = new ServerNameReader();
        timer ??= setTimeout(() => reader?.end(), FIRST_BYTES_MS);
        void reader.result.then((name) => settle({ head: Buffer.concat(parts), name }));
      }
      reader.push(chunk);
    };
    client.on('data', take).on('close', end).on('end', end);
    take(early);
    client.resume();
  });
}

/** Connects a client with a target, in both directions. The end of one ends the other. */
export function join(client: Duplex, head: Buffer, upstream: Duplex): void {
  upstream.write(head);
  pipeline(client, upstream, () => undefined);
}

/**
 * Connects a client with an allowed target. Bytes of the target pass at once; those of the client
 * pass after a look at the first ones: TLS for a server name that the profile does not allow is
 * refused.
 */
export async function tunnel(client: Duplex, early: Buffer, upstream: Duplex, dialer: Dialer, port: number) {
  pipeline(upstream, client, () => undefined);
  const start = await readHead(client, early);
  if (start === undefined) {
    upstream.end();
    return;
  }
  if (start.name?.kind === 'found') {
    const host = normalizeHost(start.name.name);
    const refused =
      host === undefined ? dialer.deny(start.name.name, 'invalid server name') : dialer.check({ host, port });
    if (refused !== undefined) {
      upstream.destroy();
      client.destroy();
      return;
    }
  }
  join(client, start.head, upstream);
}
