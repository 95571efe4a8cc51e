import type { FileContent } from '../text/edit-text.ts';
import { type Candidate, completeCandidate } from '../rules.ts';
import { isDeepStrictEqual } from 'node:util';
import type { UnversionedResource } from '../state/revisions.ts';

/** Returns the members of a resource that its file holds. */
export function toFileContent({ apiVersion, kind, metadata, spec }: UnversionedResource | Candidate): FileContent {
  const { name, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) },
    spec,
  };
}

/** Whether a parsed file holds a resource. */
export const holdsResource =
  (resource: UnversionedResource) =>
  (parsed: Candidate): boolean =>
    isDeepStrictEqual(toFileContent(completeCandidate(parsed)), toFileContent(resource));
