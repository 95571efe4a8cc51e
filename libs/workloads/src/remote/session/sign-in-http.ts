import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressClass, classifyAddress } from '@gatehouse/egress/address';
import type { ProviderHttp } from '@gatehouse/oauth-client/provider';
import { createIssuerFetch } from '@gatehouse/proxy/authentication/issuer-fetch';

const TIMEOUT_SECONDS = 15;

/**
 * Creates the requests of a sign-in. They follow no redirect, use https except on this machine, and
 * go to private addresses only where the user has typed a private one.
 */
export function createSignInHttp(options: {
  readonly allowsPrivate: boolean;
  readonly certificates: string | undefined;
}): ProviderHttp {
  const { allowsPrivate, certificates } = options;
  const fetch = createIssuerFetch({
    allowPrivateAddresses: allowsPrivate,
    ...(certificates !== undefined && { certificates }),
  });
  // The fetch itself decides about http: only addresses of this machine may have it.
  return { fetch: (url, init) => fetch(url, init), timeoutS: TIMEOUT_SECONDS, allowsHttp: true };
}

/** Whether a host that the user has typed is on this machine or in a private network. */
export const isPrivateHost = async (url: URL): Promise<boolean> =>
  (await classifyHost(url)).some((kind) => kind === 'private' || kind === 'loopback');

/** Whether a browser may be sent to a host that a public server names. */
export const isPublicHost = async (url: URL): Promise<boolean> =>
  (await classifyHost(url)).every((kind) => kind === 'public');

async function classifyHost({ hostname }: URL): Promise<AddressClass[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  return found.map(({ address }) => classifyAddress(address));
}
