import { createHash } from 'node:crypto';
import type { Access } from '../access/access.ts';
import type { EndpointScope, Offer } from './offers.ts';

/** The tools of each connector of a view, by name. */
export type ConnectorOffers = readonly ReadonlyMap<string, Offer<'tools'>>[];

/** A view and the key of its content. */
interface KnownView {
  offers: ConnectorOffers;
  key: string;
}

/**
 * Computes a key for the tools of a view, so that users with the same tools share what is made of
 * them. The key of an unchanged view is remembered.
 */
export class ViewKeys {
  private readonly views = new WeakMap<Access, Map<string, KnownView>>();
  private readonly numbers = new WeakMap<object, number>();
  private definitionCount = 0;

  /** @param offers of the view; the same objects as before if nothing has changed */
  get(access: Access, { slug }: EndpointScope, offers: ConnectorOffers): string {
    let views = this.views.get(access);
    if (views === undefined) this.views.set(access, (views = new Map<string, KnownView>()));
    const known = views.get(slug ?? '');
    if (known?.offers.length === offers.length && known.offers.every((one, at) => one === offers[at])) return known.key;
    const key = this.create(offers);
    views.set(slug ?? '', { offers, key });
    return key;
  }

  /** Names and definitions of all tools. Unchanged definitions are the same objects. */
  private create(offers: ConnectorOffers): string {
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
