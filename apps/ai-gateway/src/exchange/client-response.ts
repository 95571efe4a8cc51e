import type { ServerResponse } from 'node:http';

/** The answer to the client: its headers are sent with the first bytes. */
export class ClientResponse {
  /** Time of the first bytes, in milliseconds of the monotonic clock. */
  firstByteAt: number | undefined;
  /** Bytes that follow a write in the same turn of the event loop; undefined without a write. */
  private following: Uint8Array[] | undefined;
  private head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;

  /** @param onGone is called once if the client disconnects before the end of the answer */
  constructor(
    private readonly response: ServerResponse,
    onGone: () => void,
  ) {
    response.once('close', () => {
      if (!response.writableFinished) onGone();
    });
    // The event `close` follows each error.
    response.on('error', () => undefined);
  }

  /** Whether the client has disconnected. */
  get isGone(): boolean {
    return this.response.destroyed && !this.response.writableFinished;
  }

  /** Whether the status was sent, so that another one cannot be sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** The id of the request in the answer. */
  get requestId(): string {
    return String(this.response.getHeader('x-request-id') ?? '');
  }

  /** Sets status and headers, which are sent with the first bytes. */
  prepare(status: number, headers: Readonly<Record<string, string>>): void {
    this.head = { status, headers };
  }

  /**
   * Writes bytes. Those that follow in the same turn of the event loop become one write: the events
   * of a stream often arrive together, and a write costs more than an event.
   * @returns false if the client reads too slowly: wait for `onceWritable`
   */
  write(chunk: Uint8Array): boolean {
    this.begin();
    if (this.following !== undefined) {
      this.following.push(chunk);
      return !this.response.writableNeedDrain;
    }
    this.following = [];
    void Promise.resolve().then(() => this.flush());
    return this.response.write(chunk);
  }

  onceWritable(listener: () => void): void {
    this.response.once('drain', listener);
  }

  /** Ends the answer. @param chunk the last bytes */
  end(chunk?: Uint8Array | string): void {
    this.begin();
    this.flush();
    this.response.end(chunk);
  }

  /** Closes the connection, so that the client sees that the answer is not complete. */
  destroy(): void {
    this.response.destroy();
  }

  private flush(): void {
    const { following = [] } = this;
    this.following = undefined;
    if (following.length > 0 && !this.response.destroyed) this.response.write(Buffer.concat(following));
  }

  private begin(): void {
    if (this.head === undefined) return;
    this.firstByteAt ??= performance.now();
    this.response.writeHead(this.head.status, this.head.headers);
    this.head = undefined;
  }
}
