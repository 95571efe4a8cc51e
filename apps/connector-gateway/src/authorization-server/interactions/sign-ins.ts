import { beginAuthorization, type PendingAuthorization, redeemCode } from '@gatehouse/oauth-client/authorization';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { CorporateProvider } from '../grants/corporate-provider.ts';
import { type CorporatePerson, readCorporatePerson } from '../grants/corporate-sign-in.ts';
import { INTERACTION_SECONDS } from '../provider/configuration.ts';
import type { PayloadsRepository } from '../storage/payloads.repository.ts';

/** The path to which the corporate provider sends the browser back. */
export const SIGN_IN_CALLBACK_PATH = '/oauth/sign-in/callback';

/** The kind under which sign-ins are stored beside the objects of the provider library. */
const MODEL = 'CorporateSignIn';

/** The result of a corporate sign-in, kept until the user has consented. */
export interface SignedIn {
  person: CorporatePerson;
  tokens: TokenSet;
}

type StoredSignIn = { pending: PendingAuthorization } | SignedIn;

/** The dependencies of SignIns. */
export interface SignInsParts {
  provider: CorporateProvider;
  verifier: TokenVerifier;
  payloads: PayloadsRepository;
  /** Origin of the public listener. */
  origin: string;
  now: () => Date;
}

/**
 * The corporate sign-ins of running interactions. Each interaction signs in again, so that each
 * grant has corporate tokens of its own: a rotated refresh token has one holder.
 */
export class SignIns {
  constructor(private readonly parts: SignInsParts) {}

  /** The person of an interaction; undefined before the sign-in. */
  async find(uid: string): Promise<SignedIn | undefined> {
    const stored = await this.load(uid);
    return stored !== undefined && 'person' in stored ? stored : undefined;
  }

  /** Begins a sign-in. @returns the address at the corporate provider */
  async begin(uid: string): Promise<URL> {
    const { provider, origin } = this.parts;
    const { url, pending } = await beginAuthorization(await provider.get(), {
      redirectUri: `${origin}${SIGN_IN_CALLBACK_PATH}`,
      scope: await provider.getScope(),
      state: `${uid}.${crypto.randomUUID()}`,
    });
    await this.save(uid, { pending });
    return url;
  }

  /**
   * Ends a sign-in with the response of the corporate provider.
   * @returns false for an interaction without a pending sign-in
   * @throws errors of the OAuth client, CorporateIdentityError
   */
  async complete(uid: string, response: URLSearchParams): Promise<boolean> {
    const { provider, verifier, now } = this.parts;
    const stored = await this.load(uid);
    if (stored === undefined || !('pending' in stored)) return false;
    const tokens = await redeemCode(await provider.get(), response, stored.pending, now().getTime());
    const person = await readCorporatePerson(tokens, provider.client.issuer, verifier);
    await this.save(uid, { person, tokens });
    return true;
  }

  /** Removes the sign-in of an interaction that has ended. */
  async remove(uid: string): Promise<void> {
    await this.parts.payloads.destroy(MODEL, uid);
  }

  private async load(uid: string): Promise<StoredSignIn | undefined> {
    return (await this.parts.payloads.find(MODEL, uid)) as StoredSignIn | undefined;
  }

  private async save(uid: string, signIn: StoredSignIn): Promise<void> {
    await this.parts.payloads.upsert(MODEL, uid, { ...signIn }, INTERACTION_SECONDS);
  }
}

/** The interaction that a state of the corporate provider belongs to. */
export const readInteraction = (state: string | null): string | undefined =>
  /^([\w-]{1,64})\.[\w-]+$/.exec(state ?? '')?.[1];
