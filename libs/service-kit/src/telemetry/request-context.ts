import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';

/** What travels with a request through the house. */
export class RequestContext {
  private trace: string | undefined;

  /** @param traceparent the header as received; an invalid one counts as none */
  constructor(
    readonly requestId: string,
    traceparent?: string,
  ) {
    this.trace = traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : undefined;
  }

  /** W3C traceparent to send on: of our own span, else the received one, else one made now. */
  get traceparent(): string {
    return (this.trace ??= `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`);
  }

  /** The received (or our own span's) traceparent, if there is one. */
  get knownTraceparent(): string | undefined {
    return this.trace;
  }

  /** Trace id, when the request has one already. */
  get traceId(): string | undefined {
    return this.trace?.slice(3, 35);
  }

  /** From now on calls go out as children of this span. */
  continueAs(span: { traceId: string; spanId: string; traceFlags: number }): void {
    this.trace = `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const REQUEST_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/**
 * The request id: the received one when it is 1 to 128 printable ASCII characters, else a new one.
 */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

const current = new AsyncLocalStorage<RequestContext>();

/** The request that is being served, if any. */
export const currentRequest = (): RequestContext | undefined => current.getStore();

/** Serves one request: everything `work` starts sees `context`. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work);

/**
 * Headers that an outgoing call carries on: `x-request-id` and `traceparent` of the request being
 * served; none outside of one.
 */
export function outgoingHeaders(): Record<string, string> {
  const context = current.getStore();
  return context ? { 'x-request-id': context.requestId, traceparent: context.traceparent } : {};
}
