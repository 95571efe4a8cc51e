import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { type ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { readErrorType } from './error-type.ts';

/** Calls of tools that the provider runs and bills for each call. */
export interface ToolCalls {
  web_search: number;
  file_search: number;
}

/**
 * Adds an item of the output to the counts, if it is a billed call. Of web search calls only
 * searches are billed, not the reading of a page (guide "Web search"). Failed calls are not billed.
 */
export function countToolCall(calls: ToolCalls, item: unknown): void {
  if (!isJsonObject(item) || item['status'] === 'failed') return;
  if (item['type'] === 'file_search_call') calls.file_search += 1;
  if (item['type'] !== 'web_search_call') return;
  const { action } = item;
  if (!isJsonObject(action) || action['type'] === undefined || action['type'] === 'search') calls.web_search += 1;
}

/** Adds `tool_calls`, as libs/money reads it, to a usage object. */
export const addToolCalls = (usage: JsonObject, { web_search, file_search }: ToolCalls): JsonObject =>
  web_search + file_search === 0 ? usage : { ...usage, tool_calls: { web_search, file_search } };

/**
 * Reads a response object that has ended: names, error, status, and the usage with the billed tool
 * calls of its output.
 */
export function readResponseObject(report: ResponseFacts, response: JsonObject): void {
  const { id, model, usage, output, error, status } = response;
  report.setNames(model, id);
  if (isJsonObject(error)) report.setFailure(readErrorType(error));
  report.addFinishReason(status);
  if (!isJsonObject(usage)) return;
  const calls: ToolCalls = { web_search: 0, file_search: 0 };
  for (const item of Array.isArray(output) ? output : []) countToolCall(calls, item);
  report.setUsage(keepReadableUsage('openai', addToolCalls(usage, calls)));
}
