import { listCauses } from '@gatehouse/egress/egress-refusal';
import type { Fetch } from './bounded-fetch.ts';
import { type Credential, CredentialError, type Secrets } from '../ports/upstream-secrets.ts';

/** Finds the credential error among an error and its causes. */
export const findCredentialError = (error: unknown): CredentialError | undefined =>
  listCauses(error).find((cause) => cause instanceof CredentialError);

/**
 * Sends the credential with every request. After a 401 the request is sent once more if a newer
 * value exists, since the upstream did not execute it.
 */
export function createCredentialFetch(fetch: Fetch, { secret, header, prefix }: Credential, secrets: Secrets): Fetch {
  const send = (input: string | URL, init: RequestInit | undefined, value: string) => {
    const headers = new Headers(init?.headers);
    headers.set(header, `${prefix}${value}`);
    return fetch(input, { ...init, headers });
  };
  return async (input, init) => {
    const value = await secrets.get(secret);
    const response = await send(input, init, value);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    const newer = init?.body instanceof ReadableStream ? undefined : await secrets.findNewerThan(secret, value);
    const second = newer === undefined ? undefined : await send(input, init, newer);
    if (second !== undefined && second.status !== 401) return second;
    await second?.body?.cancel();
    throw new CredentialError('does not accept the secret that it was given');
  };
}
