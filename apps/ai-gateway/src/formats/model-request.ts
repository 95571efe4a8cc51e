import type { MemberRanges } from './body-members.ts';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly bytes: Uint8Array;
  /** The parsed bytes. */
  readonly body: JsonObject;
  /** The model of the path, in formats that name it there. */
  readonly pathModel?: string | undefined;
  /** The query without credentials. */
  readonly query: URLSearchParams;
}

/** The facts of a request that the gateway needs. */
export interface ModelRequest {
  readonly received: ReceivedRequest;
  /** The name of the model, as the client wrote it. */
  readonly model: string;
  readonly isStream: boolean;
  readonly estimate: UsageEstimate;
  /** Where the members of the body lie that the format may have to replace. */
  readonly members: MemberRanges;
}

/** The largest expected usage of a request, before it runs. */
export interface UsageEstimate {
  readonly promptTokens: number;
  /** The limit of the request for all of its answers together; undefined without a limit. */
  readonly maxOutputTokens?: number | undefined;
}
