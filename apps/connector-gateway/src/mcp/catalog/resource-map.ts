import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { Connector } from '../ports/snapshot.ts';
import type { Access } from '../access/access.ts';
import { Prefixes } from './prefixes.ts';
import { isReservedUri, parseQualifiedUri, qualifyUri } from './resource-uris.ts';
import type { Listing } from '../upstreams/upstreams.ts';

/** The lists whose entries have URIs. */
export type ResourceKind = 'resources' | 'resourceTemplates' | 'skills';

/** An entry with a URI that is offered to one user; the definition is the upstream's own. */
export interface ResourceOffer<K extends ResourceKind> {
  /** The client's URI or URI template. */
  uri: string;
  connector: Connector;
  definition: Listing[K];
}

/** Several visible connectors serve one URI: the request must name one of them. */
export class AmbiguousResourceError extends GatehouseError {
  override readonly code = 'ambiguous_resource';
  constructor(
    readonly uri: string,
    /** Slugs of the connectors, sorted. */
    readonly slugs: readonly string[],
  ) {
    super('several connectors serve this resource');
  }
}

/** A resource and its URI at its connector. */
export interface ServedResource {
  connector: Connector;
  uri: string;
}

/** Maps URIs to connectors, for one user at the aggregated endpoint. */
export class ResourceMap {
  /** Connectors by the URIs that they list. */
  private readonly listed = new Map<string, Connector[]>();
  /** The literal prefixes of each connector's templates. */
  private readonly templates: readonly { connector: Connector; prefixes: Prefixes }[];
  /** Decisions of the policy, by URI and connector id. */
  private readonly allowed = new Map<string, Map<string, boolean>>();
  /** The clients' URIs, by the connector's own URI and connector id. */
  private readonly exposedUris = new Map<string, Map<string, string>>();

  constructor(
    private readonly access: Access,
    resources: readonly ResourceOffer<'resources'>[],
    templates: readonly ResourceOffer<'resourceTemplates'>[],
    skills: readonly ResourceOffer<'skills'>[] = [],
  ) {
    for (const { connector, definition } of resources) this.addListed(connector, definition.uri);
    for (const { connector, definition } of skills) {
      const folder = getFolder(definition.uri);
      if (this.isAllowed(connector, folder)) this.addListed(connector, folder);
    }
    this.templates = createPrefixes([
      ...templates.map(({ connector, definition }) => ({ connector, text: getLiteralPrefix(definition.uriTemplate) })),
      ...skills.map(({ connector, definition }) => ({ connector, text: `${getFolder(definition.uri)}/` })),
    ]);
  }

  private addListed(connector: Connector, uri: string): void {
    const connectors = this.listed.get(uri);
    if (connectors === undefined) this.listed.set(uri, [connector]);
    else if (!connectors.includes(connector)) connectors.push(connector);
  }

  /**
   * Finds the resource of a client's URI.
   * @returns undefined if it is unknown or hidden
   * @throws AmbiguousResourceError
   */
  find(requestedUri: string): ServedResource | undefined {
    const parts = parseQualifiedUri(requestedUri);
    if (parts === undefined) {
      const [connector, ...others] = this.listServers(requestedUri);
      if (connector !== undefined && others.length > 0)
        throw new AmbiguousResourceError(requestedUri, [connector, ...others].map(({ slug }) => slug).sort());
      return connector && { connector, uri: requestedUri };
    }
    const connector = this.listServers(parts.uri, parts.slug)[0];
    return connector && { connector, uri: parts.uri };
  }

  /** Finds a resource at the endpoint of one connector, where URIs are the connector's own. */
  findOwn(uri: string): ServedResource | undefined {
    const connector = this.listServers(uri)[0];
    return connector && { connector, uri };
  }

  /**
   * The client's URI for a resource of a connector: qualified if the connector's own URI also leads
   * to another connector.
   */
  getExposedUri(connector: Connector, uri: string): string {
    const known = getInnerMap(this.exposedUris, uri);
    let exposed = known.get(connector.id);
    if (exposed === undefined) {
      const others = this.listServers(uri).some(({ id }) => id !== connector.id);
      exposed = others || isReservedUri(uri) ? qualifyUri(connector.slug, uri) : uri;
      known.set(connector.id, exposed);
    }
    return exposed;
  }

  /**
   * The connectors that list a URI, otherwise those with the longest matching template prefix. A
   * URI with dot segments matches no template: a server may resolve them, but policies do not.
   */
  private listServers(uri: string, slug?: string): readonly Connector[] {
    const isRequested = (connector: Connector) => slug === undefined || connector.slug === slug;
    const listed = this.listed.get(uri)?.filter(isRequested) ?? [];
    if (listed.length > 0 || DOT_SEGMENT.test(uri)) return listed;
    const matching = this.templates
      .filter(({ connector }) => isRequested(connector))
      .map(({ connector, prefixes }) => ({ connector, length: prefixes.findLongest(uri) ?? 0 }))
      .filter(({ length }) => length > 0)
      .sort((one, other) => other.length - one.length);
    const longest = matching.find(({ connector }) => this.isAllowed(connector, uri));
    return matching
      .filter(({ connector, length }) => length === longest?.length && this.isAllowed(connector, uri))
      .map(({ connector }) => connector);
  }

  /** Evaluates the policy once for each connector and URI. */
  private isAllowed(connector: Connector, uri: string): boolean {
    const known = getInnerMap(this.allowed, uri);
    let allowed = known.get(connector.id);
    if (allowed === undefined) {
      allowed = this.access.isAllowed(connector, { kind: 'resource', name: uri });
      known.set(connector.id, allowed);
    }
    return allowed;
  }
}

/** A segment `.` or `..`, also escaped (RFC 3986 §3.3 and §6.2.2). */
const DOT_SEGMENT = /(?:^|[/\\:])(?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** The text of a URI template before its first variable. */
const getLiteralPrefix = (uriTemplate: string): string => uriTemplate.split('{', 1)[0] ?? '';

/** The folder of a skill, from the URI of its `SKILL.md` (SEP-2640). */
const getFolder = (uri: string): string => uri.slice(0, Math.max(0, uri.lastIndexOf('/')));

function createPrefixes(prefixes: readonly { connector: Connector; text: string }[]) {
  const found = new Map<string, { connector: Connector; texts: string[] }>();
  for (const { connector, text } of prefixes) {
    if (!text.includes(':')) continue;
    const known = found.get(connector.id);
    if (known === undefined) found.set(connector.id, { connector, texts: [text] });
    else known.texts.push(text);
  }
  return [...found.values()].map(({ connector, texts }) => ({ connector, prefixes: new Prefixes(texts) }));
}

/** The inner map of a key, created if missing. */
function getInnerMap<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const found = maps.get(key);
  if (found !== undefined) return found;
  const made = new Map<string, V>();
  maps.set(key, made);
  return made;
}
