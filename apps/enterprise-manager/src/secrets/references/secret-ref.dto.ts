import { KubernetesSecretRef as ClusterSecret } from '@gatehouse/kubernetes/secret-ref';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import type { SecretReference } from '../managed-secrets/secret-name.ts';

/** A key of a Kubernetes Secret, with its description for the API reference. */
export const KubernetesSecretRef = ClusterSecret.meta({
  id: 'KubernetesSecretRef',
  description: 'A key of a Kubernetes Secret in the cluster of the gateway. The gateway reads it',
});

/** A reference to the value of a secret. */
export const SecretRef = z
  .strictObject({
    managed_secret_id: uuid().optional(),
    managed_secret_name: line(256)
      .optional()
      .describe(
        'Instead of the id. It is resolved at the time of the write; a later change of the name does not change the reference',
      ),
    kubernetes_secret: KubernetesSecretRef.optional(),
  })
  .meta({ id: 'SecretRef', description: 'A reference to a secret. Exactly one member is required' });
export type SecretRef = z.infer<typeof SecretRef>;

/**
 * Validates a reference.
 * @param field the path of the reference in the body
 * @throws HttpError invalid unless exactly one member is present
 */
export function readReference(
  { managed_secret_id, managed_secret_name, kubernetes_secret }: SecretRef,
  field: string,
): SecretReference {
  const members = [managed_secret_id, managed_secret_name, kubernetes_secret].filter((part) => part !== undefined);
  if (members.length !== 1) throw fieldError('invalid', field, 'must name exactly one secret');
  if (kubernetes_secret !== undefined) return { kubernetes_secret };
  return managed_secret_id === undefined ? { name: managed_secret_name ?? '' } : { id: managed_secret_id };
}
