import { requireMatch } from '@gatehouse/service-kit/etag';
import { formatVersionTag } from '../protocol/resources.ts';

/**
 * Checks If-Match against the stored version. SCIM uses weak tags; the strong form of a tag is
 * accepted, too.
 * @throws HttpError precondition_failed
 */
export const requireVersion = (ifMatch: string | undefined, version: number): void =>
  requireMatch(ifMatch?.replace(/(^|,\s*)"/g, '$1W/"'), formatVersionTag(version), 'optional');
