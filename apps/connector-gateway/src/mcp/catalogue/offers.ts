import type { Connector } from '../ports/snapshot.ts';
import type { Access, Feature } from '../access/access.ts';
import { exposedName, slugOf } from './exposed-name.ts';
import type { Listing, Upstreams } from '../upstreams/upstreams.ts';
import { ResourceMap, type ResourceOffer } from './resource-map.ts';
import { isReservedUri, qualifiedUri } from './resource-uris.ts';

/**
 * Something that one person is offered: under which name, by which connector, and how the upstream
 * defines it.
 */
export interface Offer<K extends 'tools' | 'prompts'> {
  /** The name that the client sees. */
  name: string;
  connector: Connector;
  definition: Listing[K];
}

/** Which endpoint is asked: all connectors of the person, or one of them under its own names. */
export interface Scope {
  slug: string | undefined;
}

const FEATURE = { tools: 'tool', prompts: 'prompt' } as const;

/**
 * What a person is offered at one endpoint, gathered from all upstreams at once. An upstream that
 * does not answer in time is left out. The same gathering answers lists and finds what a call
 * names, so both always agree.
 */
export class Offers {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly fanOutMs: number,
    private readonly onMissing: (connector: Connector, error: unknown) => void,
    /** Told of every look at the tools of a connector on behalf of a person. */
    private readonly onLook: (
      access: Access,
      connector: Connector,
      listing: Promise<readonly Listing['tools'][]>,
    ) => void,
  ) {}

  /** All tools or prompts, sorted by name. */
  async named<K extends 'tools' | 'prompts'>(access: Access, scope: Scope, kind: K): Promise<readonly Offer<K>[]> {
    const lists = await Promise.all(
      this.inScope(access, scope).map((connector) =>
        this.orNothing(connector, this.ofConnector(access, scope, connector, kind)),
      ),
    );
    return [...uniqueByName(lists.flat()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * The tool or prompt with this name; undefined for everything that the person cannot see,
   * whatever the reason.
   * @throws UpstreamUnavailableError when the person sees the connector, but what it offers cannot
   * be known now
   */
  async find<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: Scope,
    kind: K,
    name: string,
  ): Promise<Offer<K> | undefined> {
    const connector = this.connectorOf(access, scope, name);
    if (connector === undefined) return undefined;
    return uniqueByName(await this.ofConnector(access, scope, connector, kind)).get(name);
  }

  /**
   * All resources or resource templates, sorted by URI. URIs that several connectors list, or that
   * look qualified already, are qualified by the slug of each; the endpoint of one connector keeps
   * its own URIs.
   */
  async resources<K extends 'resources' | 'resourceTemplates'>(
    access: Access,
    scope: Scope,
    kind: K,
  ): Promise<readonly ResourceOffer<K>[]> {
    const lists = await Promise.all(
      this.inScope(access, scope).map(async (connector) => {
        const listing = await this.orNothing(connector, this.upstreams.list(connector, kind, this.fanOutMs));
        const own = new Map<string, Listing[K]>();
        for (const definition of listing)
          if (!own.has(uriOf(definition)) && access.allows(connector, { kind: 'resource', name: uriOf(definition) }))
            own.set(uriOf(definition), definition);
        return [...own.values()].map((definition) => ({ connector, definition }));
      }),
    );
    const listed = new Map<string, number>();
    for (const { definition } of lists.flat()) listed.set(uriOf(definition), (listed.get(uriOf(definition)) ?? 0) + 1);
    return lists
      .flat()
      .map(({ connector, definition }): ResourceOffer<K> => {
        const own = uriOf(definition);
        const isShared = scope.slug === undefined && ((listed.get(own) ?? 0) > 1 || isReservedUri(own));
        return { connector, definition, uri: isShared ? qualifiedUri(connector.slug, own) : own };
      })
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }

  /** Which connector serves which URI at this moment. */
  async resourceMap(access: Access, scope: Scope): Promise<ResourceMap> {
    const [resources, templates] = await Promise.all([
      this.resources(access, scope, 'resources'),
      this.resources(access, scope, 'resourceTemplates'),
    ]);
    return new ResourceMap(access, resources, templates);
  }

  private connectorOf(access: Access, scope: Scope, name: string): Connector | undefined {
    const slug = scope.slug ?? slugOf(name);
    return slug === undefined ? undefined : access.connector(slug);
  }

  private inScope(access: Access, { slug }: Scope): readonly Connector[] {
    return slug === undefined
      ? access.connectors()
      : access.connectors().filter((connector) => connector.slug === slug);
  }

  private async ofConnector<K extends 'tools' | 'prompts'>(
    access: Access,
    scope: Scope,
    connector: Connector,
    kind: K,
  ): Promise<Offer<K>[]> {
    const listing = this.upstreams.list(connector, kind, this.fanOutMs);
    if (isOfTools(kind, listing)) this.onLook(access, connector, listing);
    return (await listing)
      .filter(({ name }) => access.allows(connector, { kind: FEATURE[kind], name } satisfies Feature))
      .map((definition) => ({
        name: scope.slug === undefined ? exposedName(connector.slug, definition.name) : definition.name,
        connector,
        definition,
      }));
  }

  private async orNothing<T>(connector: Connector, listing: Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await listing;
    } catch (error) {
      this.onMissing(connector, error);
      return [];
    }
  }
}

function isOfTools(
  kind: 'tools' | 'prompts',
  _listing: Promise<readonly Listing['tools' | 'prompts'][]>,
): _listing is Promise<readonly Listing['tools'][]> {
  return kind === 'tools';
}

/** The first of equal names wins, in the order in which the upstream lists them. */
function uniqueByName<K extends 'tools' | 'prompts'>(offers: readonly Offer<K>[]): Map<string, Offer<K>> {
  const unique = new Map<string, Offer<K>>();
  for (const offer of offers) if (!unique.has(offer.name)) unique.set(offer.name, offer);
  return unique;
}

const uriOf = (definition: Listing['resources'] | Listing['resourceTemplates']): string =>
  'uri' in definition ? definition.uri : definition.uriTemplate;
