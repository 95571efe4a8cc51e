import type { GivenObject } from '../../json/input.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';

/** What clients are configured with, and the ETag of that state (RFC 9110, section 8.8.3). */
export interface TaggedClientConfig {
  readonly document: Schemas['ClientConfig'];
  readonly etag: string;
}

/** The base document and the overrides of groups. */
export async function clientConfig(manager: Manager): Promise<TaggedClientConfig> {
  const call = manager.api.GET('/v1/client-config');
  const document = await answerOf(manager, call);
  return { document, etag: (await call).response.headers.get('etag') ?? '' };
}

/**
 * Replaces all of it.
 * @param etag writes only over this state; undefined for whatever state there is
 */
export async function setClientConfig(
  manager: Manager,
  { object, asWritten }: GivenObject,
  etag: string | undefined,
): Promise<TaggedClientConfig> {
  const call = manager.api.PUT('/v1/client-config', {
    // The manager judges the document and names the field that it does not take.
    body: object as Schemas['ClientConfig'],
    bodySerializer: () => asWritten,
    ...(etag !== undefined && { headers: { 'if-match': etag } }),
  });
  const document = await answerOf(manager, call);
  return { document, etag: (await call).response.headers.get('etag') ?? '' };
}
