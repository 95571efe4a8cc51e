import { InvalidProviderError, ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { NeedsAuthError } from '../mcp/ports/personal-credentials.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import { UnusableTokenError } from '../vault/token-rules.ts';

/** Refusals that end when the person signs in or consents at the provider. */
const SIGN_IN_ERRORS: ReadonlySet<string> = new Set(['consent_required', 'interaction_required', 'invalid_grant']);

/** Whether a provider refused an exchange until the person signs in or consents. */
export const isSignInRefusal = (error: unknown): error is ProviderRefusalError =>
  error instanceof ProviderRefusalError && SIGN_IN_ERRORS.has(error.error);

/** Converts the failure of an exchange. */
export function toCredentialError(cause: unknown): CredentialError {
  if (cause instanceof CredentialError) return cause;
  if (isSignInRefusal(cause)) return new NeedsAuthError('consent_required', { cause });
  return new CredentialError(`cannot be called, because ${describeFailure(cause)}`, { cause });
}

/** Describes a failure in the gateway's own words; texts of the provider are for the log. */
function describeFailure(error: unknown): string {
  if (error instanceof ProviderUnavailableError) return 'its token endpoint does not answer at the moment';
  if (error instanceof UnusableTokenError) return 'its token endpoint issued a token that cannot be sent';
  if (error instanceof ProviderRefusalError) return 'its token endpoint refuses to exchange your token';
  if (error instanceof InvalidProviderError) return 'its token endpoint gave no answer that the gateway can use';
  return 'the gateway cannot get a credential for you';
}
