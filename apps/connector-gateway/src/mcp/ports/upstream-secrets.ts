import { isHeaderValue } from '@gatehouse/egress/header-value';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { Connector } from './snapshot.ts';

/** The place of a secret: the enterprise manager, or the cluster. */
export type SecretPlace =
  { kind: 'managed'; id: string } | { kind: 'kubernetes'; name: string; namespace: string; key: string };

/** The secret for requests to a connector, and its header. */
export interface Credential {
  secret: SecretPlace;
  header: string;
  /** The text before the secret in the header. */
  prefix: string;
}

/** Provides secrets by their place. */
export interface Secrets {
  /** @throws CredentialError */
  get(place: SecretPlace): Promise<string>;
  /** Another value than the refused one, if one exists. */
  findNewerThan(place: SecretPlace, refused: string): Promise<string | undefined>;
}

/** The message of a CredentialError for a secret that the gateway does not have. */
export const SECRET_UNAVAILABLE = 'cannot be called, because its secret is not available at the moment';

/**
 * A connector cannot be called because of its secret. The message follows the connector's name and
 * never holds a secret.
 */
export class CredentialError extends GatehouseError {
  override readonly code: string = 'credential_unavailable';
}

/** Checks that a header can carry a secret. @throws CredentialError */
export function requireSendable(secret: string): string {
  if (!isHeaderValue(secret))
    throw new CredentialError('cannot be called, because its secret has characters that a header cannot carry');
  return secret;
}

/**
 * The credential of a connector's requests: `none`, a credential, or undefined for an unsupported
 * or invalid authentication. A connector of the last kind is never called.
 */
export function getCredential({ auth, violation }: Connector): Credential | 'none' | undefined {
  if (violation !== undefined) return undefined;
  if (auth.type === 'none') return 'none';
  const bearer = getSecretPlace(auth, 'bearer_token.token');
  if (auth.type === 'bearerToken' && bearer !== undefined)
    return { secret: bearer, header: 'authorization', prefix: 'Bearer ' };
  const value = getSecretPlace(auth, 'header_injection.value');
  if (auth.type === 'headerInjection' && value !== undefined && auth.header_injection !== undefined)
    return { secret: value, header: auth.header_injection.header_name, prefix: '' };
  return undefined;
}

/** The place of a secret of an authentication; undefined without one. */
export function getSecretPlace(auth: Connector['auth'], field: string): SecretPlace | undefined {
  const managed = auth.secrets?.[field];
  if (managed !== undefined) return { kind: 'managed', id: managed.id };
  const inCluster = auth.kubernetes_secrets?.[field];
  return inCluster && { kind: 'kubernetes', ...inCluster };
}
