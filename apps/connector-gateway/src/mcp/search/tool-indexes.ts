import { LRUCache } from 'lru-cache';
import type { ConnectorOffers } from '../catalog/view-keys.ts';
import { ToolIndex } from './tool-index.ts';

/** Most tools in all indexes together; an index has about 3 kB for each. */
const MAX_TOOLS = 50_000;

/**
 * Keeps the search indexes of views. An index has exactly the tools of its view, so that hidden
 * tools have no influence on a ranking. Views with the same tools share one index
 * (docs/decisions/0193).
 */
export class ToolIndexes {
  private readonly indexes = new LRUCache<string, Promise<ToolIndex>>({ maxSize: MAX_TOOLS, max: MAX_TOOLS });

  /** The index of a view. @param key of the tools, see ViewKeys */
  get(key: string, offers: ConnectorOffers): Promise<ToolIndex> {
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const tools = offers.flatMap((ofConnector) => [...ofConnector.values()]);
    const built = ToolIndex.build(tools);
    this.indexes.set(key, built, { size: Math.min(tools.length + 1, MAX_TOOLS) });
    return built;
  }
}
