import type { PrincipalMatcher } from '@gatehouse/ai-resources/generated/types';
import { type Claims, listClaimTexts } from './claims.ts';

/**
 * Whether one of the matchers matches a principal: each claim of the matcher has exactly its text,
 * or is a list that contains it. A matcher without claims matches no principal.
 */
export const matchesPrincipal = (claims: Claims, matchers: readonly PrincipalMatcher[]): boolean =>
  matchers.some((matcher) => {
    const required = Object.entries(matcher.claims);
    return required.length > 0 && required.every(([name, text]) => listClaimTexts(claims, name).includes(text));
  });
