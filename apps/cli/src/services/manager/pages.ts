/** The requested part of a list. */
export interface ListOptions {
  readonly limit: number;
  readonly all: boolean;
}

/** A list, or its beginning. */
export interface Collected<T> {
  readonly items: T[];
  /** Whether the list has more items. */
  readonly more: boolean;
}

/** The cursor and the maximum length of a page. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** The maximum page length of the manager. */
const LONGEST_PAGE = 200;

/** Reads the pages of a list until it ends or has the requested number of items. */
export async function collect<T>(
  { limit, all }: ListOptions,
  pageAt: (query: PageQuery) => Promise<{ items: T[]; next_cursor?: string }>,
): Promise<Collected<T>> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const left = all ? LONGEST_PAGE : Math.min(limit - items.length, LONGEST_PAGE);
    const page = await pageAt({ limit: left, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined && (all || items.length < limit));
  return { items, more: cursor !== undefined };
}
