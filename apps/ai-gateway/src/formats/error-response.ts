import type { ModelCallError } from './model-call-error.ts';
import type { ModelRequest } from './model-request.ts';

/** An error in the shape of a vendor. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Writes errors as the vendor of a format does, so that its SDKs show message and code. */
export interface ErrorWriter {
  writeError(error: ModelCallError, requestId: string): ErrorResponse;
  /**
   * Writes the event that ends a stream whose status was sent already.
   * @param request of the stream; a vendor can have several forms of streams
   * @returns the bytes of the event; the connection is closed after them
   */
  writeStreamError(error: ModelCallError, request: ModelRequest): string;
}
