/** A standard output stream of a container. */
export type OutputStream = 'stdout' | 'stderr';

const HEADER_BYTES = 8;

/**
 * Splits the engine's multiplexed output into its streams. A frame has one byte with the stream
 * (1 stdout, 2 stderr), three zero bytes, a 32-bit length and the payload.
 */
export class OutputDemultiplexer {
  readonly #deliver: (stream: OutputStream, data: Buffer) => void;
  #header = Buffer.alloc(0);
  #stream: OutputStream = 'stdout';
  #left = 0;

  constructor(deliver: (stream: OutputStream, data: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** Reads the next bytes and delivers their payload, without waiting for the end of the frame. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) {
        const wanted = HEADER_BYTES - this.#header.length;
        this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + wanted)]);
        at += wanted;
        if (this.#header.length < HEADER_BYTES) return;
        this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
        this.#left = this.#header.readUInt32BE(4);
        this.#header = Buffer.alloc(0);
        continue;
      }
      const payload = chunk.subarray(at, at + this.#left);
      this.#left -= payload.length;
      at += payload.length;
      this.#deliver(this.#stream, payload);
    }
  }
}
