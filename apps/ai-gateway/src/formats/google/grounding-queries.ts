import { isJsonObject } from '../readers/response-facts.ts';

/** The most queries of one response that are counted. */
const MAX_QUERIES = 1_000;

/**
 * Counts the searches of grounding. The vendor bills each different query of `webSearchQueries`
 * that is not empty. Chunks of a stream can repeat them.
 */
export class GroundingQueries {
  private readonly queries = new Set<string>();

  get count(): number {
    return this.queries.size;
  }

  /** @param metadata `groundingMetadata` of a candidate */
  add(metadata: unknown): void {
    const queries = isJsonObject(metadata) ? metadata['webSearchQueries'] : undefined;
    if (!Array.isArray(queries)) return;
    for (const query of queries as unknown[]) {
      if (this.queries.size >= MAX_QUERIES) return;
      if (typeof query === 'string' && query !== '') this.queries.add(query);
    }
  }
}
