import { z } from 'zod';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Name of a namespace: a label of RFC 1123. */
export const defineKubernetesNamespace = () =>
  z
    .string()
    .max(63)
    .regex(new RegExp(`^${LABEL}$`), 'must be the name of a namespace: a-z, 0-9 and hyphens');

/** A key of a Secret in a cluster, by the rules of Kubernetes for names and keys. */
export const KubernetesSecretRef = z.strictObject({
  name: z
    .string()
    .max(253)
    .regex(
      new RegExp(`^${LABEL}(\\.${LABEL})*$`),
      'must be the name of a Secret: a-z, 0-9 and hyphens, with dots between',
    ),
  namespace: defineKubernetesNamespace(),
  key: z
    .string()
    .max(253)
    .regex(/^(?!\.\.)(?!\.$)[-._a-zA-Z0-9]+$/, 'must be a key of a Secret: letters, digits, -, _ and dots'),
});
export type KubernetesSecretRef = z.infer<typeof KubernetesSecretRef>;
