import type { MessageRequest } from './anthropic-schemas.ts';
import { VendorRefusal } from './refusal.ts';

const VERSIONS = ['2023-01-01', '2023-06-01', '2026-10-21'];

const refuse = (message: string) => new VendorRefusal(400, 'invalid_request_error', message);

/** Requires a known version in the header `anthropic-version`. */
export function requireVersion(version: string | undefined): void {
  if (version === undefined) throw refuse('anthropic-version: header is required');
  if (!VERSIONS.includes(version)) throw refuse(`anthropic-version: "${version}" is not a valid version`);
}

/**
 * Refuses what the version 2026-10-21 removed: sampling parameters, documents in messages of the
 * assistant, and citations in messages of the user.
 */
export function checkVersion(version: string | undefined, request: MessageRequest): void {
  if (version !== '2026-10-21') return;
  const removed = (['temperature', 'top_p', 'top_k'] as const).find((name) => request[name] !== undefined);
  if (removed !== undefined) throw refuse(`${removed}: Extra inputs are not permitted`);
  for (const [at, { role, content }] of request.messages.entries())
    for (const block of typeof content === 'string' ? [] : content) {
      const place = `messages.${at}.content`;
      if (role === 'assistant' && block.type === 'document')
        throw refuse(`${place}: document blocks are not permitted`);
      if (role === 'user' && block.type === 'text' && Array.isArray(block.citations) && block.citations.length > 0)
        throw refuse(`${place}: citations are not permitted`);
    }
}
