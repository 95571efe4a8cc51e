import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { ResponseFacts, isPossibleUsage } from '../readers/response-facts.ts';
import { GroundingQueries } from './grounding-queries.ts';

/**
 * The report of a response with `usageMetadata`. Each chunk of a stream has one, so the usage is
 * read only when it is asked for.
 */
export class GenerationFacts extends ResponseFacts {
  /** The last `usageMetadata`. It is cumulative; the first ones can lack the output. */
  metadata: JsonObject | undefined;
  readonly queries = new GroundingQueries();

  override get usage(): JsonObject | undefined {
    return this.hasOutput ? this.readMetadata() : undefined;
  }

  override get promptUsage(): JsonObject | undefined {
    return this.hasOutput ? undefined : this.readMetadata();
  }

  private get hasOutput(): boolean {
    const { candidatesTokenCount, thoughtsTokenCount } = this.metadata ?? {};
    if (typeof candidatesTokenCount === 'number' || typeof thoughtsTokenCount === 'number') return true;
    return this.finishReasons.length > 0 || (this.isComplete && this.outputBytes === 0);
  }

  private readMetadata(): JsonObject | undefined {
    if (!isPossibleUsage(this.metadata)) return undefined;
    const { count } = this.queries;
    return keepReadableUsage('google', {
      ...this.metadata,
      ...(count > 0 && { tool_calls: { grounding_search: count } }),
    });
  }
}
