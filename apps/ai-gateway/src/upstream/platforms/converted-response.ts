import type { IncomingHttpHeaders } from 'node:http';
import { ModelCallError } from '../../formats/model-call-error.ts';
import type { BodyReceiver, ProviderResponse } from '../provider-request.ts';

/**
 * Converts the body of one response while it arrives. An error ends the response after the bytes
 * that were added before it: what the provider has sent counts for its usage.
 */
export interface BodyConverter {
  /** Takes the next bytes. @param parts to which the converted bytes are added */
  push(chunk: Buffer, parts: Buffer[]): void;
  /** Takes the end of the body. @param parts to which the last bytes are added */
  end(parts: Buffer[]): void;
}

/** The head of a converted response. */
interface ConvertedHead {
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
}

/** A response of a provider in another form. An error of the converter closes its connection. */
export class ConvertedResponse implements ProviderResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  private isOver = false;

  constructor(
    private readonly response: ProviderResponse,
    { status, headers }: ConvertedHead,
    private readonly converter: BodyConverter,
  ) {
    this.status = status ?? response.status;
    this.headers = headers;
  }

  receive(receiver: BodyReceiver): void {
    this.response.receive({
      onData: (chunk) => this.pass(receiver, (parts) => this.converter.push(chunk, parts)),
      onEnd: () => {
        this.pass(receiver, (parts) => this.converter.end(parts));
        if (this.isOver) return;
        this.isOver = true;
        receiver.onEnd();
      },
      onError: (error) => this.fail(receiver, error),
    });
  }

  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  abort(reason: Error): void {
    this.response.abort(reason);
  }

  private pass(receiver: BodyReceiver, convert: (parts: Buffer[]) => void): void {
    if (this.isOver) return;
    const parts: Buffer[] = [];
    const error = findError(() => convert(parts));
    const [first] = parts;
    if (first !== undefined) receiver.onData(parts.length === 1 ? first : Buffer.concat(parts));
    if (error === undefined) return;
    this.fail(receiver, error);
    this.response.abort(error);
  }

  private fail(receiver: BodyReceiver, error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    receiver.onError(error);
  }
}

function findError(convert: () => void): ModelCallError | undefined {
  try {
    convert();
    return undefined;
  } catch (cause) {
    if (cause instanceof ModelCallError) return cause;
    return new ModelCallError('provider_error', 'The provider sent a response that cannot be read.', { cause });
  }
}
