import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';

/** The id and trace context of a request. */
export class RequestContext {
  private trace: string | undefined;

  /** @param traceparent the header as received; an invalid one counts as none */
  constructor(
    readonly requestId: string,
    traceparent?: string,
  ) {
    this.trace = traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : undefined;
  }

  /** The traceparent (W3C) for outgoing requests: of the own span, else received, else new. */
  get traceparent(): string {
    return (this.trace ??= `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`);
  }

  /** The traceparent of the own span, else the received one. */
  get knownTraceparent(): string | undefined {
    return this.trace;
  }

  /** The trace id, if the request has one. */
  get traceId(): string | undefined {
    return this.trace?.slice(3, 35);
  }

  /** Makes later outgoing requests children of this span. */
  continueAs(span: { traceId: string; spanId: string; traceFlags: number }): void {
    this.trace = `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const REQUEST_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/**
 * The received request id if it is 1 to 128 printable ASCII characters, else a new one.
 */
export const readOrCreateRequestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

const current = new AsyncLocalStorage<RequestContext>();

/** The context of the current request, if any. */
export const currentRequest = (): RequestContext | undefined => current.getStore();

/** Runs work in the context of a request. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work);

/**
 * Headers for an outgoing request: `x-request-id` and `traceparent` of the current request; none
 * outside of a request.
 */
export function outgoingHeaders(): Record<string, string> {
  const context = current.getStore();
  return context ? { 'x-request-id': context.requestId, traceparent: context.traceparent } : {};
}
