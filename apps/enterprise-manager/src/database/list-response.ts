import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { Readable } from 'node:stream';
import { NDJSON_TYPE, wantsNdjson } from './ndjson.ts';

/** The sentence about NDJSON in the descriptions of these operations. */
export const ALSO_NDJSON =
  'With `Accept: application/x-ndjson` the response is a stream of the whole list, one object a line; then `limit` has no effect and `cursor` is refused.';

/**
 * Answers with a page of a list, or with a stream of the whole list, as Accept demands.
 * @throws HttpError invalid for a cursor of a stream
 */
export async function listAnswer<Page>(
  accept: string | undefined,
  { cursor }: { cursor?: string | undefined },
  { readPage, stream }: { readPage: () => Promise<Page>; stream: () => Promise<Readable> },
): Promise<Answer<Page | Readable>> {
  if (!wantsNdjson(accept)) return withHeaders(await readPage(), { vary: 'Accept' });
  if (cursor !== undefined)
    throw fieldError(
      'invalid',
      'cursor',
      `must not be given with Accept: ${NDJSON_TYPE}, which streams the whole list`,
    );
  return withHeaders(await stream(), { 'content-type': NDJSON_TYPE, vary: 'Accept' });
}
