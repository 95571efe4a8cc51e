import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { listObjects } from '../request-fields.ts';
import type { ResponseReport } from '../response-reader.ts';
import { GroundingQueries } from './grounding-queries.ts';
import { countGeneratedBytes } from './generated-bytes.ts';

/** The most finish reasons of one response: the vendor permits eight candidates. */
const MAX_REASONS = 16;

/**
 * What a response of `generateContent` or the chunks of `streamGenerateContent` have said so far.
 * `usageMetadata` of a chunk is cumulative: the last one counts. A stream has no last event. It is
 * complete when its connection has ended in order: a chunk with only usage can follow the reasons
 * to finish, so nothing earlier is the end.
 */
export class GenerationReport implements ResponseReport {
  failure: string | undefined;
  outputBytes = 0;
  model: string | undefined;
  responseId: string | undefined;
  private metadata: JsonObject | undefined;
  private hasEnded = false;
  private readonly reasons = new Map<unknown, string>();
  private readonly queries = new GroundingQueries();

  get finishReasons(): readonly string[] {
    return [...this.reasons.values()];
  }

  get isComplete(): boolean {
    return this.hasEnded && this.failure === undefined;
  }

  get usage(): JsonObject | undefined {
    return this.hasCountedOutput ? this.describeUsage() : undefined;
  }

  get promptUsage(): JsonObject | undefined {
    return this.hasCountedOutput ? undefined : this.describeUsage();
  }

  /** Takes a whole response or one chunk of a stream. */
  takeChunk(chunk: JsonObject): void {
    const { responseId, modelVersion, promptFeedback, usageMetadata, error } = chunk;
    if (typeof responseId === 'string') this.responseId = responseId;
    if (typeof modelVersion === 'string') this.model = modelVersion;
    if (isJsonObject(error)) this.failure = typeof error['status'] === 'string' ? error['status'] : 'error';
    for (const candidate of listObjects(chunk['candidates'])) this.takeCandidate(candidate);
    if (isJsonObject(promptFeedback)) this.takeReason('prompt', promptFeedback['blockReason']);
    if (isJsonObject(usageMetadata)) this.metadata = usageMetadata;
  }

  /** Takes the end of the response. */
  end(): void {
    this.hasEnded = true;
  }

  private takeCandidate(candidate: JsonObject): void {
    const { index = 0, content, finishReason, groundingMetadata } = candidate;
    if (isJsonObject(content)) this.outputBytes += countGeneratedBytes(content);
    this.takeReason(index, finishReason);
    this.queries.add(groundingMetadata);
  }

  private takeReason(part: unknown, reason: unknown): void {
    if (typeof reason === 'string' && this.reasons.size < MAX_REASONS) this.reasons.set(part, reason);
  }

  /** Whether the counts include the output. Those of the first chunks can lack it. */
  private get hasCountedOutput(): boolean {
    const { candidatesTokenCount, thoughtsTokenCount } = this.metadata ?? {};
    if (typeof candidatesTokenCount === 'number' || typeof thoughtsTokenCount === 'number') return true;
    return this.reasons.size > 0 || (this.hasEnded && this.outputBytes === 0);
  }

  private describeUsage(): JsonObject | undefined {
    if (this.metadata === undefined) return undefined;
    const { count } = this.queries;
    const calls = count === 0 ? {} : { tool_calls: { grounding_search: count } };
    return keepReadableUsage('google', { ...this.metadata, ...calls });
  }
}
