/** The challenge of a response to a request that is not authenticated (RFC 6750, section 3). */

/** The parameters of a challenge, in their order. */
export interface ChallengeParameters {
  readonly realm?: string | undefined;
  /** The address of the metadata of the protected resource (RFC 9728, section 5.1). */
  readonly resource_metadata?: string | undefined;
  readonly scope?: string | undefined;
  /** Absent for a request without credentials (RFC 6750, section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | undefined;
  readonly error_description?: string | undefined;
}

/** Formats the value of WWW-Authenticate. */
export function formatChallenge(parameters: ChallengeParameters): string {
  const shown = Object.entries(parameters as Record<string, string | undefined>).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${quote(value)}`],
  );
  return shown.length === 0 ? 'Bearer' : `Bearer ${shown.join(', ')}`;
}

/** A quoted string (RFC 9110, section 5.6.4), without characters that no header has. */
const quote = (text: string): string =>
  `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, (character) => `\\${character}`)}"`;
