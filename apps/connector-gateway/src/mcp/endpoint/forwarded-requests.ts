import type { IncomingMessage } from 'node:http';
import type { EndpointScope } from '../catalog/offers.ts';
import type { ForwardedRequest } from '../ports/replicas.ts';
import type { Authenticated } from './authentication.ts';

/** Headers of a request that its other replica reads, besides those of the protocol. */
const PASSED_HEADERS: ReadonlySet<string> = new Set(['accept', 'last-event-id']);

/** Describes a request for the replica that is to serve it. The token of the client stays here. */
export const createForwarded = (
  { method, headers }: IncomingMessage,
  { user, expiresAt }: Authenticated,
  { slug, mode }: EndpointScope,
  message: unknown,
): ForwardedRequest => ({
  method: method === 'POST' ? 'POST' : 'GET',
  slug: slug ?? null,
  mode: mode ?? null,
  headers: Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && (PASSED_HEADERS.has(entry[0]) || entry[0].startsWith('mcp-')),
    ),
  ),
  user,
  expiresAt: expiresAt.toISOString(),
  message,
});
