/** A request that the HTTP layer refuses, with its status and its JSON-RPC error. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** The refusal of a request above a limit of its user (RFC 6585, section 4). */
export const tooManyRequests = (message: string, retryAfterSeconds: number): HttpRefusal =>
  new HttpRefusal(429, 429, message, { 'retry-after': String(retryAfterSeconds) }, { retryAfterSeconds });
