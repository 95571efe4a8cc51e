import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { fieldError } from '@gatehouse/service-kit/http-error';
import type { Readable } from 'node:stream';
import { NDJSON_TYPE, wantsNdjson } from './ndjson.ts';

/** What a description says of lists that are answered here. */
export const ALSO_NDJSON =
  'With `Accept: application/x-ndjson` the whole list is streamed instead, one object a line; `limit` then means nothing, and `cursor` is refused.';

/**
 * A list in the form that Accept asks for: a page, or all of it as a stream.
 * @throws HttpError invalid for a cursor of a stream
 */
export async function listAnswer<Page>(
  accept: string | undefined,
  { cursor }: { cursor?: string | undefined },
  { page, stream }: { page: () => Promise<Page>; stream: () => Promise<Readable> },
): Promise<Answer<Page | Readable>> {
  if (!wantsNdjson(accept)) return withHeaders(await page(), { vary: 'Accept' });
  if (cursor !== undefined)
    throw fieldError(
      'invalid',
      'cursor',
      `must not be given with Accept: ${NDJSON_TYPE}, which streams the whole list`,
    );
  return withHeaders(await stream(), { 'content-type': NDJSON_TYPE, vary: 'Accept' });
}
