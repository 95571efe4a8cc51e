import { prepareResult } from '@gatehouse/mcp/prepared-results';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { LRUCache } from 'lru-cache';
import type { Offer } from './offers.ts';
import type { ConnectorOffers } from './view-keys.ts';

/** Most characters of all kept lists as JSON; each may be kept for both eras. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Keeps the lists of tools ready as JSON. Users with the same tools share one list. */
export class ToolLists {
  private readonly lists = new LRUCache<string, JsonObject>({ maxSize: MAX_CHARACTERS, max: 10_000 });

  /** @param getDefinition returns the definition of a tool for clients */
  constructor(private readonly getDefinition: (offer: Offer<'tools'>) => object) {}

  /** The result of `tools/list`, sorted by name. @param key of the tools, see ViewKeys */
  get(key: string, offers: ConnectorOffers): JsonObject {
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    // Names of different connectors differ by their slug.
    const sorted = offers.flatMap((view) => [...view.values()]).sort((a, b) => (a.name < b.name ? -1 : 1));
    const list = prepareResult({ tools: sorted.map(this.getDefinition) });
    const size = JSON.stringify(list).length;
    if (size <= MAX_CHARACTERS) this.lists.set(key, list, { size });
    return list;
  }
}
