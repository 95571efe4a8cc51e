import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyDefaults } from '../validation/defaults.ts';
import { SCHEMAS } from '../generated/schemas.ts';
import { isJsonObject } from '../merge-patch.ts';
import { API_VERSION, type ObjectMeta, type Resource, type ResourceKind } from '../resource.ts';
import type { Violation } from '../resource-store.ts';
import { examineResource, findImmutableViolations } from '../validation/validation.ts';
import { removeVersion, type UnversionedResource } from './state/revisions.ts';

/** A resource before its check, with the members that its author chooses. */
export interface Candidate {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: ResourceKind;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: unknown;
    readonly annotations?: unknown;
  };
  readonly spec: unknown;
  readonly status?: unknown;
}

/** The action of a store on a candidate. */
export type Admission =
  | { readonly type: 'refused'; readonly violations: readonly Violation[] }
  /** The resource as it is to be stored; `isUnchanged` when it is stored already. */
  | { readonly type: 'admitted'; readonly resource: UnversionedResource; readonly isUnchanged: boolean };

/** Identifies the rules of this release. */
export const RULES_VERSION = createHash('sha256').update(JSON.stringify(SCHEMAS)).digest('hex');

/** Sources of the members that the store sets. */
export interface Origin {
  readonly createUid: () => string;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * Checks a candidate and sets its server-managed members as an API server does: the generation
 * counts the changes of `spec`.
 * @param previous the stored resource, or undefined for a new one
 */
export function admit(candidate: Candidate, previous: Resource | undefined, { createUid, now }: Origin): Admission {
  const examined = examineResource(candidate.kind, candidate);
  const violations = [
    ...examined.violations,
    ...(previous === undefined || !isJsonObject(candidate.spec)
      ? []
      : findImmutableViolations(candidate.kind, previous, candidate)),
  ];
  if (violations.length > 0) return { type: 'refused', violations };
  const { apiVersion, kind, metadata, spec, status } = examined.completed as Candidate;
  const stored: UnversionedResource = {
    apiVersion,
    kind,
    metadata: {
      ...(metadata as Pick<ObjectMeta, 'name' | 'namespace' | 'labels' | 'annotations'>),
      uid: previous?.metadata.uid ?? createUid(),
      generation: (previous?.metadata.generation ?? 0) + (isDeepStrictEqual(previous?.spec, spec) ? 0 : 1),
      creationTimestamp: previous?.metadata.creationTimestamp ?? new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    spec,
    ...(status !== undefined && { status }),
  };
  const isUnchanged = previous !== undefined && isDeepStrictEqual(removeVersion(previous), stored);
  return { type: 'admitted', resource: stored, isUnchanged };
}

/** Returns the candidate with its defaults, without null members and empty maps of metadata. */
export const completeCandidate = (candidate: Candidate): Candidate =>
  applyDefaults(candidate.kind, candidate) as Candidate;
