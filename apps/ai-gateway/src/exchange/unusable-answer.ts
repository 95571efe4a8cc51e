import type { ProviderResponse } from '../upstream/provider-request.ts';

/** A successful response that cannot be an answer. */
export interface UnusableAnswer {
  /** A sentence for the caller. */
  readonly message: string;
  /** Whether the provider has read the prompt. */
  readonly isCharged: boolean;
}

/** Finds why a response cannot be relayed. @returns undefined if it can */
export function findUnusableAnswer({
  status,
  headers,
}: Pick<ProviderResponse, 'status' | 'headers'>): UnusableAnswer | undefined {
  if (status === 204 || status === 205)
    return { message: 'The provider sent an answer without content.', isCharged: false };
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    return { message: 'The provider sent a compressed response, which was not requested.', isCharged: true };
  // No API of a model has such answers: a proxy or another server sent it.
  if (/^text\/html\b/i.test(headers['content-type'] ?? ''))
    return { message: 'The provider sent a web page instead of an answer.', isCharged: false };
  return undefined;
}
