import { flagError } from '../errors/workload-error.ts';

/** A scope (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Parses a list of scopes, of which each value can have several, separated by commas. */
export function parseScopes(flag: string, values: readonly string[] = []): string[] {
  const scopes = values.flatMap((value) => value.split(',')).map((scope) => scope.trim());
  for (const scope of scopes)
    if (!SCOPE.test(scope)) throw flagError(`${flag} ${scope}`, 'is not a scope; separate scopes with commas');
  return [...new Set(scopes)];
}
