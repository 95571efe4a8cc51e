import type { PriceList } from '@gatehouse/money/price-list';
import { LRUCache } from 'lru-cache';
import type { BudgetCalls } from './budget-calls.ts';
import type { ManagerCalls } from './manager-calls.ts';

/** Versions that leases can have at once, with a large margin: a lease lives for minutes. */
const MAX_LISTS = 8;

/** The prices of versions of the pricing catalog. A version never changes. */
export class PriceLists {
  private readonly lists: LRUCache<string, PriceList>;
  private newest: PriceList | undefined;

  constructor(budgets: BudgetCalls, calls: ManagerCalls) {
    this.lists = new LRUCache({
      max: MAX_LISTS,
      ignoreFetchAbort: true,
      fetchMethod: (id) => calls.send((signal) => budgets.fetchPriceList(id, signal)),
    });
  }

  /** The prices of the last version that was in effect; undefined before the first one. */
  get latest(): PriceList | undefined {
    return this.newest;
  }

  /** The prices of a version, if they are in memory. */
  find(catalogId: string | undefined): PriceList | undefined {
    return catalogId === undefined ? undefined : this.lists.get(catalogId);
  }

  /** Returns the prices of a version that is in effect now. @throws as `ManagerCalls.send` */
  async fetch(catalogId: string): Promise<PriceList> {
    const list = await this.lists.forceFetch(catalogId);
    this.newest = list;
    return list;
  }
}
