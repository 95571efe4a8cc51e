import { getClusterAccess } from '@gatehouse/kubernetes/access';
import { KubernetesClient } from '@gatehouse/kubernetes/client';
import { KubernetesApiError } from '@gatehouse/kubernetes/errors';
import { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { z } from 'zod';
import type { Settings } from '../config/config.ts';
import { ClusterSecretError } from '../mcp/ports/upstream-secrets.ts';

const RESPONSE_TIMEOUT_MS = 3_000;

/** The read members of a Secret; values are base64. */
const Secret = z.looseObject({ kind: z.literal('Secret'), data: z.record(z.string(), z.string()).nullish() });

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
    const reading = this.client.readSecret(namespace, name, AbortSignal.timeout(RESPONSE_TIMEOUT_MS));
    const object = await reading.catch((cause: unknown) => {
      throw createSecretError(secret, cause);
    });
    const found = Secret.safeParse(object);
    if (!found.success) throw new ClusterSecretError(`the response of the cluster is not ${secret}`, false);
    const { data } = found.data;
    if (!data || !Object.hasOwn(data, key)) throw new ClusterSecretError(`${secret} has no key ${key}`, false);
    const value = Buffer.from(data[key] ?? '', 'base64')
      .toString()
      .replace(/\r?\n$/, '');
    if (value === '') throw new ClusterSecretError(`the key ${key} of ${secret} is empty`, false);
    return value;
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

/** @param secret "the Secret namespace/name" */
function createSecretError(secret: string, cause: unknown): ClusterSecretError {
  // No cause: a parser's message repeats its input.
  if (cause instanceof SyntaxError)
    return new ClusterSecretError(`the response of the cluster is not ${secret}`, false);
  if (!(cause instanceof KubernetesApiError))
    return new ClusterSecretError(`${secret} cannot be read, because the Kubernetes API does not answer`, true, {
      cause,
    });
  const { status } = cause;
  const sentence =
    REFUSAL_MESSAGES.get(status)?.(secret) ?? `${secret} cannot be read, because the Kubernetes API answers ${status}`;
  return new ClusterSecretError(sentence, status >= 500 || status === 429, { cause });
}

/** Messages for responses of the Kubernetes API, by HTTP status. */
const REFUSAL_MESSAGES: ReadonlyMap<number, (secret: string) => string> = new Map([
  [401, (secret) => `${secret} cannot be read, because the Kubernetes API does not accept the token of this gateway`],
  [403, (secret) => `the cluster does not let this gateway read ${secret}; a Role with "get" on it is needed`],
  [404, (secret) => `${secret} does not exist in the cluster`],
]);
