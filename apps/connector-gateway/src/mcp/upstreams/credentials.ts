import { causesOf } from '@gatehouse/egress/egress-refusal';
import type { Fetch } from './bounded-fetch.ts';
import { type Credential, CredentialProblem, type Secrets } from '../ports/upstream-secrets.ts';

/** The problem with a secret inside of an error, however deep a client has wrapped it. */
export const credentialProblemIn = (error: unknown): CredentialProblem | undefined =>
  causesOf(error).find((cause) => cause instanceof CredentialProblem);

/**
 * Puts the credential on every request. When the upstream refuses it (401, so that nothing was
 * done) and there is a newer value by now, the request is made once more with that.
 */
export function withCredential(fetch: Fetch, { secret, header, prefix }: Credential, secrets: Secrets): Fetch {
  const send = (input: string | URL, init: RequestInit | undefined, value: string) => {
    const headers = new Headers(init?.headers);
    headers.set(header, `${prefix}${value}`);
    return fetch(input, { ...init, headers });
  };
  return async (input, init) => {
    const value = await secrets.get(secret);
    const answer = await send(input, init, value);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    const newer = init?.body instanceof ReadableStream ? undefined : await secrets.insteadOf(secret, value);
    const second = newer === undefined ? undefined : await send(input, init, newer);
    if (second !== undefined && second.status !== 401) return second;
    await second?.body?.cancel();
    throw new CredentialProblem('does not accept the secret that it was given');
  };
}
