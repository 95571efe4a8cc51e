import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import { API_VERSION, type AIPolicy, type NewResource } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { findViolations, readResource } from '@gatehouse/ai-resources/validation';
import { createValidationError, requireBody } from './policy-body.ts';

/** Members of `metadata` that Kubernetes has and this service does not set. */
const UNSUPPORTED_METADATA = ['finalizers', 'generateName', 'ownerReferences'];

/**
 * Reads the body of a new policy. The namespace, the status and the metadata that the store sets
 * are ignored, whatever their values are.
 * @throws HttpError invalid without a body; unprocessable with a pointer to each field that breaks
 * a rule
 */
export function readNewPolicy(body: unknown): NewResource<AIPolicy['spec']> {
  const { apiVersion = API_VERSION, kind = 'AIPolicy', metadata = {}, status: _, ...others } = requireBody(body);
  const written = { apiVersion, kind, metadata: omitNamespace(metadata), ...others };
  const violations = [...findUnsupportedMetadata(written.metadata), ...findViolations('AIPolicy', written)];
  if (violations.length > 0) throw createValidationError(violations);
  return readResource('AIPolicy', written);
}

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
