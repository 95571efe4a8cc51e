/** Names of the simulated vendors. */
export const VENDOR_NAMES = ['openai', 'anthropic', 'google', 'azure', 'bedrock', 'vertex'] as const;
export type VendorName = (typeof VENDOR_NAMES)[number];

/** How a request ended. */
export type RecordOutcome =
  | 'open'
  /** The whole answer was written, also if it is an answer without usage. */
  | 'answered'
  /** The vendor's own error was the answer. Nothing was generated. */
  | 'refused'
  /** A fault of the directives ended the answer. */
  | 'failed'
  /** The client closed the connection before the end. */
  | 'client_closed';

/** One request in the log of the simulators: what a second calculator needs. */
export interface VendorRecord {
  /** Position in the order of arrival, from 1, over all vendors. */
  readonly sequence: number;
  readonly vendor: VendorName;
  readonly method: string;
  /** Path and query as sent. A `key` of the query is in it. */
  readonly url: string;
  /** All headers of the request, with credentials, so that a test can look for leaks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The valid credential of the request. */
  key: string | undefined;
  /** `name` of the directives, or the header `x-sim-name`. */
  name: string | undefined;
  model: string | undefined;
  isStream: boolean;
  outcome: RecordOutcome;
  /** Status that was or would have been sent; undefined if no headers were. */
  status: number | undefined;
  /** The request id that the answer carries. */
  requestId: string;
  /**
   * The vendor's usage object of the complete answer, also when it was never sent. Undefined for
   * refused requests and operations without usage.
   */
  usage: unknown;
  /** The last usage object that the vendor wrote to the client. */
  sentUsage: unknown;
  /** Number of frames and of body bytes that were written. An answer as JSON is one frame. */
  frames: number;
  bytes: number;
  /** SHA-256 of these bytes before compression, as hexadecimal text; empty until the end. */
  sha256: string;
  /** Whether the terminal frame was written. */
  isComplete: boolean;
  /** Number of frames that were written when the client closed. */
  closedAfterFrames: number | undefined;
}
