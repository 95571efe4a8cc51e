import { causesOf } from '@gatehouse/egress/egress-refusal';
import type { Connector } from '../directory/snapshot.ts';
import type { Fetch } from './bounded-fetch.ts';

/** The secret that requests to a connector must carry, and the header in which it goes. */
export interface Credential {
  secretId: string;
  header: string;
  /** What stands before the secret in the header. */
  prefix: string;
}

/** Gives out secrets by id. */
export interface Secrets {
  /** @throws CredentialProblem */
  get(id: string): Promise<string>;
  /** Another value than the one that an upstream refused, if there is one. */
  insteadOf(id: string, refused: string): Promise<string | undefined>;
}

/** A connector cannot be called because of its secret. The message goes on after the connector's name, and never holds a secret. */
export class CredentialProblem extends Error {
  override readonly name = 'CredentialProblem';
}

/** The problem with a secret inside of an error, however deep a client has wrapped it. */
export const credentialProblemIn = (error: unknown): CredentialProblem | undefined =>
  causesOf(error).find((cause) => cause instanceof CredentialProblem);

/**
 * What requests to the upstream must carry: `none`, a credential, or undefined for one that this gateway cannot send. A connector that does not say how it
 * is authenticated is of the last kind: a request without what the administrator wanted on it is never made.
 */
export function credentialOf({ auth }: Connector): Credential | 'none' | undefined {
  if (auth?.type === 'none') return 'none';
  const bearer = auth?.secrets?.['bearer_token.token'];
  if (auth?.type === 'bearerToken' && bearer !== undefined)
    return { secretId: bearer.id, header: 'authorization', prefix: 'Bearer ' };
  const value = auth?.secrets?.['header_injection.value'];
  if (auth?.type === 'headerInjection' && value !== undefined && auth.header_injection !== undefined)
    return { secretId: value.id, header: auth.header_injection.header_name, prefix: '' };
  return undefined;
}

/**
 * Puts the credential on every request. When the upstream refuses it (401, so that nothing was done) and there is a newer value by now, the request is made
 * once more with that.
 */
export function withCredential(fetch: Fetch, { secretId, header, prefix }: Credential, secrets: Secrets): Fetch {
  const send = (input: string | URL, init: RequestInit | undefined, secret: string) => {
    const headers = new Headers(init?.headers);
    headers.set(header, `${prefix}${secret}`);
    return fetch(input, { ...init, headers });
  };
  return async (input, init) => {
    const secret = await secrets.get(secretId);
    const answer = await send(input, init, secret);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    const newer = init?.body instanceof ReadableStream ? undefined : await secrets.insteadOf(secretId, secret);
    const second = newer === undefined ? undefined : await send(input, init, newer);
    if (second !== undefined && second.status !== 401) return second;
    await second?.body?.cancel();
    throw new CredentialProblem('does not accept the secret that it was given');
  };
}
