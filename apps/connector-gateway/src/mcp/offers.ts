import type { Connector } from '../directory/snapshot.ts';
import type { Access, Feature } from './access.ts';
import { exposedName, slugOf } from './exposed-name.ts';
import type { Listing, Upstreams } from './upstreams.ts';

/** Something that one person is offered: under which name, by which connector, and how the upstream defines it. */
export interface Offer<K extends 'tools' | 'prompts'> {
  /** The name that the client sees. */
  name: string;
  connector: Connector;
  definition: Listing[K];
}

/** A resource that one person is offered. URIs are the upstream's own. */
export interface ResourceOffer<K extends 'resources' | 'resourceTemplates'> {
  connector: Connector;
  definition: Listing[K];
}

/** Which endpoint is asked: all connectors of the person, or one of them under its own names. */
export interface Scope {
  slug: string | undefined;
}

const FEATURE = { tools: 'tool', prompts: 'prompt' } as const;

/**
 * What a person is offered at one endpoint, gathered from all upstreams at once. An upstream that does not answer in time is left out.
 * The same gathering answers lists and finds what a call names, so both always agree.
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
   * The tool or prompt with this name; undefined for everything that the person cannot see, whatever the reason.
   * @throws UpstreamUnavailableError when the person sees the connector, but what it offers cannot be known now
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

  /** All resources or resource templates, sorted by URI; of equal URIs the first connector's wins. */
  async resources<K extends 'resources' | 'resourceTemplates'>(
    access: Access,
    scope: Scope,
    kind: K,
  ): Promise<readonly ResourceOffer<K>[]> {
    const lists = await Promise.all(
      this.inScope(access, scope).map(async (connector) =>
        (await this.orNothing(connector, this.upstreams.list(connector, kind, this.fanOutMs)))
          .filter((definition) => access.allows(connector, { kind: 'resource', name: uriOf(definition) }))
          .map((definition): ResourceOffer<K> => ({ connector, definition })),
      ),
    );
    const unique = new Map<string, ResourceOffer<K>>();
    for (const offer of lists.flat())
      if (!unique.has(uriOf(offer.definition))) unique.set(uriOf(offer.definition), offer);
    return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, offer]) => offer);
  }

  /** The connector that serves a URI: the one that lists it, else the one whose template begins like it for the longest part. */
  async serverOf(access: Access, scope: Scope, uri: string): Promise<Connector | undefined> {
    const listed = (await this.resources(access, scope, 'resources')).find((offer) => offer.definition.uri === uri);
    if (listed !== undefined) return listed.connector;
    const matching = (await this.resources(access, scope, 'resourceTemplates'))
      .map((offer) => ({ connector: offer.connector, prefix: offer.definition.uriTemplate.split('{', 1)[0] ?? '' }))
      .filter(
        ({ connector, prefix }) =>
          prefix.includes(':') && uri.startsWith(prefix) && access.allows(connector, { kind: 'resource', name: uri }),
      );
    return matching.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.connector;
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
