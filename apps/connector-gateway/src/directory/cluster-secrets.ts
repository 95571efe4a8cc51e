import { clusterAccessOf } from '@gatehouse/service-kit/cluster-access';
import { KubernetesApi, KubernetesFailure } from '@gatehouse/service-kit/kubernetes-api';
import { KubernetesSecretRef } from '@gatehouse/service-kit/kubernetes-secret-ref';
import { z } from 'zod';
import type { Settings } from '../config/config.ts';
import { ClusterSecretError } from '../mcp/ports/upstream-secrets.ts';

const ANSWER_MS = 3_000;

/** What a Secret is read for; values are base64. */
const Secret = z.looseObject({ kind: z.literal('Secret'), data: z.record(z.string(), z.string()).nullish() });

/**
 * The Secrets of the cluster that this gateway may read: one at a time, by name, so that its Role
 * needs `get` on these names and nothing else. Namespaces that the settings of this gateway do not
 * name are closed, whoever asks.
 */
export class ClusterSecrets {
  constructor(
    private readonly api: Pick<KubernetesApi, 'read'> | undefined,
    private readonly namespaces: readonly string[],
  ) {}

  /**
   * The value of a key, as text; one newline at its end is that of the file it was made from.
   * @throws ClusterSecretError
   */
  async read(reference: { name: string; namespace: string; key: string }): Promise<string> {
    const { name, namespace, key } = acceptedReference(reference);
    const secret = `the Secret ${namespace}/${name}`;
    if (!this.namespaces.includes(namespace))
      throw new ClusterSecretError(
        `${secret} is not read, because KUBERNETES_SECRETS_NAMESPACES of this gateway does not name its namespace`,
        false,
      );
    if (this.api === undefined)
      throw new ClusterSecretError(
        `${secret} cannot be read, because this gateway runs in no cluster and KUBERNETES_SECRETS_URL is not set`,
        false,
      );
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const object = await this.api.read(path, AbortSignal.timeout(ANSWER_MS)).catch((cause: unknown) => {
      throw failureOf(secret, cause);
    });
    const found = Secret.safeParse(object);
    if (!found.success) throw new ClusterSecretError(`the cluster sent something else than ${secret}`, false);
    const { data } = found.data;
    if (!data || !Object.hasOwn(data, key)) throw new ClusterSecretError(`${secret} has no key ${key}`, false);
    const value = Buffer.from(data[key] ?? '', 'base64')
      .toString()
      .replace(/\r?\n$/, '');
    if (value === '') throw new ClusterSecretError(`the key ${key} of ${secret} is empty`, false);
    return value;
  }
}

/** The Secrets that the settings open. */
export const clusterSecretsOf = (settings: Settings): ClusterSecrets => {
  const access = clusterAccessOf({
    url: settings.KUBERNETES_SECRETS_URL,
    tokenPath: settings.KUBERNETES_SECRETS_TOKEN_PATH,
    caPath: settings.KUBERNETES_SECRETS_CA_PATH,
    host: settings.KUBERNETES_SERVICE_HOST,
    port: settings.KUBERNETES_SERVICE_PORT,
  });
  return new ClusterSecrets(access && new KubernetesApi(access), settings.KUBERNETES_SECRETS_NAMESPACES);
};

/** What is not a name of Kubernetes would lead elsewhere in its API, and is not repeated. */
function acceptedReference({ name, namespace, key }: KubernetesSecretRef): KubernetesSecretRef {
  const accepted = KubernetesSecretRef.safeParse({ name, namespace, key });
  if (!accepted.success)
    throw new ClusterSecretError('the enterprise manager refers to a Secret by what is no name of Kubernetes', false);
  return accepted.data;
}

/** @param secret "the Secret namespace/name" */
function failureOf(secret: string, cause: unknown): ClusterSecretError {
  // The cause is left out: the message of a parser repeats what it has read.
  if (cause instanceof SyntaxError)
    return new ClusterSecretError(`the cluster sent something else than ${secret}`, false);
  if (!(cause instanceof KubernetesFailure))
    return new ClusterSecretError(`${secret} cannot be read, because the Kubernetes API does not answer`, true, {
      cause,
    });
  const { status } = cause;
  const sentence =
    REFUSALS.get(status)?.(secret) ?? `${secret} cannot be read, because the Kubernetes API answers ${status}`;
  return new ClusterSecretError(sentence, status >= 500 || status === 429, { cause });
}

/** What the answers of the Kubernetes API mean, by HTTP status. */
const REFUSALS: ReadonlyMap<number, (secret: string) => string> = new Map([
  [401, (secret) => `${secret} cannot be read, because the Kubernetes API does not accept the token of this gateway`],
  [403, (secret) => `the cluster does not let this gateway read ${secret}; a Role with "get" on it is needed`],
  [404, (secret) => `${secret} does not exist in the cluster`],
]);
