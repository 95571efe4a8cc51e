import type { VerifiedToken } from '@gatehouse/auth/token-verifier';

/** Reads whether a grant has not ended. @throws while this cannot be read */
export type GrantCheck = () => boolean | Promise<boolean>;

/** Takes the tokens of callers that the endpoint has verified. */
export interface VerifiedTokens {
  remember(token: string, verified: VerifiedToken): void;
  /** The check of the grant of a token; undefined for a token without a grant. */
  getGrantCheck(verified: VerifiedToken): GrantCheck | undefined;
}
