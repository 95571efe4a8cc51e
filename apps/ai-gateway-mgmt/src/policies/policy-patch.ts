import { formatPointer } from '@gatehouse/ai-resources/json-pointer';
import { applyMergePatch, isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations } from '@gatehouse/ai-resources/validation';
import type { HttpError } from '@gatehouse/service-kit/http-error';
import { isDeepStrictEqual } from 'node:util';
import { createValidationError, requireBody } from './policy-body.ts';

/** The fields of `spec` that a patch may change. */
const PATCHABLE = ['description', 'principalMatchers', 'mcpPolicy'] as const;
const IMMUTABLE_FIELD = '/spec/gatewayRef';

/** A merge patch (RFC 7396) of the patchable fields of a policy. */
export interface PolicyPatch {
  readonly spec: Readonly<Record<string, unknown>>;
  /** JSON pointers of the fields that it changes. */
  readonly changed: readonly string[];
}

/**
 * Reads the body of a patch of `current`. The members `status` and `metadata.resourceVersion` are
 * ignored.
 * @throws HttpError invalid without a body; unprocessable with a pointer to each member that may
 * not be patched, with the code `immutable_field` for `spec.gatewayRef`, or to each field of the
 * patched policy that breaks a rule
 */
export function readPolicyPatch(body: unknown, current: AIPolicy): PolicyPatch {
  const patch = requireBody(body);
  const refused = findRefusedMembers(patch);
  if (refused.length > 0) throw createPatchError(refused);
  const spec = isJsonObject(patch['spec']) ? patch['spec'] : {};
  const { apiVersion, kind, metadata } = current;
  const patched = { apiVersion, kind, metadata, spec: applyMergePatch(current.spec, spec) };
  const violations = findViolations('AIPolicy', patched);
  if (violations.length > 0) throw createPatchError(violations);
  return { spec, changed: findChangedFields(current.spec, patched.spec) };
}

/** Finds the members of a patch that no patch may have. */
function findRefusedMembers({ spec, metadata, status: _, ...others }: Readonly<Record<string, unknown>>): Violation[] {
  const unknown = Object.keys(others).map((name) => refuse(formatPointer([name])));
  return [...unknown, ...findRefusedMetadata(metadata), ...findRefusedFields(spec)];
}

function findRefusedMetadata(metadata: unknown): Violation[] {
  if (metadata === undefined) return [];
  if (!isJsonObject(metadata)) return [{ field: '/metadata', message: 'must be an object' }];
  const names = Object.keys(metadata).filter((name) => name !== 'resourceVersion');
  return names.map((name) => refuse(formatPointer(['metadata', name])));
}

function findRefusedFields(spec: unknown): Violation[] {
  if (spec === undefined) return [];
  if (!isJsonObject(spec)) return [{ field: '/spec', message: 'must be an object' }];
  const names = Object.keys(spec).filter((name) => !(PATCHABLE as readonly string[]).includes(name));
  return names.map((name) => refuse(formatPointer(['spec', name])));
}

const refuse = (field: string): Violation => ({
  field,
  message: field === IMMUTABLE_FIELD ? 'cannot be changed' : `cannot be patched; a patch has ${PATCHABLE_NAMES}`,
});

const PATCHABLE_NAMES = PATCHABLE.map((name) => `spec.${name}`).join(', ');

/** Returns the refusal of a patch. A changed `spec.gatewayRef` decides the code and comes first. */
function createPatchError(violations: readonly Violation[]): HttpError {
  const immutable = violations.find(({ field }) => field === IMMUTABLE_FIELD);
  if (immutable === undefined) return createValidationError(violations);
  return createValidationError([immutable, ...violations.filter((other) => other !== immutable)], 'immutable_field');
}

function findChangedFields(before: object, after: unknown): string[] {
  const [old, next] = [before as Readonly<Record<string, unknown>>, isJsonObject(after) ? after : {}];
  return PATCHABLE.filter((name) => !isDeepStrictEqual(old[name], next[name])).map((name) => `/spec/${name}`);
}
