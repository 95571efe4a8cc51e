import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import { API_VERSION, type AIPolicy, type NewResource } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations, readResource } from '@gatehouse/ai-resources/validation';
import { createValidationError, requireBody } from './policy-body.ts';

/** Members of `metadata` that the store sets. A body may contain them; their values are ignored. */
const SERVER_METADATA = [
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];
/** Members of `metadata` that Kubernetes has and this service does not set. */
const UNSUPPORTED_METADATA = ['finalizers', 'generateName', 'ownerReferences'];

/**
 * Reads the body of a new policy. The namespace, the status and the metadata that the store sets
 * are ignored.
 * @throws HttpError invalid without a body; unprocessable with a pointer to each field that breaks
 * a rule
 */
export function readNewPolicy(body: unknown): NewResource<AIPolicy['spec']> {
  const { apiVersion = API_VERSION, kind = 'AIPolicy', metadata = {}, status: _, ...others } = requireBody(body);
  const written = { apiVersion, kind, metadata: omitServerMetadata(metadata), ...others };
  const violations = [...findUnsupportedMetadata(written.metadata), ...findViolations('AIPolicy', written)];
  if (violations.length > 0) throw createValidationError(violations);
  return readResource('AIPolicy', written);
}

const omitServerMetadata = (metadata: unknown): unknown =>
  isJsonObject(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([name]) => !SERVER_METADATA.includes(name)))
    : metadata;

const findUnsupportedMetadata = (metadata: unknown): Violation[] =>
  isJsonObject(metadata)
    ? UNSUPPORTED_METADATA.filter((name) => Object.hasOwn(metadata, name)).map((name) => ({
        field: `/metadata/${name}`,
        message: 'cannot be set here',
      }))
    : [];
