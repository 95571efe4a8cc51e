import type { JsonObject } from './model-request.ts';

/**
 * Reads the bytes of one response while they pass to the client. It keeps the bytes that it must
 * parse, and never a whole stream.
 */
export interface ResponseReader {
  /**
   * Takes the next bytes of the provider.
   * @returns the bytes for the client: the same ones, or fewer where a part was added for the
   * gateway only; undefined if nothing can be passed on yet
   * @throws ModelCallError `provider_error` for a response that breaks a limit
   */
  push(chunk: Uint8Array): Uint8Array | undefined;
  /** Takes the end of the response. @returns the last bytes for the client, if there are any */
  end(): Uint8Array | undefined;
  /** The facts of the response so far. */
  readonly report: ResponseReport;
}

/** The facts of a response so far. */
export interface ResponseReport {
  /**
   * The last usage object of the provider, with the members that libs/money reads beside it (such
   * as `tool_calls`); undefined while there is none.
   */
  readonly usage: JsonObject | undefined;
  /**
   * The counts of the prompt that the provider has reported before the counts of the output. An
   * estimate of a response without usage starts from them.
   */
  readonly promptUsage?: JsonObject | undefined;
  /** Whether the last part of the answer has been received, even if the connection stays open. */
  readonly isComplete: boolean;
  /** The error that the provider reported after the status 200. */
  readonly failure: string | undefined;
  /** Bytes of generated text so far, for an estimate if no usage is reported. */
  readonly outputBytes: number;
  /** The model that the provider named. */
  readonly model: string | undefined;
  /** The id of the response at the provider. */
  readonly responseId: string | undefined;
  readonly finishReasons: readonly string[];
}
