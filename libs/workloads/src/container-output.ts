/** Which stream of a container a piece of output belongs to. */
export type OutputStream = 'stdout' | 'stderr';

const HEADER_BYTES = 8;

/**
 * Takes the engine's multiplexed output apart: frames of one byte stream number (1 stdout, 2
 * stderr), three zero bytes and a 32-bit length, cut at any place by the network.
 */
export class OutputDemultiplexer {
  readonly #deliver: (stream: OutputStream, data: Buffer) => void;
  #header = Buffer.alloc(0);
  #stream: OutputStream = 'stdout';
  #left = 0;

  constructor(deliver: (stream: OutputStream, data: Buffer) => void) {
    this.#deliver = deliver;
  }

  /**
   * Takes the next bytes from the network and delivers what they complete; payload is passed on
   * without waiting for the frame's end.
   */
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
