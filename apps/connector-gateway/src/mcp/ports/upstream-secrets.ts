import type { Connector } from './snapshot.ts';

/** Where a secret value lies: at the enterprise manager, or in the cluster. */
export type SecretPlace =
  { kind: 'managed'; id: string } | { kind: 'kubernetes'; name: string; namespace: string; key: string };

/** The secret that requests to a connector must carry, and the header in which it goes. */
export interface Credential {
  secret: SecretPlace;
  header: string;
  /** What stands before the secret in the header. */
  prefix: string;
}

/** Gives out secrets by their place. */
export interface Secrets {
  /** @throws CredentialProblem */
  get(place: SecretPlace): Promise<string>;
  /** Another value than the one that an upstream refused, if there is one. */
  insteadOf(place: SecretPlace, refused: string): Promise<string | undefined>;
}

/**
 * A connector cannot be called because of its secret. The message goes on after the connector's
 * name, and never holds a secret.
 */
export class CredentialProblem extends Error {
  override readonly name = 'CredentialProblem';
}

/**
 * A Secret of the cluster could not be had. The message names it, and never holds anything out of
 * it.
 */
export class ClusterSecretError extends Error {
  override readonly name = 'ClusterSecretError';
  constructor(
    message: string,
    /** Whether the cluster said neither yes nor no. */
    readonly away: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * What requests to the upstream must carry: `none`, a credential, or undefined for one that this
 * gateway cannot send. A connector that does not say how it is authenticated is of the last kind: a
 * request without what the administrator wanted on it is never made.
 */
export function credentialOf({ auth }: Connector): Credential | 'none' | undefined {
  if (auth?.type === 'none') return 'none';
  const bearer = placeOf(auth, 'bearer_token.token');
  if (auth?.type === 'bearerToken' && bearer !== undefined)
    return { secret: bearer, header: 'authorization', prefix: 'Bearer ' };
  const value = placeOf(auth, 'header_injection.value');
  if (auth?.type === 'headerInjection' && value !== undefined && auth.header_injection !== undefined)
    return { secret: value, header: auth.header_injection.header_name, prefix: '' };
  return undefined;
}

function placeOf(auth: Connector['auth'], field: string): SecretPlace | undefined {
  const managed = auth?.secrets?.[field];
  if (managed !== undefined) return { kind: 'managed', id: managed.id };
  const inCluster = auth?.kubernetes_secrets?.[field];
  return inCluster && { kind: 'kubernetes', ...inCluster };
}
