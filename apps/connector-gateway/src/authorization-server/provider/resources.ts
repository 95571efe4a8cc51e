import { errors } from 'oidc-provider';

/** The one scope of the MCP endpoint: all that the user may do there. */
export const MCP_SCOPE = 'mcp';

const ENDPOINT_PATH = /^\/mcp(?:\/[a-z0-9-]{1,64})?$/;

/**
 * The protected resource that a client names (RFC 8707): the endpoint of all connectors or of one.
 * The identifier is compared exactly, except for the case of the host and a slash at the end.
 * @param publicUrl address of the gateway, without a trailing slash
 * @returns the audience of the access token
 * @throws InvalidTarget for any other resource
 */
export function getAudience(resource: string, publicUrl: string): string {
  const url = URL.parse(resource);
  const own = new URL(publicUrl);
  const prefix = own.pathname.replace(/\/$/, '');
  const path = url?.pathname.replace(/(?<=.)\/$/, '');
  const isOwn =
    url?.origin === own.origin && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isOwn || path === undefined || !path.startsWith(prefix) || !ENDPOINT_PATH.test(path.slice(prefix.length)))
    throw new errors.InvalidTarget(`resource must be ${publicUrl}/mcp, or this with /{slug} for one connector`);
  return `${publicUrl}${path.slice(prefix.length)}`;
}
