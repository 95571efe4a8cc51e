import type { Provider } from '@gatehouse/ai-resources/generated/types';
import type { KubernetesClient } from '@gatehouse/kubernetes/client';
import { ClusterSecretError, readSecretValue } from '@gatehouse/kubernetes/secret-value';
import { findCredentialForm } from './credential-form.ts';
import { ProviderCredentialError } from './provider-credential-error.ts';

/** Reveals the managed secrets of the enterprise manager that `GATEWAYS` lists for this gateway. */
export interface SecretRevealer {
  /** @throws {Error} with the HTTP status of a refusal as `status` */
  revealSecret(id: string): Promise<{ readonly value: string }>;
}

/** The places of the credentials of providers. */
export interface CredentialPlaces {
  readonly namespace: string;
  /** The cluster of the resources; undefined if they are files. */
  readonly cluster: Pick<KubernetesClient, 'readSecret'> | undefined;
  /** Undefined without an enterprise manager. */
  readonly manager: SecretRevealer | undefined;
}

/** One place of a credential. */
export interface SecretSource {
  /** Identifies the place. */
  readonly key: string;
  /** The age at which a value is read again, in milliseconds. */
  readonly maxAgeMs: number;
  /** @throws ProviderCredentialError */
  read(): Promise<string>;
}

/** Each reveal is an event of the audit trail, so that it is rarer than a read in the cluster. */
const MANAGED_MAX_AGE_MS = 300_000;
const CLUSTER_MAX_AGE_MS = 30_000;

/** A provider or a guardrail webhook, which can name a secret. */
export type SecretOwner = Pick<Provider, 'secretRef' | 'managedSecretId' | 'platform'>;

/** Finds the place of the credential of an owner; undefined for one that needs none. */
export function findSecretSource(owner: SecretOwner, places: CredentialPlaces): SecretSource | undefined {
  const { secretRef, managedSecretId: id, platform } = owner;
  const form = findCredentialForm(platform);
  const createSource = (key: string, maxAgeMs: number, read: () => Promise<string>): SecretSource => ({
    key: form.name === undefined ? key : `${key} (${form.name})`,
    maxAgeMs,
    read: async () => {
      const secret = await read();
      form.check(secret);
      return secret;
    },
  });
  if (secretRef !== undefined)
    return createSource(`secret ${secretRef.name} ${secretRef.key}`, CLUSTER_MAX_AGE_MS, () =>
      readClusterSecret(secretRef, places),
    );
  if (id === undefined) return undefined;
  return createSource(`managed ${id}`, MANAGED_MAX_AGE_MS, () => revealSecret(id, places.manager));
}

async function readClusterSecret(
  { name, key }: NonNullable<Provider['secretRef']>,
  { namespace, cluster }: CredentialPlaces,
): Promise<string> {
  if (cluster === undefined)
    throw new ProviderCredentialError(
      `the Secret ${namespace}/${name} cannot be read, because the resources of this gateway are files; name a managed secret in managedSecretId instead of secretRef`,
      false,
    );
  try {
    return await readSecretValue(cluster, { name, namespace, key });
  } catch (cause) {
    if (!(cause instanceof ClusterSecretError)) throw cause;
    throw new ProviderCredentialError(cause.message, cause.isOutage, { cause });
  }
}

async function revealSecret(id: string, manager: SecretRevealer | undefined): Promise<string> {
  const secret = `the managed secret ${id}`;
  if (manager === undefined)
    throw new ProviderCredentialError(
      `${secret} cannot be revealed, because this gateway has no enterprise manager; set ENTERPRISE_MANAGER_URL`,
      false,
    );
  try {
    return (await manager.revealSecret(id)).value;
  } catch (cause) {
    throw createRevealError(secret, cause);
  }
}

function createRevealError(secret: string, cause: unknown): ProviderCredentialError {
  const { status } = cause as { readonly status?: unknown };
  if (status === 404)
    return new ProviderCredentialError(
      `${secret} does not exist, or is not among the secrets of this gateway in GATEWAYS of the enterprise manager; list it there and restart the enterprise manager (the local platform lists it when it starts)`,
      false,
    );
  if (typeof status === 'number' && status < 500 && status !== 429)
    return new ProviderCredentialError(
      `${secret} cannot be revealed, because the enterprise manager answers ${status}`,
      false,
    );
  return new ProviderCredentialError(
    `${secret} cannot be revealed, because the enterprise manager does not answer`,
    true,
  );
}
