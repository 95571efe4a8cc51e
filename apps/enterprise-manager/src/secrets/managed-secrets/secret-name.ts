import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';

/** A reference to a managed secret, by id or by name. */
export type SecretName = { id: string } | { name: string };

/** A reference to a managed secret or to a Secret of a Kubernetes cluster. */
export type SecretReference = SecretName | { kubernetes_secret: KubernetesSecretRef };
