import { beginAuthorization, type PendingAuthorization, redeemCode } from '@gatehouse/oauth-client/authorization';
import type { Provider } from '@gatehouse/oauth-client/provider';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { type CorporatePerson, readCorporatePerson } from '../grants/corporate-sign-in.ts';
import type { CorporateProviders, SignInIssuer } from '../../browser/corporate-providers.ts';
import { SIGN_IN_CALLBACK_PATH } from '../../browser/corporate-sign-in.ts';
import { createForwardedState } from '../../browser/forwarded-sign-ins.ts';
import { INTERACTION_SECONDS } from '../provider/configuration.ts';
import type { PayloadsRepository } from '../storage/payloads.repository.ts';

const OFFLINE_ACCESS = 'offline_access';

/** The kind under which sign-ins are stored beside the objects of the provider library. */
const MODEL = 'CorporateSignIn';

/** The result of a corporate sign-in, kept until the user has consented. */
export interface CompletedSignIn {
  person: CorporatePerson;
  tokens: TokenSet;
}

type StoredSignIn = { issuerId: string; pending: PendingAuthorization } | CompletedSignIn;

/** The dependencies of SignIns. */
export interface SignInsParts {
  providers: CorporateProviders;
  verifier: TokenVerifier;
  payloads: PayloadsRepository;
  /** Address of the gateway, without a trailing slash. */
  publicUrl: string;
  now: () => Date;
}

/**
 * The corporate sign-ins of running interactions. Each interaction signs in again, so that each
 * grant has corporate tokens of its own: a rotated refresh token has one holder.
 */
export class SignIns {
  constructor(private readonly parts: SignInsParts) {}

  /** The person of an interaction; undefined before the sign-in. */
  async find(uid: string): Promise<CompletedSignIn | undefined> {
    const stored = await this.load(uid);
    return stored !== undefined && 'person' in stored ? stored : undefined;
  }

  /** The corporate providers at which a user can sign in. */
  get issuers(): readonly SignInIssuer[] {
    return this.parts.providers.issuers;
  }

  /**
   * Begins a sign-in.
   * @param prompt `login` lets the provider ask for the user again, also for another one
   * @returns the address at the corporate provider
   */
  async begin(uid: string, issuer: SignInIssuer, prompt?: 'login'): Promise<URL> {
    const provider = await this.parts.providers.get(issuer);
    const { url, pending } = await beginAuthorization(provider, {
      redirectUri: `${new URL(this.parts.publicUrl).origin}${SIGN_IN_CALLBACK_PATH}`,
      scope: addOfflineAccess(issuer.scope, provider),
      state: createForwardedState(uid),
      ...(prompt !== undefined && { parameters: { prompt } }),
    });
    await this.save(uid, { issuerId: issuer.id, pending });
    return url;
  }

  /**
   * Ends a sign-in with the response of the corporate provider.
   * @returns the person; undefined for an interaction without a pending sign-in
   * @throws errors of the OAuth client, CorporateIdentityError
   */
  async complete(uid: string, response: URLSearchParams): Promise<CorporatePerson | undefined> {
    const { providers, verifier, publicUrl, now } = this.parts;
    const stored = await this.load(uid);
    if (stored === undefined || !('pending' in stored)) return undefined;
    const issuer = this.issuers.find(({ id }) => id === stored.issuerId);
    if (issuer === undefined) return undefined;
    const tokens = await redeemCode(await providers.get(issuer), response, stored.pending, now().getTime());
    const person = await readCorporatePerson(tokens, {
      issuer: issuer.issuer,
      verifier,
      resource: `${publicUrl}/mcp`,
    });
    await this.save(uid, { person, tokens });
    return person;
  }

  /** Removes the sign-in of an interaction. @returns true for one of several callers */
  remove(uid: string): Promise<boolean> {
    return this.parts.payloads.destroy(MODEL, uid);
  }

  private async load(uid: string): Promise<StoredSignIn | undefined> {
    return (await this.parts.payloads.find(MODEL, uid)) as StoredSignIn | undefined;
  }

  private async save(uid: string, signIn: StoredSignIn): Promise<void> {
    await this.parts.payloads.upsert(MODEL, uid, { ...signIn }, INTERACTION_SECONDS);
  }
}

/** Adds the scope of a refresh token where the provider lists it (OpenID Connect Core §11). */
function addOfflineAccess(scope: string, { metadata }: Provider): string {
  const isOffered = metadata.scopes_supported?.includes(OFFLINE_ACCESS) === true;
  return isOffered && !scope.split(' ').includes(OFFLINE_ACCESS) ? `${scope} ${OFFLINE_ACCESS}` : scope;
}
