/** The metadata of the protected resource, from which clients learn the issuer (RFC 9728). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getResourceMetadataUrl, RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import { type AuthenticationOptions, listScopes } from './authentication-options.ts';

/** A Host header that can stand in a URL. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** Web pages of any origin may read the metadata, which is public. */
const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'mcp-protocol-version, Content-Type, Authorization',
  'access-control-max-age': '86400',
};

/** Returns the address of a path for the client of a request; undefined without a usable Host. */
export function getOwnUrl(
  { headers }: Pick<IncomingMessage, 'headers'>,
  path: string,
  trustProxyHeaders: boolean,
): string | undefined {
  const forwarded = (name: string) =>
    trustProxyHeaders
      ? String(headers[name] ?? '')
          .split(',')[0]
          ?.trim()
      : '';
  const host = forwarded('x-forwarded-host') || headers.host || '';
  const scheme = forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http';
  if (!HOST.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}${path}`)?.href.replace(/\/$/, '');
}

/**
 * Returns the address of the metadata for a challenge.
 * @param own the address to which the request was sent
 */
export const getMetadataUrl = ({ resourceUrl }: AuthenticationOptions, own: string | undefined): string | undefined => {
  const resource = resourceUrl ?? own;
  return resource === undefined ? undefined : getResourceMetadataUrl(resource);
};

/** Answers below `/.well-known/`; returns false for a path that is not of the metadata. */
export type MetadataHandler = (request: IncomingMessage, path: string, response: ServerResponse) => boolean;

/** Creates the handler of the metadata. It also answers for paths of endpoints (section 3.1). */
export function createMetadataHandler(options: AuthenticationOptions, trustProxyHeaders: boolean): MetadataHandler {
  return (request, path, response) => {
    if (path !== RESOURCE_METADATA_PATH && !path.startsWith(`${RESOURCE_METADATA_PATH}/`)) return false;
    const { method } = request;
    if (method === 'OPTIONS') response.writeHead(204, CROSS_ORIGIN).end();
    else if (method === 'GET' || method === 'HEAD') {
      const endpoint = path.slice(RESOURCE_METADATA_PATH.length);
      const resource = options.resourceUrl ?? getOwnUrl(request, endpoint || '/', trustProxyHeaders);
      if (resource === undefined) return false;
      send(response, 200, JSON.stringify(describeResource(options, resource)));
    } else send(response, 405, '{"error":"method_not_allowed"}', { allow: 'GET, HEAD, OPTIONS' });
    return true;
  };
}

const describeResource = (options: AuthenticationOptions, resource: string) => ({
  resource,
  ...(options.issuer !== undefined && { authorization_servers: [options.issuer] }),
  bearer_methods_supported: ['header'],
  scopes_supported: listScopes(options),
});

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...CROSS_ORIGIN,
    ...headers,
  });
  response.end(body);
}
