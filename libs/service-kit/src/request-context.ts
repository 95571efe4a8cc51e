import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** What travels with a request through the house. */
export class RequestContext {
  private trace: string | undefined;

  /** @param traceparent the header as received; an invalid one is replaced */
  constructor(
    readonly requestId: string,
    traceparent: string | undefined,
  ) {
    this.trace = traceparent !== undefined && isTraceparent(traceparent) ? traceparent : undefined;
  }

  /** W3C traceparent: the received one, else one made now. */
  get traceparent(): string {
    return (this.trace ??= `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`);
  }

  /** Trace id, when the request has one already. */
  get traceId(): string | undefined {
    return this.trace?.slice(3, 35);
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const isTraceparent = (value: string) => TRACEPARENT.test(value);

const current = new AsyncLocalStorage<RequestContext>();

/** The request that is being served, if any. */
export const currentRequest = (): RequestContext | undefined => current.getStore();

/** Serves one request: everything `work` starts sees `context`. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work);

/** Headers that an outgoing call carries on: `x-request-id` and `traceparent` of the request being served; none outside of one. */
export function outgoingHeaders(): Record<string, string> {
  const context = current.getStore();
  return context ? { 'x-request-id': context.requestId, traceparent: context.traceparent } : {};
}
