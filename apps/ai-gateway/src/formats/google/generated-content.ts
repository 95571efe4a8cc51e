import type { JsonObject } from '../model-request.ts';
import { isJsonObject } from '../readers/response-facts.ts';
import { listObjects } from '../request-fields.ts';
import { countGeneratedBytes } from './generated-bytes.ts';
import { GenerationFacts } from './generation-facts.ts';

/** Collects what a response of `generateContent`, or the chunks of a stream, say. */
export class GeneratedContent {
  readonly report = new GenerationFacts();
  private hasChunk = false;

  /** Takes a whole response or one chunk of a stream. */
  takeChunk(chunk: JsonObject): void {
    const { responseId, modelVersion, promptFeedback, usageMetadata, error } = chunk;
    this.hasChunk = true;
    this.report.setNames(modelVersion, responseId);
    // The message of an error can repeat a part of the prompt.
    if (isJsonObject(error)) this.report.setFailure(error['status']);
    for (const candidate of listObjects(chunk['candidates'])) this.takeCandidate(candidate);
    if (isJsonObject(promptFeedback)) this.report.addFinishReason(promptFeedback['blockReason']);
    if (isJsonObject(usageMetadata)) this.report.metadata = usageMetadata;
  }

  /** Takes the end of the connection. A stream has no last event. */
  end(): void {
    this.report.isComplete = this.hasChunk && this.report.failure === undefined;
  }

  private takeCandidate({ content, finishReason, groundingMetadata }: JsonObject): void {
    if (isJsonObject(content)) this.report.outputBytes += countGeneratedBytes(content);
    this.report.addFinishReason(finishReason);
    this.report.queries.add(groundingMetadata);
  }
}
