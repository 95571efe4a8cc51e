/** Requests to an issuer: discovery, keys, introspection and token exchange. */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { classifyAddress } from '@gatehouse/egress/address';
import { EgressRefusalError } from '@gatehouse/egress/egress-refusal';
import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { getAuthority, getHost, readTarget } from '@gatehouse/egress/target';
import type { IssuerHttpOptions } from './authentication-options.ts';

const LIMITS = { maxRedirects: 0, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000, maxResponseBytes: 1024 * 1024 };
/** Authorities with kept connections. A discovery document can name others. */
const MAX_KEPT = 8;

/** A `fetch` for an issuer. */
export type IssuerFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates the `fetch` of an issuer. Every address that it dials is checked: without the options it
 * is public, and the scheme is https. Redirects are refused. The token of `tokenFile` goes to
 * requests without an Authorization header.
 */
export function createIssuerFetch(options: IssuerHttpOptions): IssuerFetch {
  const { allowPrivateAddresses = false, allowHttp = false, certificates, tokenFile } = options;
  const kept = new Map<string, Egress>();
  const open = (authority: string): Egress => {
    const permission = {
      // The scheme is checked before.
      ...{ authority, allowHttp: true },
      ...{ allowPrivateIps: allowPrivateAddresses, allowLoopback: allowPrivateAddresses },
    };
    const egress = openEgress(permission, { limits: LIMITS, certificates });
    if (kept.size < MAX_KEPT) kept.set(authority, egress);
    return egress;
  };
  return async (input, init = {}) => {
    const url = readTarget(String(input));
    if (url.protocol === 'http:' && !allowHttp && !isLoopback(getHost(url)))
      throw new EgressRefusalError('insecure', `${getAuthority(url)} must be called over https`);
    const headers = new Headers(init.headers);
    if (tokenFile !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`);
    const authority = getAuthority(url);
    return (kept.get(authority) ?? open(authority)).fetch(url, { ...init, headers: Object.fromEntries(headers) });
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && classifyAddress(host) === 'loopback');
