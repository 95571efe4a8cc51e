import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { ModelRequest, ReceivedRequest } from './model-request.ts';
import type { ResponseReader } from './response-reader.ts';

/** The wire format of a vendor. */
export type WireFormat = Provider['kind'];

/**
 * The path prefixes of providers that name none: those of the vendors' own APIs. Paths of
 * operations have no version.
 */
export const DEFAULT_PATH_PREFIXES: Readonly<Record<WireFormat, string>> = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
};

/** One operation of a vendor's API that the gateway forwards to a provider of the same format. */
export interface ModelOperation {
  /** The name in logs and metrics, such as `openai.chat_completions`. */
  readonly name: string;
  readonly format: WireFormat;
  /** `gen_ai.operation.name` of the OpenTelemetry semantic conventions for GenAI. */
  readonly telemetryName: 'chat' | 'embeddings' | 'generate_content' | 'count_tokens';
  /** Whether the provider bills the operation. Other operations need a grant and no budget. */
  readonly isMetered: boolean;
  /**
   * Reads the facts that the gateway needs. It accepts every request that the vendor may accept:
   * the provider checks the rest.
   * @throws ModelCallError `invalid_request` that names the field
   */
  readRequest(received: ReceivedRequest): ModelRequest;
  /**
   * The path and the query at the provider, below its path prefix (see `DEFAULT_PATH_PREFIXES`).
   * @param model the name of the model at the provider
   */
  createPath(request: ModelRequest, model: string): string;
  /**
   * The body for the provider. It has the bytes of the client, unless the model has another name
   * there or the usage of a stream must be requested.
   */
  createBody(request: ModelRequest, model: string): Uint8Array;
  /**
   * Creates a reader of one successful response to the request.
   * @param contentType of the response; without it, the request says whether it is a stream
   */
  createReader(request: ModelRequest, contentType?: string): ResponseReader;
}
