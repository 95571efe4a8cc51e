import type { OutgoingRequest, RequestHeaders } from '@gatehouse/mcp/client/connection';
import type { Connector } from '../mcp/ports/snapshot.ts';
import type { SubjectToken } from './subject-tokens.ts';

/** A credential that a provider issued for a person. */
export interface IssuedCredential<Value> {
  readonly value: Value;
  /** The time of its expiry in milliseconds; undefined if the provider names none. */
  readonly expiresAt: number | undefined;
  /** Time before its expiry at which it is renewed, in milliseconds. */
  readonly skewMs: number;
}

/** Time before the expiry of a credential at which it is renewed, unless it has its own setting. */
export const DEFAULT_SKEW_MS = 60_000;

/** Obtains the credential of a person for one kind of authentication. */
export interface CredentialSource<Value> {
  /**
   * @throws CredentialError; ProviderRefusalError, ProviderUnavailableError, InvalidProviderError
   */
  obtain(connector: Connector, subject: SubjectToken): Promise<IssuedCredential<Value>>;
  /** The headers of a request with the credential. */
  createHeaders(connector: Connector, value: Value, request: OutgoingRequest): RequestHeaders | Promise<RequestHeaders>;
}
