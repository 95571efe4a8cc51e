import type { IncomingMessage } from 'node:http';
import { AddressLimits } from './address-limits.ts';

/** Most documents that requests of one address cause to be fetched in a minute, on each replica. */
const FETCHES_PER_MINUTE = 30;

/** Limits the requests for metadata documents, since callers choose their addresses. */
export class DocumentLimits {
  private readonly limits = new AddressLimits(FETCHES_PER_MINUTE, () => performance.now());
  private readonly served = new WeakSet<IncomingMessage>();

  /** Whether a request may cause a fetch. The provider library tries a failed one twice. */
  admit(request: IncomingMessage): boolean {
    if (this.served.has(request)) return false;
    this.served.add(request);
    return this.limits.admit(request.socket.remoteAddress ?? '') === 0;
  }
}
