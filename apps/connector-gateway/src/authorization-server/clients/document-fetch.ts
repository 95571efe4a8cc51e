import { openEgress } from '@gatehouse/egress/egress';
import { type Permission, PUBLIC_ONLY } from '@gatehouse/egress/target';

/** Longest metadata document or key set of a client, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** Longest time for one document, in milliseconds. */
const DOCUMENT_TIMEOUT_MS = 5_000;

/** Sends a request of the authorization server. */
export type DocumentFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates the fetch for documents that clients name: client id metadata documents and key sets.
 * Only https at public addresses, no redirects, 64 KiB, 5 s in all.
 * @param permission of one more authority
 */
export function createDocumentFetch(permission: Permission = PUBLIC_ONLY): DocumentFetch {
  return async (url, init = {}) => {
    const egress = openEgress(permission, { limits: { maxRedirects: 0, maxResponseBytes: MAX_DOCUMENT_BYTES } });
    try {
      const response = await egress.fetch(url, {
        method: init.method ?? 'GET',
        headers: init.headers ?? {},
        signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS),
      });
      // The body is read here, so that no connection stays open.
      const body = await response.arrayBuffer();
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      await egress.close();
    }
  };
}
