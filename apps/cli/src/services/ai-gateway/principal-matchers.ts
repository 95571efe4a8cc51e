import { invalidFlag } from '../../errors/cli-error.ts';
import type { Schemas } from './management.ts';

/** Matches a principal whose token has all of these claims. */
type PrincipalMatcher = Schemas['PrincipalMatcher'];

const EXAMPLE = "--match 'groups=engineering&email_verified=true'";

/**
 * Parses a matcher in the form of a query string: `groups=engineering`, with `&` between several
 * claims. Names and values are percent-encoded where they contain `&`, `=`, `+` or `%`.
 * @throws UsageError for a text without a claim, a claim without a value, or a repeated claim
 */
export function parseMatcher(text: string): PrincipalMatcher {
  const claims = new Map<string, string>();
  for (const part of text.split('&')) {
    const [[name = '', value = ''] = []] = new URLSearchParams(part);
    if (name === '' || value === '')
      throw invalidFlag('--match', `${JSON.stringify(text)} must be claims with values`, EXAMPLE);
    if (value.includes('\uFFFD') && !part.includes('\uFFFD'))
      throw invalidFlag('--match', `${JSON.stringify(text)} has a percent-encoded value that is not UTF-8`);
    if (claims.has(name))
      throw invalidFlag(
        '--match',
        `${JSON.stringify(text)} has the claim ${name} twice`,
        '--match for each of the values: one of the matchers must match',
      );
    claims.set(name, value);
  }
  return { claims: Object.fromEntries(claims) };
}

/** The claims of a matcher as people read them: `groups=engineering&email_verified=true`. */
export const formatMatcher = ({ claims }: PrincipalMatcher): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
