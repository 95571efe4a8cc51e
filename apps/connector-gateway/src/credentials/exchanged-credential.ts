import type { OutgoingRequest, RequestHeaders } from '@gatehouse/mcp/client/connection';
import { createHash } from 'node:crypto';
import { getUserKey } from '../mcp/access/directory-view.ts';
import type { CredentialHeaders, Person } from '../mcp/ports/personal-credentials.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import type { CachedCredential, CredentialCache } from './credential-cache.ts';
import type { CredentialSource } from './credential-source.ts';
import { isSignInRefusal, toCredentialError } from './exchange-failure.ts';
import type { ExchangeOutcomes } from './exchange-outcomes.ts';
import type { SubjectToken, SubjectTokens } from './subject-tokens.ts';

/** The parts of the gateway that an exchanged credential needs. */
export interface ExchangedCredentialParts<Value> {
  readonly source: CredentialSource<Value>;
  readonly cache: CredentialCache<Value>;
  readonly subjects: Pick<SubjectTokens, 'find'>;
  readonly outcomes: Pick<ExchangeOutcomes, 'recordFailure' | 'recordRefusal' | 'recordSuccess'>;
}

/**
 * Sends a credential that a provider issues for the token of the caller. The caller's token goes to
 * the provider only. A credential that the upstream refuses is renewed once.
 */
export class ExchangedCredential<Value> implements CredentialHeaders {
  private first: CachedCredential<Value> | undefined;
  private last: CachedCredential<Value> | undefined;

  constructor(
    private readonly connector: Connector,
    private readonly person: Person,
    private readonly parts: ExchangedCredentialParts<Value>,
  ) {}

  /** @throws NeedsAuthError; CredentialError while no credential can be had */
  async create(request: OutgoingRequest): Promise<RequestHeaders> {
    const { value } = await this.obtain();
    return this.parts.source.createHeaders(this.connector, value, request);
  }

  getVersion(): CachedCredential<Value> | undefined {
    return this.last;
  }

  /** @throws as `create` */
  async renew(version: CachedCredential<Value> | undefined): Promise<boolean> {
    // A request that began before the first credential was obtained sent that one, or a newer one.
    const refused = version ?? this.first;
    return refused !== undefined && (await this.obtain(refused)) !== refused;
  }

  private async obtain(refused?: CachedCredential<Value>): Promise<CachedCredential<Value>> {
    const { connector, person, parts } = this;
    const subject = await this.findSubject();
    try {
      const key = createKey(connector, person, subject);
      this.last = await parts.cache.get(key, () => this.request(subject), refused);
      this.first ??= this.last;
      return this.last;
    } catch (cause) {
      throw toCredentialError(cause);
    }
  }

  /** @throws CredentialError without a current token of the person */
  private async findSubject(): Promise<SubjectToken> {
    const subject = await this.parts.subjects.find(this.person).catch((cause: unknown) => {
      throw new CredentialError(
        'cannot be called, because your sign-in at the identity provider cannot be renewed at the moment',
        { cause },
      );
    });
    if (subject !== undefined) return subject;
    throw new CredentialError(
      'cannot be called, because the gateway has no current token of you to exchange: sign in to this client again',
    );
  }

  private async request(subject: SubjectToken) {
    const { connector, person, parts } = this;
    try {
      const obtained = await parts.source.obtain(connector, subject);
      await parts.outcomes.recordSuccess(connector, person);
      return obtained;
    } catch (error) {
      if (isSignInRefusal(error)) await parts.outcomes.recordRefusal(connector, person, error);
      else await parts.outcomes.recordFailure(connector, person, error);
      throw error;
    }
  }
}

/** The key of a credential. It contains no token, only a digest. */
function createKey({ id, auth }: Connector, person: Person, { accessToken, idToken = '' }: SubjectToken): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([auth, accessToken, idToken]))
    .digest('base64url');
  return JSON.stringify([id, getUserKey(person), digest]);
}
