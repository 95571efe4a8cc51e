import type { Connector } from '../ports/snapshot.ts';
import type { Access, Feature } from '../access/access.ts';
import { createExposedName, getSlug } from './exposed-name.ts';
import type { Listing, Upstreams } from '../upstreams/upstreams.ts';
import { ResourceMap, type ResourceOffer } from './resource-map.ts';
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
}

const FEATURE = { tools: 'tool', prompts: 'prompt' } as const;

/**
 * Collects the offers of a user at one endpoint from all upstreams. An upstream that misses the
 * deadline is left out. Lists and calls use the same offers, so both always agree.
 */
export class Offers {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly fanOutMs: number,
    private readonly onListFailed: (connector: Connector, error: unknown) => void,
    /** Receives every listing of a connector's tools for a user. */
    private readonly onToolsListed: (
      access: Access,
      connector: Connector,
      listing: Promise<readonly Listing['tools'][]>,
    ) => void,
  ) {}

  /** All tools or prompts, sorted by name. */
  async listNamed<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
  ): Promise<readonly Offer<K>[]> {
    const lists = await Promise.all(
      this.listConnectorsInScope(access, scope).map((connector) =>
        this.listOrEmpty(connector, this.listOffers(access, scope, connector, kind)),
      ),
    );
    return [...indexByName(lists.flat()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * The tool or prompt with this name; undefined if it is unknown or not visible to the user.
   * @throws UpstreamUnavailableError if the connector is visible but its list is unavailable
   */
  async find<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
    name: string,
  ): Promise<Offer<K> | undefined> {
    const connector = this.findConnector(access, scope, name);
    if (connector === undefined) return undefined;
    return indexByName(await this.listOffers(access, scope, connector, kind)).get(name);
  }

  /**
   * All resources or resource templates, sorted by URI. A URI of several connectors, or one that
   * looks qualified, is qualified by the slug. The endpoint of one connector keeps its own URIs.
   */
  async listResources<K extends 'resources' | 'resourceTemplates'>(
    access: Access,
    scope: EndpointScope,
    kind: K,
  ): Promise<readonly ResourceOffer<K>[]> {
    const lists = await Promise.all(
      this.listConnectorsInScope(access, scope).map(async (connector) => {
        const listing = await this.listOrEmpty(connector, this.upstreams.list(connector, kind, this.fanOutMs));
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
    const [resources, templates] = await Promise.all([
      this.listResources(access, scope, 'resources'),
      this.listResources(access, scope, 'resourceTemplates'),
    ]);
    return new ResourceMap(access, resources, templates);
  }

  private findConnector(access: Access, scope: EndpointScope, name: string): Connector | undefined {
    const slug = scope.slug ?? getSlug(name);
    return slug === undefined ? undefined : access.findConnector(slug);
  }

  private listConnectorsInScope(access: Access, { slug }: EndpointScope): readonly Connector[] {
    return slug === undefined
      ? access.listConnectors()
      : access.listConnectors().filter((connector) => connector.slug === slug);
  }

  private async listOffers<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: EndpointScope,
    connector: Connector,
    kind: K,
  ): Promise<Offer<K>[]> {
    const listing = this.upstreams.list(connector, kind, this.fanOutMs);
    if (isToolListing(kind, listing)) this.onToolsListed(access, connector, listing);
    return (await listing)
      .filter(({ name }) => access.isAllowed(connector, { kind: FEATURE[kind], name } satisfies Feature))
      .map((definition) => ({
        name: scope.slug === undefined ? createExposedName(connector.slug, definition.name) : definition.name,
        connector,
        definition,
      }));
  }

  private async listOrEmpty<T>(connector: Connector, listing: Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await listing;
    } catch (error) {
      this.onListFailed(connector, error);
      return [];
    }
  }
}

function isToolListing(
  kind: 'tools' | 'prompts',
  _listing: Promise<readonly Listing['tools' | 'prompts'][]>,
): _listing is Promise<readonly Listing['tools'][]> {
  return kind === 'tools';
}

/** Keeps the first of equal names, in the order of the upstream. */
function indexByName<K extends 'tools' | 'prompts'>(offers: readonly Offer<K>[]): Map<string, Offer<K>> {
  const unique = new Map<string, Offer<K>>();
  for (const offer of offers) if (!unique.has(offer.name)) unique.set(offer.name, offer);
  return unique;
}

const getUri = (definition: Listing['resources'] | Listing['resourceTemplates']): string =>
  'uri' in definition ? definition.uri : definition.uriTemplate;
