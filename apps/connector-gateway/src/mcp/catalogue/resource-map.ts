import type { Connector } from '../ports/snapshot.ts';
import type { Access } from '../access/access.ts';
import { Prefixes } from './prefixes.ts';
import { isReservedUri, partsOfUri, qualifiedUri } from './resource-uris.ts';
import type { Listing } from '../upstreams/upstreams.ts';

/** A resource that one person is offered; the definition is the upstream's own. */
export interface ResourceOffer<K extends 'resources' | 'resourceTemplates'> {
  /** The URI, or template of URIs, that the client sees. */
  uri: string;
  connector: Connector;
  definition: Listing[K];
}

/**
 * Several connectors that the person may use serve one URI: the request must say which one it
 * means.
 */
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
  /** The literal parts that the templates of each connector begin with. */
  private readonly templates: readonly { connector: Connector; prefixes: Prefixes }[];
  /** Answers of the policy, by URI and id of the connector. */
  private readonly allowed = new Map<string, Map<string, boolean>>();
  /** The URIs that clients see, by the connector's own URI and id of the connector. */
  private readonly exposedUris = new Map<string, Map<string, string>>();

  constructor(
    private readonly access: Access,
    resources: readonly ResourceOffer<'resources'>[],
    templates: readonly ResourceOffer<'resourceTemplates'>[],
  ) {
    for (const { connector, definition } of resources) {
      const connectors = this.listed.get(definition.uri);
      if (connectors === undefined) this.listed.set(definition.uri, [connector]);
      else connectors.push(connector);
    }
    this.templates = prefixesOf(templates);
  }

  /**
   * Finds what a URI of a client names.
   * @returns undefined for what is unknown or hidden
   * @throws AmbiguousResourceError
   */
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

  /**
   * The URI under which a client reaches a resource of a connector: qualified where the connector's
   * own one leads to another connector too.
   */
  exposed(connector: Connector, uri: string): string {
    const known = inner(this.exposedUris, uri);
    let exposed = known.get(connector.id);
    if (exposed === undefined) {
      const others = this.serversOf(uri).some(({ id }) => id !== connector.id);
      exposed = others || isReservedUri(uri) ? qualifiedUri(connector.slug, uri) : uri;
      known.set(connector.id, exposed);
    }
    return exposed;
  }

  /**
   * The connectors that list a URI, else those whose templates begin like it for the longest part.
   */
  private serversOf(uri: string, slug?: string): readonly Connector[] {
    const isAsked = (connector: Connector) => slug === undefined || connector.slug === slug;
    const listed = this.listed.get(uri)?.filter(isAsked) ?? [];
    if (listed.length > 0) return listed;
    const matching = this.templates
      .filter(({ connector }) => isAsked(connector))
      .map(({ connector, prefixes }) => ({ connector, length: prefixes.longestOf(uri) ?? 0 }))
      .filter(({ length }) => length > 0)
      .sort((one, other) => other.length - one.length);
    const longest = matching.find(({ connector }) => this.allows(connector, uri));
    return matching
      .filter(({ connector, length }) => length === longest?.length && this.allows(connector, uri))
      .map(({ connector }) => connector);
  }

  /** Asks the policy once for each connector and URI. */
  private allows(connector: Connector, uri: string): boolean {
    const known = inner(this.allowed, uri);
    let allowed = known.get(connector.id);
    if (allowed === undefined) {
      allowed = this.access.allows(connector, { kind: 'resource', name: uri });
      known.set(connector.id, allowed);
    }
    return allowed;
  }
}

function prefixesOf(templates: readonly ResourceOffer<'resourceTemplates'>[]) {
  const found = new Map<string, { connector: Connector; texts: string[] }>();
  for (const { connector, definition } of templates) {
    const text = definition.uriTemplate.split('{', 1)[0] ?? '';
    if (!text.includes(':')) continue;
    const known = found.get(connector.id);
    if (known === undefined) found.set(connector.id, { connector, texts: [text] });
    else known.texts.push(text);
  }
  return [...found.values()].map(({ connector, texts }) => ({ connector, prefixes: new Prefixes(texts) }));
}

/** The inner map of a key; a new one where there is none. */
function inner<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const found = maps.get(key);
  if (found !== undefined) return found;
  const made = new Map<string, V>();
  maps.set(key, made);
  return made;
}
