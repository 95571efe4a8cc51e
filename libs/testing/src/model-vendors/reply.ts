import type { Directives } from './directives.ts';
import type { VendorRefusal } from './refusal.ts';
import type { VendorName, VendorRecord } from './record.ts';

/** One write of a streamed answer. */
export interface Frame {
  readonly text: string;
  /** The usage object in this frame. */
  readonly usage?: unknown;
  /** Whether the client knows after this frame that the answer is complete. */
  readonly isTerminal?: boolean;
}

/** The answer to an accepted request. */
export type Reply =
  | { readonly kind: 'json'; readonly body: unknown; readonly usage?: unknown }
  | {
      readonly kind: 'stream';
      readonly contentType: string;
      /** Lines of the event stream end with CRLF, unless the directives say otherwise. */
      readonly hasCrlf?: boolean;
      readonly usage: unknown;
      readonly frames: Iterable<Frame>;
      /** Encodes the text of a frame. Without it, a frame is its text. */
      readonly encode?: (text: string) => Buffer;
      /** The frame of an error after the status 200. */
      readonly errorFrame: string;
    };

/** A request whose body is parsed. */
export interface VendorCall {
  readonly record: VendorRecord;
  readonly directives: Directives;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined for GET. */
  readonly body: unknown;
}

/** The part of a request that the vendor checks before it reads the body. */
export type VendorRequest = Pick<VendorCall, 'path' | 'query' | 'headers' | 'record'> & { readonly method: string };

/** One operation of a vendor. */
export type VendorOperation = (call: VendorCall) => Reply;

/** The rules of one vendor. Every function may throw a `VendorRefusal`. */
export interface Vendor {
  readonly name: VendorName;
  /** Returns the credential of a request. */
  readonly authenticate: (request: VendorRequest, keys: ReadonlySet<string>) => string;
  readonly findOperation: (request: VendorRequest, models: readonly string[]) => VendorOperation;
  readonly createRequestId: () => string;
  /** Headers of every answer. */
  readonly createHeaders: (requestId: string) => Record<string, string>;
  /** Further headers of an error answer. */
  readonly createErrorHeaders?: (refusal: VendorRefusal) => Record<string, string>;
  /** Body of an error answer. */
  readonly createErrorBody: (refusal: VendorRefusal, requestId: string, request: VendorRequest) => unknown;
  /** The refusal that the vendor sends with a status. */
  readonly refuseWith: (status: number, request: VendorRequest) => VendorRefusal;
  /** The refusals of a body that is not JSON, and of a wrong content type. */
  readonly refuseBody: (problem: 'json' | 'content_type', detail: string) => VendorRefusal;
}
