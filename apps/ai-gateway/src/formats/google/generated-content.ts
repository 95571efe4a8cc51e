import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { listObjects } from '../request-fields.ts';
import { countGeneratedBytes } from './generated-bytes.ts';
import { GroundingQueries } from './grounding-queries.ts';

/**
 * Collects what responses of `generateContent`, or the chunks of a stream, say. `usageMetadata` of
 * a chunk is cumulative: the last one counts. Those of the first chunks can lack the output.
 */
export class GeneratedContent {
  readonly report = new ResponseFacts();
  private usage: JsonObject | undefined;
  private hasChunk = false;
  private readonly queries = new GroundingQueries();

  /** Takes a whole response or one chunk of a stream. */
  takeChunk(chunk: JsonObject): void {
    const { responseId, modelVersion, promptFeedback, usageMetadata, error } = chunk;
    this.hasChunk = true;
    this.report.setNames(modelVersion, responseId);
    // The message of an error can repeat a part of the prompt.
    if (isJsonObject(error)) this.report.setFailure(error['status']);
    for (const candidate of listObjects(chunk['candidates'])) this.takeCandidate(candidate);
    if (isJsonObject(promptFeedback)) this.report.addFinishReason(promptFeedback['blockReason']);
    if (isJsonObject(usageMetadata)) this.usage = usageMetadata;
    this.updateUsage();
  }

  /** Takes the end of the connection. A stream has no last event. */
  end(): void {
    this.report.isComplete = this.hasChunk && this.report.failure === undefined;
    this.updateUsage();
  }

  private takeCandidate({ content, finishReason, groundingMetadata }: JsonObject): void {
    if (isJsonObject(content)) this.report.outputBytes += countGeneratedBytes(content);
    this.report.addFinishReason(finishReason);
    this.queries.add(groundingMetadata);
  }

  private updateUsage(): void {
    if (this.usage === undefined) return;
    const { count } = this.queries;
    const usage = { ...this.usage, ...(count > 0 && { tool_calls: { grounding_search: count } }) };
    const readable = keepReadableUsage('google', usage);
    this.report.setUsage(this.hasOutput(this.usage) ? readable : undefined);
    this.report.promptUsage = this.report.usage === undefined ? readable : undefined;
  }

  private hasOutput({ candidatesTokenCount: candidates, thoughtsTokenCount: thoughts }: JsonObject): boolean {
    const { finishReasons, isComplete, outputBytes } = this.report;
    if (typeof candidates === 'number' || typeof thoughts === 'number' || finishReasons.length > 0) return true;
    return isComplete && outputBytes === 0;
  }
}
