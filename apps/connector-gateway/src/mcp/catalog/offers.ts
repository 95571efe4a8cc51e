import type { Connector } from '../ports/snapshot.ts';
import type { Access, Feature } from '../access/access.ts';
import type { RedactedLists } from './redacted-lists.ts';
import { createExposedName, getSlug } from './exposed-name.ts';
import type { PinnedConnector, ToolPins } from '../pinning/tool-pins.ts';
import { createTarget } from '../upstreams/credential-identity.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import type { Listing, Upstreams } from '../upstreams/upstreams.ts';
import { type ResourceKind, ResourceMap, type ResourceOffer } from './resource-map.ts';
import { isReservedUri, qualifyUri } from './resource-uris.ts';

/** A tool or prompt that is offered to one user. */
export interface Offer<K extends 'tools' | 'prompts'> {
  /** The name for the client. */
  name: string;
  connector: Connector;
  definition: Listing[K];
}

/** The requested endpoint: all connectors of the user, or one connector with its own names. */
export interface EndpointScope {
  slug: string | undefined;
  /** Search mode: two tools that find and call all others. */
  mode?: 'search' | undefined;
}

/** A connector whose list is missing from a result, or older than its upstream. */
export interface UnavailableList {
  /** Slug of the connector. */
  connector: string;
  /** The reason; it continues after the connector's name. */
  reason: string;
}

/** The offers of one connector for one user, and the list that they come from. */
interface ConnectorView {
  items: readonly unknown[];
  offers: ReadonlyMap<string, Offer<'tools' | 'prompts'>>;
}

const FEATURE = { tools: 'tool', prompts: 'prompt' } as const;

/**
 * Collects the offers of a user at one endpoint from all upstreams. An upstream that misses the
 * deadline is left out. Lists and calls use the same offers, so both always agree.
 */
export class Offers {
  private readonly views = new WeakMap<Access, Map<string, ConnectorView>>();

  constructor(
    private readonly upstreams: Upstreams,
    private readonly pins: Pick<ToolPins, 'find' | 'review'>,
    private readonly redacted: RedactedLists,
    private readonly fanOutMs: number,
    private readonly onListFailed: (connector: Connector, error: unknown) => void,
    /** Receives every listing of a connector's tools for a user. */
    private readonly onToolsListed: (
      access: Access,
      connector: Connector,
      listing: Promise<readonly Listing['tools'][]>,
    ) => void,
  ) {}

  /**
   * All tools or prompts, sorted by name.
   * @param unavailable takes the connectors whose list is missing or old
   */
  async listNamed<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
    unavailable: UnavailableList[] = [],
  ): Promise<readonly Offer<K>[]> {
    const views = await this.listViews(access, scope, kind, unavailable);
    // Names of different connectors differ by their slug.
    return views.flatMap(listValues).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * The offers of each connector by name. Those of a connector are the same object as before if
   * neither its list nor the rights have changed.
   */
  listViews<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
    unavailable: UnavailableList[],
  ): Promise<readonly ReadonlyMap<string, Offer<K>>[]> {
    return Promise.all(
      this.listConnectorsInScope(access, scope).map((connector) =>
        this.listOr(NO_OFFERS, access, connector, kind, this.listOffers(access, scope, connector, kind), unavailable),
      ),
    );
  }

  /**
   * The tool or prompt with this name, at once if the list is current; undefined if it is unknown
   * or not visible to the user.
   * @throws UpstreamUnavailableError if the connector is visible but its list is unavailable; the
   * returned promise is rejected with it
   */
  find<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
    name: string,
  ): Offer<K> | undefined | Promise<Offer<K> | undefined> {
    const connector = this.findConnector(access, scope, name);
    if (connector === undefined) return undefined;
    const items = this.findCurrentItems(access, connector, kind);
    const known = this.getViews(access).get(createViewKey(scope, connector, kind));
    if (known !== undefined && known.items === items) return (known.offers as ReadonlyMap<string, Offer<K>>).get(name);
    return this.listOffers(access, scope, connector, kind).then((offers) => offers.get(name));
  }

  /**
   * All resources, templates or skills, sorted by URI. A URI of several connectors, or one that
   * looks qualified, is qualified by the slug. The endpoint of one connector keeps its own URIs.
   */
  async listResources<K extends ResourceKind>(
    access: Access,
    scope: EndpointScope,
    kind: K,
    unavailable: UnavailableList[] = [],
  ): Promise<readonly ResourceOffer<K>[]> {
    const lists = await Promise.all(
      this.listConnectorsInScope(access, scope).map(async (connector) => {
        const listing = await this.listOr<readonly Listing[K][]>(
          [],
          access,
          connector,
          kind,
          this.listRedacted(access, connector, kind),
          unavailable,
        );
        const own = new Map<string, Listing[K]>();
        for (const definition of listing)
          if (
            !own.has(getUri(definition)) &&
            access.isAllowed(connector, { kind: 'resource', name: getUri(definition) })
          )
            own.set(getUri(definition), definition);
        return [...own.values()].map((definition) => ({ connector, definition }));
      }),
    );
    const listed = new Map<string, number>();
    for (const { definition } of lists.flat())
      listed.set(getUri(definition), (listed.get(getUri(definition)) ?? 0) + 1);
    return lists
      .flat()
      .map(({ connector, definition }): ResourceOffer<K> => {
        const own = getUri(definition);
        const isShared = scope.slug === undefined && ((listed.get(own) ?? 0) > 1 || isReservedUri(own));
        return { connector, definition, uri: isShared ? qualifyUri(connector.slug, own) : own };
      })
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }

  /** Maps URIs to the connectors that serve them now. */
  async createResourceMap(access: Access, scope: EndpointScope): Promise<ResourceMap> {
    const [resources, templates, skills] = await Promise.all([
      this.listResources(access, scope, 'resources'),
      this.listResources(access, scope, 'resourceTemplates'),
      this.listResources(access, scope, 'skills'),
    ]);
    return new ResourceMap(access, resources, templates, skills);
  }

  /** The visible connector that a name leads to. */
  findConnector(access: Access, scope: EndpointScope, name: string): Connector | undefined {
    const slug = scope.slug ?? getSlug(name);
    return slug === undefined ? undefined : access.findConnector(slug);
  }

  private listConnectorsInScope(access: Access, { slug }: EndpointScope): readonly Connector[] {
    return slug === undefined
      ? access.listConnectors()
      : access.listConnectors().filter((connector) => connector.slug === slug);
  }

  private async listRedacted<K extends ResourceKind>(
    access: Access,
    connector: Connector,
    kind: K,
  ): Promise<readonly Listing[K][]> {
    const list = await this.upstreams.list(createTarget(connector, access.user), kind, this.fanOutMs);
    return this.redacted.redact(connector.id, access.findRedaction(connector), list);
  }

  /** The offers of one connector, computed once for unchanged rights and an unchanged list. */
  private async listOffers<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    connector: Connector,
    kind: K,
  ): Promise<ReadonlyMap<string, Offer<K>>> {
    const items = await this.listItems(access, connector, kind);
    const views = this.getViews(access);
    const key = createViewKey(scope, connector, kind);
    const known = views.get(key);
    if (known?.items === items) return known.offers as ReadonlyMap<string, Offer<K>>;
    const redacted = this.redacted.redact(connector.id, access.findRedaction(connector), items);
    const offers = createOffers(
      access,
      scope,
      connector,
      kind,
      redacted instanceof Promise ? await redacted : redacted,
    );
    views.set(key, { items, offers });
    return offers;
  }

  /**
   * Whether a tool that is not offered is allowed to the user and listed by its upstream now, so
   * that only its definition withholds it.
   */
  async isWithheld(access: Access, scope: EndpointScope, name: string): Promise<boolean> {
    const connector = this.findConnector(access, scope, name);
    if (connector === undefined || access.getToolPinning(connector) === 'off') return false;
    const target = createTarget(connector, access.user);
    const list = await this.upstreams.list(target, 'tools', this.fanOutMs).catch(ignoreUnavailable);
    const listed = list.find((tool) => getOfferName(scope, connector, tool.name) === name);
    return listed !== undefined && access.isAllowed(connector, { kind: 'tool', name: listed.name });
  }

  /** The entries of a list that users may get, at once; undefined if that needs work. */
  private findCurrentItems(access: Access, connector: Connector, kind: 'tools' | 'prompts') {
    const target = createTarget(connector, access.user);
    if (kind === 'prompts') return this.upstreams.findCurrentList(target, kind);
    const list = this.upstreams.findCurrentList(target, kind);
    return list && this.pins.find(createPinned(access, connector), list);
  }

  /** The entries of a list that users may get. */
  private async listItems<K extends 'tools' | 'prompts'>(
    access: Access,
    connector: Connector,
    kind: K,
  ): Promise<readonly Listing[K][]> {
    const listing = this.upstreams.list(createTarget(connector, access.user), kind, this.fanOutMs);
    if (!isToolListing(kind, listing)) return listing;
    this.onToolsListed(access, connector, listing);
    return await this.pins.review(createPinned(access, connector), await listing);
  }

  private getViews(access: Access): Map<string, ConnectorView> {
    let views = this.views.get(access);
    if (views === undefined) {
      views = new Map<string, ConnectorView>();
      this.views.set(access, views);
    }
    return views;
  }

  /** Waits for a list. @param fallback in place of a list that is unavailable */
  private async listOr<T>(
    fallback: T,
    { user }: Access,
    connector: Connector,
    kind: keyof Listing,
    listing: Promise<T>,
    unavailable: UnavailableList[],
  ): Promise<T> {
    try {
      const list = await listing;
      const failure = this.upstreams.getListFailure(createTarget(connector, user), kind);
      if (failure !== undefined)
        unavailable.push({ connector: connector.slug, reason: `${failure.message}; this is its last good list` });
      return list;
    } catch (error) {
      this.onListFailed(connector, error);
      const reason = error instanceof UpstreamUnavailableError ? error.message : 'cannot be listed';
      unavailable.push({ connector: connector.slug, reason });
      return fallback;
    }
  }
}

const createViewKey = ({ slug }: EndpointScope, { id }: Connector, kind: 'tools' | 'prompts'): string =>
  `${kind} ${slug === undefined ? 'all' : 'own'} ${id}`;

const createPinned = (access: Access, connector: Connector): PinnedConnector => ({
  id: connector.id,
  pinning: access.getToolPinning(connector),
});

const NO_OFFERS: ReadonlyMap<string, never> = new Map<string, never>();

function isToolListing(
  kind: 'tools' | 'prompts',
  _listing: Promise<readonly Listing['tools' | 'prompts'][]>,
): _listing is Promise<readonly Listing['tools'][]> {
  return kind === 'tools';
}

/** Keeps the first of equal names, in the order of the upstream. */
function createOffers<K extends 'tools' | 'prompts'>(
  access: Access,
  scope: EndpointScope,
  connector: Connector,
  kind: K,
  items: readonly Listing[K][],
): Map<string, Offer<K>> {
  const offers = new Map<string, Offer<K>>();
  for (const definition of items) {
    if (!access.isAllowed(connector, { kind: FEATURE[kind], name: definition.name } satisfies Feature)) continue;
    const name = getOfferName(scope, connector, definition.name);
    if (!offers.has(name)) offers.set(name, { name, connector, definition });
  }
  return offers;
}

function ignoreUnavailable(error: unknown): readonly Listing['tools'][] {
  if (error instanceof UpstreamUnavailableError) return [];
  throw error;
}

const getOfferName = ({ slug }: EndpointScope, connector: Connector, name: string): string =>
  slug === undefined ? createExposedName(connector.slug, name) : name;

const listValues = <T>(map: ReadonlyMap<string, T>): readonly T[] => [...map.values()];

const getUri = (definition: Listing[ResourceKind]): string =>
  'uri' in definition ? definition.uri : definition.uriTemplate;
