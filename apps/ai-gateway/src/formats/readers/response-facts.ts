import { type JsonLimits, exceededLimit } from '@gatehouse/json-limits/json-counter';
import type { JsonObject } from '../model-request.ts';
import type { ResponseReport } from '../response-reader.ts';

/**
 * Limits of a usage object. Those of the vendors have less than 1 KiB and 50 values. The enterprise
 * manager rejects one with more than 64 KiB or 2,000 values.
 */
const MAX_USAGE_BYTES = 16 * 1024;
const USAGE_LIMITS: JsonLimits = { nodes: 1_000, keys: 1_000, depth: 20 };
/** Maximum length of a name or an id that a report keeps. */
const MAX_TEXT_LENGTH = 256;
/** Maximum number of reported finish reasons; a request can ask for 128 answers. */
const MAX_FINISH_REASONS = 128;

/** The report of a response, which a format fills while the bytes pass. */
export class ResponseFacts implements ResponseReport {
  isComplete = false;
  failure: string | undefined;
  outputBytes = 0;
  model: string | undefined;
  responseId: string | undefined;
  readonly finishReasons: string[] = [];
  private wholeUsage: JsonObject | undefined;
  private partialUsage: JsonObject | undefined;

  get usage(): JsonObject | undefined {
    return this.wholeUsage;
  }

  get promptUsage(): JsonObject | undefined {
    return this.partialUsage;
  }

  /** Sets the usage, if the value is an object of a possible size. */
  setUsage(value: unknown): void {
    if (isPossibleUsage(value)) this.wholeUsage = value;
  }

  setPromptUsage(usage: JsonObject | undefined): void {
    this.partialUsage = usage;
  }

  /** Sets model and id, unless they are known. Values that are no texts are ignored. */
  setNames(model: unknown, responseId: unknown): void {
    this.model ??= readText(model);
    this.responseId ??= readText(responseId);
  }

  /** Adds the reason for which one answer has ended. Other values than texts are ignored. */
  addFinishReason(value: unknown): void {
    const reason = readText(value);
    if (reason !== undefined && this.finishReasons.length < MAX_FINISH_REASONS) this.finishReasons.push(reason);
  }

  /**
   * Sets the first failure, for logs.
   * @param type of the error of the provider; its message can repeat a part of the prompt
   */
  setFailure(type: unknown): void {
    this.failure ??= readText(type) ?? 'unknown_error';
  }
}

/** Whether a value is an object of a size that a usage can have. */
export function isPossibleUsage(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const bytes = Buffer.from(JSON.stringify(value));
  return bytes.length <= MAX_USAGE_BYTES && exceededLimit(bytes, USAGE_LIMITS) === undefined;
}

/** Whether a parsed JSON value is an object and not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : undefined;
