import { escapeSegment } from '../json-pointer.ts';
import { applyMergePatch, isJsonObject } from '../merge-patch.ts';
import { API_VERSION, type NewResource, type Resource, type ResourceKind } from '../resource.ts';
import { type MergePatch, ResourceStoreError, type Violation } from '../resource-store.ts';
import type { Candidate } from './rules.ts';

const PATCHED_MEMBERS = ['metadata', 'spec', 'status'];
const PATCHED_METADATA = ['labels', 'annotations', 'resourceVersion'];

/** Returns a new resource before its check. */
export function createCandidate(kind: ResourceKind, namespace: string, { metadata, spec }: NewResource): Candidate {
  const { name, labels, annotations } = metadata;
  return toWellFormed({
    apiVersion: API_VERSION,
    kind,
    metadata: {
      name,
      namespace,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    spec,
  });
}

/**
 * Returns a resource after a merge patch, before its check. As in Kubernetes, a patch of the status
 * ignores other members, and another patch ignores the status.
 * @throws ResourceStoreError `invalid` when the patch names members that cannot be patched
 */
export function patchCandidate(
  previous: Candidate | Resource,
  patch: MergePatch,
  subresource: 'status' | undefined,
): Candidate {
  const { apiVersion, kind, spec, status } = previous;
  const { name, namespace, labels, annotations } = previous.metadata;
  if (subresource === 'status') {
    const patched = applyMergePatch({ status }, { status: patch['status'] }) as Pick<Candidate, 'status'>;
    const metadata = toWellFormed({ name, namespace, labels, annotations });
    return { apiVersion, kind, metadata, spec, ...toWellFormed(patched) };
  }
  const violations = findForeignMembers(patch);
  if (violations.length > 0) throw createInvalid('The patch', violations);
  const members = { metadata: { labels, annotations }, spec };
  const patched = applyMergePatch(members, patch) as Pick<Candidate, 'metadata' | 'spec'>;
  const metadata = { labels: patched.metadata.labels, annotations: patched.metadata.annotations };
  return toWellFormed({ apiVersion, kind, metadata: { name, namespace, ...metadata }, spec: patched.spec, status });
}

function findForeignMembers(patch: MergePatch): Violation[] {
  const { metadata } = patch;
  const foreign = listOthers(patch, '', PATCHED_MEMBERS);
  if (metadata === undefined) return foreign;
  if (isJsonObject(metadata)) return [...foreign, ...listOthers(metadata, '/metadata', PATCHED_METADATA)];
  return [...foreign, { field: '/metadata', message: 'must be an object' }];
}

const listOthers = (value: Readonly<Record<string, unknown>>, path: string, allowed: readonly string[]): Violation[] =>
  Object.keys(value)
    .filter((member) => !allowed.includes(member))
    .map((member) => ({ field: `${path}/${escapeSegment(member)}`, message: 'cannot be patched' }));

/** Returns the error about a resource or a patch that breaks rules. */
export function createInvalid(subject: string, violations: readonly Violation[]): ResourceStoreError {
  const sentence = violations.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ResourceStoreError('invalid', `${subject} is invalid: ${sentence}.`, { violations });
}

/** Copies members as an API server receives them: without undefined members, as UTF-8. */
const toWellFormed = <T extends object>(members: T): T =>
  JSON.parse(JSON.stringify(members), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as T;
