import { isJsonObject } from '../readers/response-facts.ts';
import type { JsonObject } from '../model-request.ts';

/** The most members of a usage object. The vendor has about ten. */
const MAX_MEMBERS = 64;

/**
 * The usage of one message. `message_start` has the counts of the prompt and a placeholder of the
 * output. Each `message_delta` has cumulative counts: the last value of a field counts, and a field
 * without a new value keeps the earlier one. Values are never added.
 */
export class MessageUsage {
  private counts: JsonObject | undefined;
  private hasOutput = false;
  private searches = 0;

  /** All counts; undefined until the output is counted. */
  get reported(): JsonObject | undefined {
    return this.hasOutput ? this.counts : undefined;
  }

  /** The counts of the prompt and of the searches so far; undefined once the output is counted. */
  get prompt(): JsonObject | undefined {
    if (this.hasOutput || this.counts === undefined) return undefined;
    const { output_tokens: _placeholder, server_tool_use: tools, ...prompt } = this.counts;
    if (this.searches === 0) return tools === undefined ? prompt : { ...prompt, server_tool_use: tools };
    return { ...prompt, server_tool_use: { ...(isJsonObject(tools) && tools), web_search_requests: this.searches } };
  }

  /** Takes `usage` of `message_start`. */
  start(usage: unknown): void {
    this.update(usage);
    this.hasOutput = false;
  }

  /** Takes `usage` of a `message_delta` or of a whole message. */
  update(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    this.counts = mergeCounts(this.counts ?? {}, usage);
    this.hasOutput ||= typeof usage['output_tokens'] === 'number';
  }

  /** Counts a search that the vendor began and has not reported yet. */
  addSearch(): void {
    this.searches += 1;
  }
}

/** Replaces the counts of an object by newer ones, also those of an object within it. */
function mergeCounts(counts: JsonObject, newer: JsonObject): JsonObject {
  const merged = new Map(Object.entries(counts));
  for (const [name, value] of Object.entries(newer)) {
    const isNew = !merged.has(name);
    if (value === null || value === undefined || (isNew && merged.size >= MAX_MEMBERS)) continue;
    const old = merged.get(name);
    merged.set(name, isJsonObject(value) && isJsonObject(old) ? mergeCounts(old, value) : value);
  }
  return Object.fromEntries(merged);
}
