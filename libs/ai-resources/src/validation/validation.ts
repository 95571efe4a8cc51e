import type { ErrorObject } from 'ajv';
import { isDeepStrictEqual } from 'node:util';
import { applyDefaults } from './defaults.ts';
import { IMMUTABLE_FIELDS } from '../generated/schemas.ts';
import { splitPointer } from '../json-pointer.ts';
import type { NewResource, ResourceKind, ResourcesByKind } from '../resource.ts';
import { getValidator } from './resource-schemas.ts';
import { ResourceStoreError, type Violation } from '../resource-store.ts';
import { toViolation } from './violation.ts';

/** The largest number of violations that are reported of one resource. */
const VIOLATION_LIMIT = 20;
/** The number of errors of ajv that are examined for them. A body of 1 MiB can have 80,000. */
const ERROR_LIMIT = 1000;

/** A resource as its author writes it, with the defaults of its kind. */
export type WrittenResource<Kind extends ResourceKind> = Pick<ResourcesByKind[Kind], 'apiVersion' | 'kind' | 'spec'> &
  Pick<NewResource, 'metadata'>;

/**
 * Finds the members of a resource that the Kubernetes API server would refuse with
 * `fieldValidation=Strict`: by the schema of its CRD, and by the rules of metadata. As there, a
 * member that is null is absent.
 * @returns at most 20 violations, sorted by field, and one for each field
 */
export const findViolations = (kind: ResourceKind, resource: unknown): readonly Violation[] =>
  examineResource(kind, resource).violations;

/** A resource as the API server would store it, and the rules that it breaks. */
export interface ExaminedResource {
  /** The resource with the defaults of its kind; without meaning if it breaks rules. */
  readonly completed: unknown;
  readonly violations: readonly Violation[];
}

/** Completes a resource with the defaults of its kind, and finds its violations. */
export function examineResource(kind: ResourceKind, resource: unknown): ExaminedResource {
  const completed = applyDefaults(kind, resource);
  const validate = getValidator(kind);
  const violations = validate(completed) ? [] : listViolations(validate.errors ?? []);
  return { completed, violations };
}

function listViolations(errors: readonly ErrorObject[]): Violation[] {
  const messages = new Map<string, string>();
  for (const error of errors.slice(0, ERROR_LIMIT)) {
    const violation = toViolation(error);
    if (violation !== undefined && !messages.has(violation.field)) messages.set(violation.field, violation.message);
  }
  const sorted = [...messages].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.slice(0, VIOLATION_LIMIT).map(([field, message]) => ({ field, message }));
}

/** Finds the immutable fields that differ between two versions of a resource. */
export function findImmutableViolations(
  kind: ResourceKind,
  previous: Pick<NewResource, 'spec'>,
  next: Pick<NewResource, 'spec'>,
): Violation[] {
  const changed = IMMUTABLE_FIELDS[kind].filter(
    (field) => !isDeepStrictEqual(getMember(previous, field), getMember(next, field)),
  );
  return changed.map((field) => ({ field, message: 'cannot be changed' }));
}

/**
 * Returns the resource with the defaults of its kind, without the members that a store sets, such
 * as its uid and its status.
 * @throws ResourceStoreError `invalid` with the violations
 */
export function readResource<Kind extends ResourceKind>(kind: Kind, resource: unknown): WrittenResource<Kind> {
  const { completed, violations } = examineResource(kind, resource);
  if (violations.length === 0) return selectWritten(completed as WrittenResource<Kind>);
  const sentence = violations.map(({ field, message }) => `${field} ${message}`).join('; ');
  throw new ResourceStoreError('invalid', `The ${kind} is invalid: ${sentence}.`, { violations });
}

function selectWritten<Kind extends ResourceKind>(resource: WrittenResource<Kind>): WrittenResource<Kind> {
  const { apiVersion, kind, metadata, spec } = resource;
  const { name, labels, annotations } = metadata;
  const written = { name, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { apiVersion, kind, metadata: written, spec };
}

const getMember = (value: unknown, pointer: string): unknown =>
  splitPointer(pointer).reduce<unknown>(
    (found, name) => (found as Readonly<Record<string, unknown>> | undefined)?.[name],
    value,
  );
