import { type JsonText, ScimError } from '../protocol/types.ts';
import type { ProjectionQuery } from './scim.dto.ts';

/** A resource as it is answered. */
export interface Found {
  resource: JsonText;
  etag: string;
  /** Its `meta.location`. */
  location: string;
}

/** @throws ScimError 404 */
export const noSuchResource = (kind: 'user' | 'group'): never => {
  throw new ScimError(404, undefined, `There is no such ${kind}.`);
};

/** What a write may say beside its body. */
export interface WriteOptions {
  ifMatch: string | undefined;
  query: ProjectionQuery;
}
