import { getClusterAccess } from '@gatehouse/kubernetes/access';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { ClusterSecretError, readSecretValue } from '@gatehouse/kubernetes/secret-value';
import type { Settings } from '../config/config.ts';

/**
 * Reads Secrets of the cluster, one at a time by name, so that the Role needs only `get` on these
 * names. Only namespaces in this gateway's settings are read.
 */
export class ClusterSecrets {
  constructor(
    private readonly client: Pick<KubernetesClient, 'readSecret'> | undefined,
    private readonly namespaces: readonly string[],
  ) {}

  /** The value of a key as text, without one newline at its end. @throws ClusterSecretError */
  async read(reference: { name: string; namespace: string; key: string }): Promise<string> {
    const { name, namespace, key } = requireValidReference(reference);
    const secret = `the Secret ${namespace}/${name}`;
    if (!this.namespaces.includes(namespace))
      throw new ClusterSecretError(
        `${secret} is not read, because KUBERNETES_SECRETS_NAMESPACES of this gateway does not name its namespace`,
        false,
      );
    if (this.client === undefined)
      throw new ClusterSecretError(
        `${secret} cannot be read, because this gateway does not run in a cluster and KUBERNETES_SECRETS_URL is not set`,
        false,
      );
    return readSecretValue(this.client, { name, namespace, key });
  }
}

/** Opens the Secrets that the settings allow. */
export const createClusterSecrets = (settings: Settings): ClusterSecrets => {
  const access = getClusterAccess({
    url: settings.KUBERNETES_SECRETS_URL,
    tokenPath: settings.KUBERNETES_SECRETS_TOKEN_PATH,
    caPath: settings.KUBERNETES_SECRETS_CA_PATH,
    host: settings.KUBERNETES_SERVICE_HOST,
    port: settings.KUBERNETES_SERVICE_PORT,
  });
  return new ClusterSecrets(access && new KubernetesClient(access), settings.KUBERNETES_SECRETS_NAMESPACES);
};

/**
 * Refuses invalid Kubernetes names, which could form another API path. The message does not repeat
 * them.
 */
function requireValidReference({ name, namespace, key }: KubernetesSecretRef): KubernetesSecretRef {
  const accepted = KubernetesSecretRef.safeParse({ name, namespace, key });
  if (!accepted.success)
    throw new ClusterSecretError(
      'the enterprise manager refers to a Secret with an invalid name, namespace or key',
      false,
    );
  return accepted.data;
}
