import type { VerifiedToken } from '@gatehouse/auth/token-verifier';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuthorizationServer } from '../authorization-server/authorization-server.ts';
import { getUserKey } from '../mcp/access/directory-view.ts';
import type { Person } from '../mcp/ports/personal-credentials.ts';
import type { GrantCheck, VerifiedTokens } from '../mcp/ports/verified-tokens.ts';

/** Most persons whose tokens are remembered. */
const MAX_PERSONS = 10_000;

/** The corporate tokens that stand for a person at a provider. They are never logged or stored. */
export interface SubjectToken {
  readonly accessToken: string;
  /** Only of a person who signed in through the authorization server of this gateway. */
  readonly idToken?: string | undefined;
  /** The corporate claims, with the corporate issuer. */
  readonly claims: Readonly<Record<string, unknown>>;
}

interface Remembered {
  readonly token: string;
  readonly verified: VerifiedToken;
}

/**
 * The newest verified token of each person on this replica, until it expires. A token of the
 * authorization server of this gateway stands for the corporate tokens of its grant, and is itself
 * sent to no provider.
 */
@Injectable()
export class SubjectTokens implements VerifiedTokens {
  private readonly remembered = new LRUCache<string, Remembered>({ max: MAX_PERSONS });

  constructor(
    private readonly server: AuthorizationServer,
    private readonly clock: Clock,
  ) {}

  remember(token: string, verified: VerifiedToken): void {
    const key = getUserKey(verified);
    const known = this.remembered.get(key);
    if (known !== undefined && (known.token === token || this.isNewer(known, verified))) return;
    this.remembered.set(key, { token, verified });
  }

  /** Only tokens of the own authorization server have a grant here. */
  getGrantCheck({ issuer, tokenIssuer, claims }: VerifiedToken): GrantCheck | undefined {
    const isOwn = tokenIssuer !== issuer && tokenIssuer === this.server.issuer;
    return isOwn ? () => this.server.isGrantActive(claims) : undefined;
  }

  /** The tokens of a person; undefined without a current one. */
  async find(person: Person): Promise<SubjectToken | undefined> {
    const known = this.remembered.get(getUserKey(person));
    if (known === undefined || this.hasExpired(known)) return undefined;
    const { token, verified } = known;
    const { claims, issuer } = verified;
    if (verified.tokenIssuer === issuer) return { accessToken: token, claims };
    const corporate = await this.server.findCorporateTokens(claims);
    return (
      corporate && {
        accessToken: corporate.accessToken,
        idToken: corporate.idToken,
        claims: { ...claims, iss: issuer },
      }
    );
  }

  private isNewer(known: Remembered, verified: VerifiedToken): boolean {
    return !this.hasExpired(known) && readIssueTime(known.verified) > readIssueTime(verified);
  }

  private hasExpired({ verified }: Remembered): boolean {
    return verified.expiresAt <= this.clock.now();
  }
}

/** The claim `iat` (RFC 7519, section 4.1.6); 0 without it. */
const readIssueTime = ({ claims: { iat } }: VerifiedToken): number => (typeof iat === 'number' ? iat : 0);
