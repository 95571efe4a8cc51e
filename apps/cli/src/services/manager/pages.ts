/** The requested part of a list. */
export interface ListOptions {
  readonly limit: number;
  readonly all: boolean;
}

/** A list, or its beginning. */
export interface Collected<T> {
  readonly items: T[];
  /** Whether there is more than was wanted. */
  readonly more: boolean;
}

/** Where a page begins, and how long it is at most. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** The longest page of the manager. */
const LONGEST_PAGE = 200;

/** Follows the cursors of a list until it ends, or there is as much as was wanted. */
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
