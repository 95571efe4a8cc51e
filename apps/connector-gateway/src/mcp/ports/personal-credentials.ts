import type { OutgoingRequest, RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { ErrorDetails } from '@gatehouse/errors/gatehouse-error';
import type { Connector } from './snapshot.ts';
import { CredentialError } from './upstream-secrets.ts';

/** A person, as a verified token identifies them. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
}

/** Why a person has to sign in at the provider of a connector. */
export type SignInReason =
  'never_connected' | 'refresh_failed' | 'insufficient_scope' | 'revoked' | 'client_rotated' | 'consent_required';

/**
 * A person has to sign in at the provider of a connector before it can be called. The message
 * follows the connector's name.
 */
export class NeedsAuthError extends CredentialError {
  override readonly code = 'needs_auth';

  constructor(
    readonly reason: SignInReason,
    details?: ErrorDetails,
  ) {
    super(describeReason(reason), details);
  }
}

function describeReason(reason: SignInReason): string {
  if (reason === 'consent_required') return 'needs your consent at its provider';
  return reason === 'insufficient_scope' ? 'needs you to sign in again and to allow more' : 'needs you to sign in';
}

/** A credential, for the headers of the requests to one connector. */
export interface CredentialHeaders {
  /**
   * @param request the request that gets the headers, for a credential that signs it
   * @throws CredentialError if the credential is unavailable
   */
  create(request: OutgoingRequest): Promise<RequestHeaders>;
  /**
   * Identifies the credential that requests from now on have, or a newer one. It is for `renew` and
   * `end`. Absent where these need it not.
   */
  getVersion?(): unknown;
  /**
   * Whether another credential is available than the one that the upstream refused.
   * @param version the one before the request
   */
  renew(version?: unknown): Promise<boolean>;
  /**
   * Ends a credential: the upstream refused it although it was just renewed.
   * @param version the one after the renewal
   * @throws CredentialError with the next step
   */
  end?(version: unknown): Promise<never>;
  /**
   * Takes the challenge of a 403 response (RFC 6750, section 3.1). It returns for one that asks for
   * no other scopes.
   * @param version the one before the request
   * @throws NeedsAuthError if a sign-in with more scopes helps; CredentialError if it does not
   */
  requireScopes?(challenge: string, version: unknown): Promise<void>;
}

/** The credentials that belong to one person at one connector. */
export abstract class PersonalCredentials {
  /** @returns undefined for an authentication that this gateway cannot use */
  abstract open(connector: Connector, person: Person): CredentialHeaders | undefined;
}

/** Creates links to the page on which a person connects a connector. */
export abstract class ConnectLinks {
  /**
   * @returns an absolute address, for this person and for some minutes; undefined where nothing can
   * be connected
   */
  abstract create(connector: Connector, person: Person): Promise<string | undefined>;
}
