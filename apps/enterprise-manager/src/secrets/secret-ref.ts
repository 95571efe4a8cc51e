import { z } from 'zod';
import { refusal } from '../connectors/connector-rules.ts';
import { line, uuid } from '../directory/text.ts';
import type { SecretName } from './secret-name.ts';

/** Where a secret value lies. */
export const SecretRef = z
  .strictObject({
    managed_secret_id: uuid().optional(),
    managed_secret_name: line(256)
      .optional()
      .describe('Instead of the id; the reference stays when another secret gets the name'),
    kubernetes_secret: z
      .strictObject({ name: line(253), namespace: line(63), key: line(253) })
      .meta({ id: 'KubernetesSecretRef', description: 'A key of a Secret in the cluster' })
      .optional(),
  })
  .meta({ id: 'SecretRef', description: 'Where a secret value lies: exactly one of these' });
export type SecretRef = z.infer<typeof SecretRef>;

/**
 * The managed secret that a reference means.
 * @param field where the reference stands in the body
 * @throws Refusal invalid for none or several, unprocessable for a Secret of a cluster
 */
export function secretNameOf(
  { managed_secret_id, managed_secret_name, kubernetes_secret }: SecretRef,
  field: string,
): SecretName {
  const named = [managed_secret_id, managed_secret_name, kubernetes_secret].filter((part) => part !== undefined);
  if (named.length !== 1) throw refusal('invalid', field, 'must name exactly one secret');
  if (kubernetes_secret !== undefined)
    throw refusal(
      'unprocessable',
      `${field}.kubernetes_secret`,
      'Secrets of a cluster are not read; keep the value as a managed secret and name that',
    );
  return managed_secret_id === undefined ? { name: managed_secret_name ?? '' } : { id: managed_secret_id };
}
