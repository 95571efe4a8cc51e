import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import { API_VERSION, type AIPolicy, type NewResource } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations, readResource } from '@gatehouse/ai-resources/validation';
import { countMembers, createValidationError, MAX_MEMBERS, requireBody } from './policy-body.ts';

/** Members of `metadata` that Kubernetes has and this service does not set. */
const UNSUPPORTED_METADATA = ['finalizers', 'generateName', 'ownerReferences'];
/** Objects of a body that could have 100,000 members. Their check would take 0.2 s. */
const OPEN_OBJECTS = [['spec'], ['metadata'], ['metadata', 'labels'], ['metadata', 'annotations']];

/**
 * Reads the body of a new policy. The namespace, the status and the metadata that the store sets
 * are ignored with any values.
 * @throws HttpError invalid without a body; unprocessable with a pointer to each field that breaks
 * a rule
 */
export function readNewPolicy(body: unknown): NewResource<AIPolicy['spec']> {
  const members = requireBody(body);
  const excessive = findExcessiveObjects(members);
  if (excessive.length > 0) throw createValidationError(excessive);
  const { apiVersion = API_VERSION, kind = 'AIPolicy', metadata = {}, status: _, ...others } = members;
  const written = { apiVersion, kind, metadata: omitNamespace(metadata), ...others };
  const violations = [...findUnsupportedMetadata(written.metadata), ...findViolations('AIPolicy', written)];
  if (violations.length > 0) throw createValidationError(violations);
  return readResource('AIPolicy', written);
}

const findExcessiveObjects = (body: Readonly<Record<string, unknown>>): Violation[] =>
  OPEN_OBJECTS.filter((path) => countMembers(findMember(body, path)) > MAX_MEMBERS).map((path) => ({
    field: path.map((name) => `/${name}`).join(''),
    message: `must have at most ${MAX_MEMBERS} members`,
  }));

const findMember = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    body,
  );

function omitNamespace(metadata: unknown): unknown {
  if (!isJsonObject(metadata)) return metadata;
  const { namespace: _, ...others } = metadata;
  return others;
}

const findUnsupportedMetadata = (metadata: unknown): Violation[] =>
  isJsonObject(metadata)
    ? UNSUPPORTED_METADATA.filter((name) => Object.hasOwn(metadata, name)).map((name) => ({
        field: `/metadata/${name}`,
        message: 'cannot be set here',
      }))
    : [];
