import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** The first byte of a TLS handshake record (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16;
/** Bytes of a ClientHello. Those with post-quantum keys have about 2 KB. */
const MAX_HELLO_BYTES = 64 * 1024;

/** Whether a connection begins like TLS. */
export const isTls = (head: Buffer): boolean => head[0] === HANDSHAKE;

/** The result of bytes that were read so far. */
export type ServerName =
  | { readonly kind: 'found'; readonly name: string }
  /** The ClientHello has no server name, or the bytes are no ClientHello. */
  | { readonly kind: 'none' };

/**
 * Reads the server name of a ClientHello (SNI, RFC 6066). The TLS engine of Node parses it; the
 * handshake ends before an answer.
 */
export class ServerNameReader {
  /** Resolves once the name is known, or it is known that there is none. */
  readonly result: Promise<ServerName>;
  readonly #input: Duplex;
  readonly #socket: TLSSocket;
  #length = 0;
  #settle: (result: ServerName) => void = () => undefined;

  constructor() {
    this.result = new Promise((resolve) => {
      this.#settle = (result) => {
        resolve(result);
        this.#socket.destroy();
      };
    });
    this.#input = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    this.#socket = new TLSSocket(this.#input, {
      isServer: true,
      SNICallback: (name) => this.#settle({ kind: 'found', name: name.toLowerCase() }),
    });
    this.#socket.on('error', () => this.#settle({ kind: 'none' }));
    this.#socket.on('close', () => this.#settle({ kind: 'none' }));
  }

  /** Takes the next bytes of the connection. */
  push(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > MAX_HELLO_BYTES) this.end();
    else if (!this.#input.destroyed) this.#input.push(chunk);
  }

  /** Ends the reading without a name. */
  end(): void {
    this.#settle({ kind: 'none' });
  }
}
