import { isJsonObject } from '@gatehouse/mcp/json-rpc';

/**
 * A URI of one connector at the aggregated endpoint: `gatehouse+<slug>:<uri>`. Slugs are part of a
 * scheme (RFC 3986 §3.1).
 */
const QUALIFIED_URI = /^gatehouse\+([a-z0-9-]{1,64}):(.+)$/s;

/** The scheme of qualified URIs. An upstream that uses it must not name another connector. */
const RESERVED_SCHEME = /^gatehouse\+/i;

/** A URI that only this connector serves. */
export const qualifyUri = (slug: string, uri: string): string => `gatehouse+${slug}:${uri}`;

/** The slug and the connector's own URI of a qualified URI; undefined for other URIs. */
export function parseQualifiedUri(uri: string): { slug: string; uri: string } | undefined {
  const [, slug, own] = QUALIFIED_URI.exec(uri) ?? [];
  return slug === undefined || own === undefined ? undefined : { slug, uri: own };
}

/** Whether a connector's own URI looks qualified. */
export const isReservedUri = (uri: string): boolean => RESERVED_SCHEME.test(uri);

/**
 * Changes the URIs of resources in a result: links, embedded resources and contents (MCP,
 * server/resources and server/tools).
 */
export function mapUris<T extends object>(result: T, change: (uri: string) => string): T {
  const { content, messages, contents } = result as { content?: unknown; messages?: unknown; contents?: unknown };
  return {
    ...result,
    ...(Array.isArray(content) && { content: content.map((block) => mapBlockUri(block, change)) }),
    ...(Array.isArray(messages) && {
      messages: messages.map((message: unknown) =>
        isJsonObject(message) ? { ...message, content: mapBlockUri(message['content'], change) } : message,
      ),
    }),
    ...(Array.isArray(contents) && { contents: contents.map((each) => mapResourceUri(each, change)) }),
  };
}

/** Whether a result names any resource. */
export function hasResources(result: object): boolean {
  let named = false;
  mapUris(result, (uri) => {
    named = true;
    return uri;
  });
  return named;
}

function mapBlockUri(block: unknown, change: (uri: string) => string): unknown {
  if (!isJsonObject(block)) return block;
  if (block['type'] === 'resource_link') return mapResourceUri(block, change);
  return block['type'] === 'resource' ? { ...block, resource: mapResourceUri(block['resource'], change) } : block;
}

const mapResourceUri = (resource: unknown, change: (uri: string) => string): unknown =>
  isJsonObject(resource) && typeof resource['uri'] === 'string'
    ? { ...resource, uri: change(resource['uri']) }
    : resource;
