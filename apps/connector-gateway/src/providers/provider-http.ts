import { openEgress } from '@gatehouse/egress/egress';
import { findRefusal } from '@gatehouse/egress/egress-refusal';
import { getAuthority, type Permission, PUBLIC_ONLY, readTarget } from '@gatehouse/egress/target';
import { InvalidProviderError } from '@gatehouse/oauth-client/errors';
import type { ProviderHttp } from '@gatehouse/oauth-client/provider';

/** Time limit of one request, in seconds. */
const TIMEOUT_S = 10;

/** No document or token response of a provider is nearly as long. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/** The addresses that an administrator typed, and the permission that belongs to them. */
export interface TypedAddresses {
  /** Their authorities get the permission; every other authority must be public and https. */
  readonly addresses: readonly string[];
  readonly allowPrivateIps: boolean;
  /** Setting of the deployment. */
  readonly allowLoopback: boolean;
}

/**
 * Sends requests to authorization servers under the address rules of connectors. An endpoint that a
 * document names inherits no permission, unless it has the authority that an administrator typed:
 * another port is another authority. Redirects are refused.
 */
export function createProviderHttp(typed: TypedAddresses): ProviderHttp {
  return {
    timeoutS: TIMEOUT_S,
    // The egress decides for each request.
    allowsHttp: typed.allowPrivateIps,
    fetch: async (url, init) => {
      try {
        return await send(url, init, getPermission(typed, readTarget(url)));
      } catch (error) {
        const refusal = findRefusal(error);
        if (refusal === undefined) throw error;
        throw new InvalidProviderError(refusal.message, { cause: refusal });
      }
    },
  };
}

/** Whether a browser may open an address: https, or http at an authority with the permission. */
export function isBrowserAddress(typed: TypedAddresses, address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && hasPermission(typed, url));
}

const hasPermission = ({ addresses, allowPrivateIps }: TypedAddresses, url: URL): boolean =>
  allowPrivateIps && addresses.some((address) => getAuthority(new URL(address)) === getAuthority(url));

function getPermission(typed: TypedAddresses, url: URL): Permission {
  const { allowPrivateIps, allowLoopback } = typed;
  return hasPermission(typed, url) ? { authority: getAuthority(url), allowPrivateIps, allowLoopback } : PUBLIC_ONLY;
}

/** Sends one request and reads its whole response, so that no connection stays open. */
async function send(url: string, init: RequestInit, permission: Permission): Promise<Response> {
  const egress = openEgress(permission, { limits: { maxRedirects: 0, maxResponseBytes: MAX_RESPONSE_BYTES } });
  try {
    const response = await egress.fetch(url, init);
    const { status, headers } = response;
    const body = await response.arrayBuffer();
    return new Response(status === 204 || status === 205 ? null : body, { status, headers });
  } finally {
    await egress.close();
  }
}
