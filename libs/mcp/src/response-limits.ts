import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { DEFAULT_JSON_LIMITS, type JsonLimits } from '@gatehouse/json-limits/json-counter';

/** Default JSON limits of one MCP message. */
export const MESSAGE_JSON_LIMITS: JsonLimits = { ...DEFAULT_JSON_LIMITS, members: 5_000 };

/**
 * Limits of one response of an MCP server, or of one event of an event stream. Sizes are in bytes
 * after decompression.
 */
export interface ResponseLimits {
  /** Maximum size of a received response. */
  readonly receivedBytes: number;
  /** Maximum size of a parsed response. Longer lists are cut. */
  readonly parsedBytes: number;
  readonly json: JsonLimits;
  /** Maximum number of tools, prompts, resources or resource templates; the others are cut off. */
  readonly listItems: number;
  /** Maximum size of a list entry; larger ones are left out. */
  readonly itemBytes: number;
  /** Maximum number of content blocks, resource contents or prompt messages of one result. */
  readonly contentItems: number;
}

/** Default limits. */
export const DEFAULT_RESPONSE_LIMITS: ResponseLimits = {
  receivedBytes: 16 * 1024 * 1024,
  parsedBytes: 4 * 1024 * 1024,
  json: MESSAGE_JSON_LIMITS,
  listItems: 2_000,
  itemBytes: 256 * 1024,
  contentItems: 500,
};

/**
 * A response that exceeds a limit or is not JSON. The message continues after the server's name.
 */
export class ResponseLimitError extends GatehouseError {
  override readonly code = 'answer_beyond_limit';
  /** The server has received the request. */
  readonly mayHaveRun = true;
  constructor(excess: string) {
    super(`answered with ${excess}`);
  }
}
