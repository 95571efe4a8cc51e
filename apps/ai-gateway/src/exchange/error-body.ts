import type { ProviderResponse } from '../upstream/provider-request.ts';

const MAX_BYTES = 1024 * 1024;

/** Reads the body of an error of a provider, at most 1 MiB of it. */
export class ErrorBody {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  /** @param signal closes the connection */
  constructor(
    private readonly response: ProviderResponse,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns what was received; less if the connection is closed */
  read(): Promise<Buffer> {
    return new Promise((resolve) => {
      const stop = () => this.response.abort(new Error('the call has ended'));
      const finish = () => {
        this.signal.removeEventListener('abort', stop);
        resolve(Buffer.concat(this.chunks));
      };
      this.signal.addEventListener('abort', stop, { once: true });
      this.response.receive({
        onData: (chunk) => {
          this.length += chunk.length;
          if (this.length > MAX_BYTES) this.response.abort(new Error('the body of the error is too large'));
          else this.chunks.push(chunk);
        },
        onEnd: finish,
        onError: finish,
      });
      if (this.signal.aborted) stop();
    });
  }
}
