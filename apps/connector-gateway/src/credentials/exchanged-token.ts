import { TokenType } from '@gatehouse/oauth-client/exchange';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { requireUsableTokens } from '../vault/token-rules.ts';
import { DEFAULT_SKEW_MS, type IssuedCredential } from './credential-source.ts';
import type { SubjectToken } from './subject-tokens.ts';

/**
 * The token of the caller that a request names as its subject. An ID token is sent where one is
 * known and its type is wanted.
 */
export const chooseToken = ({ accessToken, idToken }: SubjectToken, type: string) => ({
  subjectToken: type === TokenType.idToken && idToken !== undefined ? idToken : accessToken,
  subjectTokenType: type,
});

/** The credential in a token response. @throws UnusableTokenError */
export function toIssuedCredential(tokens: TokenSet, skewMs = DEFAULT_SKEW_MS): IssuedCredential<string> {
  const { accessToken, expiresAt } = tokens;
  requireUsableTokens({ accessToken });
  return { value: accessToken, expiresAt, skewMs };
}
