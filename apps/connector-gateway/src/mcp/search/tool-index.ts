import { nextTurn } from '@gatehouse/json-limits/event-loop';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import MiniSearch from 'minisearch';
import { splitTerms } from './search-terms.ts';

/** A tool under the name that its user knows. */
export interface SearchableTool {
  name: string;
  definition: { name: string; title?: string | undefined; description?: string | undefined; inputSchema: object };
}

/** Most different terms of a query, and most parameters of a tool that are indexed. */
const MAX_TERMS = 12;
const MAX_PARAMETERS = 40;

/**
 * Most occurrences of the terms of a query in tools. Frequent terms hardly change a ranking, and
 * each occurrence costs about a microsecond.
 */
const MAX_OCCURRENCES = 2_000;

/** Most terms of a query that also match longer or similar words, and their least lengths. */
const MAX_EXPANDED = 3;
const MIN_PREFIX = 3;
const MIN_FUZZY = 4;

/** Number and share of the tools with a term above which it matches only itself. */
const [RARE_NUMBER, RARE_SHARE] = [5, 0.05];

/** Tools that are indexed between two turns of the event loop: about a millisecond of work. */
const TOOLS_PER_TURN = 20;

/** The texts of a tool in the order of their weight. */
interface Entry {
  name: string;
  title: string;
  description: string;
  parameters: string;
}

/** A full-text index of the tools that one or several users may call. It never changes. */
export class ToolIndex {
  private constructor(
    private readonly index: MiniSearch<Entry>,
    /** Number of tools with each term. */
    private readonly frequencies: ReadonlyMap<string, number>,
  ) {}

  /** Indexes tools over several turns of the event loop. */
  static async build(tools: readonly SearchableTool[]): Promise<ToolIndex> {
    const frequencies = new Map<string, number>();
    const termsOfTool = new Set<string>();
    const index = new MiniSearch<Entry>({
      idField: 'name',
      fields: ['name', 'title', 'description', 'parameters'],
      tokenize: (text) => {
        const terms = splitTerms(text);
        for (const term of terms) termsOfTool.add(term);
        return terms;
      },
      processTerm: (term) => term,
    });
    for (const [at, tool] of tools.entries()) {
      index.add(createEntry(tool));
      for (const term of termsOfTool) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      termsOfTool.clear();
      if (at % TOOLS_PER_TURN === 0) await nextTurn();
    }
    return new ToolIndex(index, frequencies);
  }

  /** The names of the tools that match a query best, the best one first. */
  find(query: string, limit: number): readonly string[] {
    const terms = this.selectTerms(query);
    if (terms.length === 0) return [];
    const rare = new Set(terms.filter((term) => this.isRare(term)).slice(0, MAX_EXPANDED));
    return this.index
      .search(terms.join(' '), {
        tokenize: () => terms,
        boost: { name: 4, title: 2, description: 1, parameters: 0.3 },
        prefix: (term) => rare.has(term) && term.length >= MIN_PREFIX,
        fuzzy: (term) => rare.has(term) && !this.frequencies.has(term) && term.length >= MIN_FUZZY && 1,
        weights: { prefix: 0.4, fuzzy: 0.2 },
      })
      .slice(0, limit)
      .map(({ id }) => String(id));
  }

  /** The rarest terms of a query, as many as a search can afford. */
  private selectTerms(query: string): string[] {
    const terms = [...new Set(splitTerms(query))].slice(0, MAX_TERMS);
    const byFrequency = terms
      .map((term) => ({ term, frequency: this.frequencies.get(term) ?? 0 }))
      .sort((one, other) => one.frequency - other.frequency);
    let occurrences = 0;
    const selected = byFrequency.filter(({ frequency }, at) => {
      occurrences += frequency;
      return at === 0 || occurrences <= MAX_OCCURRENCES;
    });
    return selected.map(({ term }) => term);
  }

  private isRare(term: string): boolean {
    return (this.frequencies.get(term) ?? 0) <= Math.max(RARE_NUMBER, this.index.documentCount * RARE_SHARE);
  }
}

function createEntry({ name, definition }: SearchableTool): Entry {
  const properties = 'properties' in definition.inputSchema ? definition.inputSchema.properties : undefined;
  const parameters = isJsonObject(properties) ? Object.entries(properties).slice(0, MAX_PARAMETERS) : [];
  return {
    name,
    title: definition.title ?? '',
    description: definition.description ?? '',
    parameters: parameters.map(([parameter, schema]) => `${parameter} ${readDescription(schema)}`).join(' '),
  };
}

const readDescription = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'].slice(0, 200) : '';
