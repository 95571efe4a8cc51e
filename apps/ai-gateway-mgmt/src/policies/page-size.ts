import type { AIPolicy } from '@gatehouse/ai-resources/resource';

/** The largest size of the policies of one page, in UTF-16 units of their JSON. */
export const MAX_PAGE_LENGTH = 8 * 1024 * 1024;

/** A page of policies, as the cache lists it. */
interface PolicyPage {
  readonly items: readonly AIPolicy[];
  readonly hasMore: boolean;
  readonly remainingItemCount: number | undefined;
}

/** The length of each policy that was measured. A change of a policy is another object. */
const lengths = new WeakMap<AIPolicy, number>();

/**
 * Leaves out the last policies of a page that is too large, but never the first one. Without the
 * limit, a page of 500 policies of 1 MiB would fill the memory and block the event loop.
 */
export function cutLargePage(page: PolicyPage): PolicyPage {
  let length = 0;
  const end = page.items.findIndex((policy) => (length += measure(policy)) > MAX_PAGE_LENGTH);
  const kept = Math.max(end, 1);
  if (end === -1 || kept >= page.items.length) return page;
  const { items, remainingItemCount: remaining } = page;
  const remainingItemCount = remaining === undefined ? undefined : remaining + items.length - kept;
  return { items: items.slice(0, kept), hasMore: true, remainingItemCount };
}

function measure(policy: AIPolicy): number {
  const known = lengths.get(policy);
  if (known !== undefined) return known;
  const { length } = JSON.stringify(policy);
  lengths.set(policy, length);
  return length;
}
