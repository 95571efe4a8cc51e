import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { DEFAULT_JSON_LIMITS, type JsonLimits } from '@gatehouse/json-limits/json-counter';

/** Values, keys, levels and members of one MCP message. */
export const MESSAGE_JSON_LIMITS: JsonLimits = { ...DEFAULT_JSON_LIMITS, members: 5_000 };

/**
 * Limits of one answer of an MCP server, or of one event where the answer is an event stream. Sizes
 * are bytes after decompression.
 */
export interface AnswerLimits {
  /** Largest answer that is received. */
  readonly receivedBytes: number;
  /** Largest answer that is parsed. A list is cut to it. */
  readonly parsedBytes: number;
  readonly json: JsonLimits;
  /**
   * Most entries of a list of tools, prompts, resources or resource templates; the rest is cut off.
   */
  readonly listItems: number;
  /** Largest entry of a list; a larger one is left out. */
  readonly itemBytes: number;
  /** Most content blocks, resource contents or prompt messages of one result. */
  readonly contentItems: number;
}

/** The limits that hold unless the caller says otherwise. */
export const DEFAULT_ANSWER_LIMITS: AnswerLimits = {
  receivedBytes: 16 * 1024 * 1024,
  parsedBytes: 4 * 1024 * 1024,
  json: MESSAGE_JSON_LIMITS,
  listItems: 2_000,
  itemBytes: 256 * 1024,
  contentItems: 500,
};

/**
 * An answer that is not parsed: it is beyond a limit, or it is not JSON. The message goes on after
 * the name of the server.
 */
export class AnswerLimitError extends GatehouseError {
  override readonly code = 'answer_beyond_limit';
  constructor(excess: string) {
    super(`answered with ${excess}`);
  }
}
