import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Access } from '../access/access.ts';
import type { EndpointScope, Offer } from '../catalog/offers.ts';
import { ToolIndex } from './tool-index.ts';

/** Most tools in all indexes together; an index has about 5 kB for each. */
const MAX_TOOLS = 50_000;

/** The offers of each connector of a view, by name. */
type ConnectorOffers = readonly ReadonlyMap<string, Offer<'tools'>>[];

/** A view and the key of its content. */
interface KnownView {
  offers: ConnectorOffers;
  key: string;
}

/**
 * Keeps the search indexes of views. An index has exactly the tools of its view, so that hidden
 * tools have no influence on a ranking. Views with the same tools share one index
 * (docs/decisions/0193).
 */
export class ToolIndexes {
  private readonly views = new WeakMap<Access, Map<string, KnownView>>();
  private readonly numbers = new WeakMap<object, number>();
  private readonly indexes = new LRUCache<string, Promise<ToolIndex>>({ maxSize: MAX_TOOLS, max: MAX_TOOLS });
  private definitionCount = 0;

  /**
   * The index of a view. It is built again only when a tool of the view has changed.
   * @param offers the tools of the view; the same objects as before if nothing has changed
   */
  get(access: Access, scope: EndpointScope, offers: ConnectorOffers): Promise<ToolIndex> {
    const key = this.getKey(access, scope, offers);
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const tools = offers.flatMap((ofConnector) => [...ofConnector.values()]);
    const built = ToolIndex.build(tools);
    this.indexes.set(key, built, { size: Math.min(tools.length + 1, MAX_TOOLS) });
    return built;
  }

  /** Number of indexes in memory. */
  get size(): number {
    return this.indexes.size;
  }

  private getKey(access: Access, { slug }: EndpointScope, offers: ConnectorOffers): string {
    let views = this.views.get(access);
    if (views === undefined) this.views.set(access, (views = new Map<string, KnownView>()));
    const known = views.get(slug ?? '');
    if (known?.offers.length === offers.length && known.offers.every((one, at) => one === offers[at])) return known.key;
    const key = this.createKey(offers);
    views.set(slug ?? '', { offers, key });
    return key;
  }

  /** Names and definitions of all tools. Unchanged definitions are the same objects. */
  private createKey(offers: ConnectorOffers): string {
    const hash = createHash('sha256');
    for (const ofConnector of offers)
      for (const [name, { definition }] of ofConnector) hash.update(JSON.stringify([name, this.getNumber(definition)]));
    return hash.digest('base64');
  }

  private getNumber(definition: object): number {
    let number = this.numbers.get(definition);
    if (number === undefined) this.numbers.set(definition, (number = this.definitionCount += 1));
    return number;
  }
}
