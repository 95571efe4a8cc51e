import { KubernetesSecretRef as ClusterSecret } from '@gatehouse/kubernetes/secret-ref';
import { fieldError } from '@gatehouse/service-kit/http-error';
import { z } from 'zod';
import { line, uuid } from '../../validation/text.ts';
import type { SecretReference } from '../managed-secrets/secret-name.ts';

/** A key of a Secret in a cluster, as the reference documents it. */
export const KubernetesSecretRef = ClusterSecret.meta({
  id: 'KubernetesSecretRef',
  description: 'A key of a Secret in the cluster of the gateway, which reads it there',
});

/** Where a secret value lies. */
export const SecretRef = z
  .strictObject({
    managed_secret_id: uuid().optional(),
    managed_secret_name: line(256)
      .optional()
      .describe('Instead of the id; the reference stays when another secret gets the name'),
    kubernetes_secret: KubernetesSecretRef.optional(),
  })
  .meta({ id: 'SecretRef', description: 'Where a secret value lies: exactly one of these' });
export type SecretRef = z.infer<typeof SecretRef>;

/**
 * What a reference means.
 * @param field where the reference stands in the body
 * @throws HttpError invalid for none or several
 */
export function referenceOf(
  { managed_secret_id, managed_secret_name, kubernetes_secret }: SecretRef,
  field: string,
): SecretReference {
  const named = [managed_secret_id, managed_secret_name, kubernetes_secret].filter((part) => part !== undefined);
  if (named.length !== 1) throw fieldError('invalid', field, 'must name exactly one secret');
  if (kubernetes_secret !== undefined) return { kubernetes_secret };
  return managed_secret_id === undefined ? { name: managed_secret_name ?? '' } : { id: managed_secret_id };
}
