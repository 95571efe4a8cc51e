import type { Connector } from '../directory/snapshot.ts';
import type { Access } from './access.ts';
import { isReservedUri, partsOfUri, qualifiedUri } from './resource-uris.ts';
import type { Listing } from './upstreams.ts';

/** A resource that one person is offered; the definition is the upstream's own. */
export interface ResourceOffer<K extends 'resources' | 'resourceTemplates'> {
  /** The URI, or template of URIs, that the client sees. */
  uri: string;
  connector: Connector;
  definition: Listing[K];
}

/** Several connectors that the person may use serve one URI: the request must say which one it means. */
export class AmbiguousResourceError extends Error {
  override readonly name = 'AmbiguousResourceError';
  constructor(
    readonly uri: string,
    /** Slugs of the connectors, sorted. */
    readonly slugs: readonly string[],
  ) {
    super('several connectors serve this resource');
  }
}

/** A resource at its connector, under the connector's own URI. */
export interface ServedResource {
  connector: Connector;
  uri: string;
}

/** Which connector serves which URI, for one person at the aggregated endpoint. */
export class ResourceMap {
  /** The connectors that list a URI, by the URI. */
  private readonly listed = new Map<string, Connector[]>();

  constructor(
    private readonly access: Access,
    resources: readonly ResourceOffer<'resources'>[],
    private readonly templates: readonly ResourceOffer<'resourceTemplates'>[],
  ) {
    for (const { connector, definition } of resources) {
      const connectors = this.listed.get(definition.uri);
      if (connectors === undefined) this.listed.set(definition.uri, [connector]);
      else connectors.push(connector);
    }
  }

  /** Finds what a URI of a client names. @returns undefined for what is unknown or hidden @throws AmbiguousResourceError */
  find(asked: string): ServedResource | undefined {
    const parts = partsOfUri(asked);
    if (parts === undefined) {
      const [connector, ...others] = this.serversOf(asked);
      if (connector !== undefined && others.length > 0)
        throw new AmbiguousResourceError(asked, [connector, ...others].map(({ slug }) => slug).sort());
      return connector && { connector, uri: asked };
    }
    const connector = this.serversOf(parts.uri, parts.slug)[0];
    return connector && { connector, uri: parts.uri };
  }

  /** The same at the endpoint of one connector, where every URI is the connector's own. */
  findOwn(uri: string): ServedResource | undefined {
    const connector = this.serversOf(uri)[0];
    return connector && { connector, uri };
  }

  /** The URI under which a client reaches a resource of a connector: qualified where the connector's own one leads to another connector too. */
  exposed(connector: Connector, uri: string): string {
    const others = this.serversOf(uri).some(({ id }) => id !== connector.id);
    return others || isReservedUri(uri) ? qualifiedUri(connector.slug, uri) : uri;
  }

  /** The connectors that list a URI, else those whose templates begin like it for the longest part. */
  private serversOf(uri: string, slug?: string): readonly Connector[] {
    const isAsked = (connector: Connector) => slug === undefined || connector.slug === slug;
    const listed = this.listed.get(uri)?.filter(isAsked) ?? [];
    if (listed.length > 0) return listed;
    const matching = this.templates
      .filter(({ connector }) => isAsked(connector))
      .map((offer) => ({ connector: offer.connector, prefix: offer.definition.uriTemplate.split('{', 1)[0] ?? '' }))
      .filter(
        ({ connector, prefix }) =>
          prefix.includes(':') &&
          uri.startsWith(prefix) &&
          this.access.allows(connector, { kind: 'resource', name: uri }),
      );
    const longest = Math.max(...matching.map(({ prefix }) => prefix.length));
    return distinct(matching.filter(({ prefix }) => prefix.length === longest));
  }
}

const distinct = (offers: readonly { connector: Connector }[]): Connector[] => [
  ...new Map(offers.map(({ connector }) => [connector.id, connector])).values(),
];
