import type { GivenObject } from '../../json/input.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';

/** The configuration of clients, and its ETag (RFC 9110, section 8.8.3). */
export interface TaggedClientConfig {
  readonly document: Schemas['ClientConfig'];
  readonly etag: string;
}

/** Reads the base document and the overrides of groups. */
export async function clientConfig(manager: Manager): Promise<TaggedClientConfig> {
  const call = manager.api.GET('/v1/client-config');
  const document = await readResponse(manager, call);
  return { document, etag: (await call).response.headers.get('etag') ?? '' };
}

/**
 * Replaces the whole configuration.
 * @param etag the state to replace; undefined for any state
 */
export async function setClientConfig(
  manager: Manager,
  { object, asWritten }: GivenObject,
  etag: string | undefined,
): Promise<TaggedClientConfig> {
  const call = manager.api.PUT('/v1/client-config', {
    // The manager validates the document and names the invalid field.
    body: object as Schemas['ClientConfig'],
    bodySerializer: () => asWritten,
    ...(etag !== undefined && { headers: { 'if-match': etag } }),
  });
  const document = await readResponse(manager, call);
  return { document, etag: (await call).response.headers.get('etag') ?? '' };
}
