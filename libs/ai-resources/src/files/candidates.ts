import { applyMergePatch, isJsonObject } from '../merge-patch.ts';
import { API_VERSION, type NewResource, type Resource, type ResourceKind } from '../resource.ts';
import { type MergePatch, ResourceStoreError, type Violation } from '../resource-store.ts';
import type { Candidate } from './rules.ts';

const PATCHED_METADATA = ['labels', 'annotations'];

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
 * Returns a resource after a merge patch, before its check.
 * @throws ResourceStoreError `invalid` when the patch names other members
 */
export function patchCandidate(
  previous: Candidate | Resource,
  patch: MergePatch,
  subresource: 'status' | undefined,
): Candidate {
  refuseMembers(findForeignMembers(patch, subresource));
  const { apiVersion, kind, metadata, spec, status } = previous;
  const { name, namespace, labels, annotations } = metadata;
  const patched = applyMergePatch(
    subresource === 'status' ? { status } : { metadata: { labels, annotations }, spec },
    patch,
  ) as Partial<Candidate>;
  return toWellFormed({
    apiVersion,
    kind,
    metadata: { ...patched.metadata, ...(subresource === 'status' && { labels, annotations }), name, namespace },
    spec: subresource === 'status' ? spec : patched.spec,
    ...(subresource !== 'status' && status !== undefined && { status }),
    ...(subresource === 'status' && patched.status != null && { status: patched.status }),
  });
}

function findForeignMembers(patch: MergePatch, subresource: 'status' | undefined): Violation[] {
  if (subresource === 'status') return listOthers(patch, '', ['status']);
  const { metadata } = patch;
  const others = isJsonObject(metadata) ? listOthers(metadata, '/metadata', PATCHED_METADATA) : [];
  const isWrong = metadata !== undefined && !isJsonObject(metadata);
  return [
    ...listOthers(patch, '', ['metadata', 'spec']),
    ...others,
    ...(isWrong ? [{ field: '/metadata', message: 'must be an object' }] : []),
  ];
}

const listOthers = (value: Readonly<Record<string, unknown>>, path: string, allowed: readonly string[]): Violation[] =>
  Object.keys(value)
    .filter((member) => !allowed.includes(member))
    .map((member) => ({ field: `${path}/${member}`, message: 'cannot be patched' }));

function refuseMembers(violations: readonly Violation[]): void {
  if (violations.length > 0) throw createInvalid('The patch', violations);
}

/** Returns the error about a resource or a patch that breaks rules. */
export function createInvalid(subject: string, violations: readonly Violation[]): ResourceStoreError {
  const sentence = violations.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ResourceStoreError('invalid', `${subject} is invalid: ${sentence}.`, { violations });
}

/** Copies a candidate as an API server receives it: without undefined members, as UTF-8. */
const toWellFormed = (candidate: Candidate): Candidate =>
  JSON.parse(JSON.stringify(candidate), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as Candidate;
