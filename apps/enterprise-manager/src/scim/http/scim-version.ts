import { requireMatch } from '@gatehouse/service-kit/etag';
import { versionTag } from '../protocol/resources.ts';

/**
 * Checks If-Match against the stored version. The tags of SCIM are weak, so they are compared as
 * such; the strong form of the same tag is taken too.
 * @throws HttpError precondition_failed
 */
export const requireVersion = (ifMatch: string | undefined, version: number): void =>
  requireMatch(ifMatch?.replace(/(^|,\s*)"/g, '$1W/"'), versionTag(version), 'optional');
