import { type ErrorDetails, GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { z } from 'zod';
import type { KubernetesClient } from './client.ts';
import { KubernetesApiError } from './errors.ts';
import type { KubernetesSecretRef } from './secret-ref.ts';

const RESPONSE_TIMEOUT_MS = 3_000;

/** The read members of a Secret; values are base64. */
const Secret = z.looseObject({ kind: z.literal('Secret'), data: z.record(z.string(), z.string()).nullish() });

/**
 * A Secret of the cluster could not be read. The message names the Secret and never holds its
 * content.
 */
export class ClusterSecretError extends GatehouseError {
  override readonly code = 'cluster_secret_unavailable';
  constructor(
    message: string,
    /** Whether the cluster gave no definite response. */
    readonly isOutage: boolean,
    options?: ErrorDetails,
  ) {
    super(message, options);
  }
}

/**
 * Reads one key of a Secret by its name, so that a Role needs only `get` on this name.
 * @returns the value as text, without one newline at its end
 * @throws ClusterSecretError
 */
export async function readSecretValue(
  client: Pick<KubernetesClient, 'readSecret'>,
  { name, namespace, key }: KubernetesSecretRef,
): Promise<string> {
  const secret = `the Secret ${namespace}/${name}`;
  const reading = client.readSecret(namespace, name, AbortSignal.timeout(RESPONSE_TIMEOUT_MS));
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
