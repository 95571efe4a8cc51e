import type { IssuerConfig } from '@gatehouse/auth/verifier-config';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { Settings } from '../config/config.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { CORPORATE_ISSUER_CLAIM } from './provider/configuration.ts';

/** The id of the authorization server among the issuers. */
const ISSUER_ID = 'gatehouse-embedded';

/**
 * Lets a verifier accept the tokens of the authorization server in this process. They name the
 * person of a corporate issuer. Their audience is the MCP endpoint, so no other API accepts them.
 */
export function trustEmbeddedIssuer(
  verifier: TokenVerifier,
  server: AuthorizationServer,
  { ISSUERS, AUDIENCE }: Pick<Settings, 'ISSUERS' | 'AUDIENCE'>,
): void {
  const embedded: IssuerConfig = {
    id: ISSUER_ID,
    issuer: server.issuer,
    key_set: () => server.getKeySet(),
    access_token_type: 'at+jwt',
    audience: [],
    user_mapping: {
      issuers: ISSUERS.map(({ issuer }) => issuer),
      user: { issuer_claim: CORPORATE_ISSUER_CLAIM, subject_claim: 'sub' },
    },
  };
  verifier.configure({ issuers: [...ISSUERS, embedded], audience: AUDIENCE });
}
