import { EgressRefusalError } from '@gatehouse/egress/egress-refusal';
import { type Permission, getAuthority, checkUrl, readTarget } from '@gatehouse/egress/target';
import { fieldError } from '@gatehouse/service-kit/http-error';

/**
 * Parses a URL that a gateway may call.
 *
 * @param field the path of the field in the body, for messages
 * @returns the URL and the permission of the administrator for its authority
 * @throws HttpError invalid unless it is an http(s) URL, unprocessable if the egress rules forbid
 * it
 */
export function parseAllowedUrl(
  text: string,
  field: string,
  allowPrivateIps: boolean,
  allowLoopback: boolean,
): { url: URL; permission: Permission } {
  return parseUrl(text, field, (url) => ({ authority: getAuthority(url), allowPrivateIps, allowLoopback }));
}

/**
 * Parses a further URL of a connector under the permission of its endpoint. The permission covers
 * only the endpoint's authority.
 * @throws HttpError invalid unless it is an http(s) URL, unprocessable if the egress rules forbid
 * it
 */
export function parseUrlUnderPermission(permission: Permission, text: string, field: string): URL {
  return parseUrl(text, field, () => permission).url;
}

function parseUrl(
  text: string,
  field: string,
  permissionFor: (url: URL) => Permission,
): { url: URL; permission: Permission } {
  try {
    const url = readTarget(text);
    const permission = permissionFor(url);
    checkUrl(url, permission);
    return { url, permission };
  } catch (error) {
    if (!(error instanceof EgressRefusalError)) throw error;
    throw fieldError(error.rule === 'malformed' ? 'invalid' : 'unprocessable', field, error.message, error);
  }
}
