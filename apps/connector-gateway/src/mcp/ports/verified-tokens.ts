import type { VerifiedToken } from '@gatehouse/auth/token-verifier';

/** Takes the tokens of callers that the endpoint has verified. */
export interface VerifiedTokens {
  remember(token: string, verified: VerifiedToken): void;
}
