import { AuthError } from '@gatehouse/auth/auth-error';
import type { TokenVerifier, VerifiedToken } from '@gatehouse/auth/token-verifier';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { Caller } from '@gatehouse/service-kit/access';
import type { CallerRule, RequestedRoute } from '@gatehouse/service-kit/caller-rule';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { KeyDirectory } from './key-directory.ts';
import { type Principal, Principals } from './principals.ts';

/** All virtual keys begin like this. */
const KEY_PREFIX = 'gh_';

/** The parts that identify callers. */
export interface IdentityParts {
  readonly verifier: TokenVerifier;
  /** The address of the gateway, an accepted audience of access tokens. */
  readonly resource: () => string;
  /** Refuses people who are inactive in the directory; undefined without a directory. */
  readonly people: CallerRule | undefined;
  /** Undefined without an enterprise manager. */
  readonly keys: KeyDirectory | undefined;
  /** Whether the AIGateway accepts virtual keys. */
  readonly areKeysEnabled: () => boolean;
}

/** Identifies callers by virtual keys and access tokens. */
export class LivePrincipals extends Principals {
  /** The person of each remembered token. Grants are remembered by the claims of a principal. */
  private readonly people = new WeakMap<VerifiedToken, Person>();
  private readonly callers = new WeakMap<Principal, Caller>();

  constructor(private readonly parts: IdentityParts) {
    super();
  }

  identify(credential: string): Principal | Promise<Principal> {
    if (credential.startsWith(KEY_PREFIX)) return this.identifyKey(credential);
    const { verifier, resource } = this.parts;
    const known = verifier.missing === undefined ? verifier.recall(credential, resource()) : undefined;
    return known === undefined ? this.verify(credential) : this.identifyPerson(known);
  }

  findRefusal(
    credential: string,
    principal: Principal,
  ): ModelCallError | undefined | Promise<ModelCallError | undefined> {
    if (principal.kind === 'key') return this.findKeyRefusal(credential);
    const caller = this.callers.get(principal);
    const refusal = caller && this.parts.people?.findError(caller, ROUTE);
    return refusal instanceof Promise ? refusal.then(toRefusal) : toRefusal(refusal);
  }

  private findKeyRefusal(key: string): ModelCallError | undefined | Promise<ModelCallError | undefined> {
    try {
      const resolved = this.parts.keys?.resolve(key);
      return resolved instanceof Promise ? resolved.then(() => undefined, toKeyRefusal) : undefined;
    } catch (error) {
      return toKeyRefusal(error);
    }
  }

  private identifyKey(key: string): Principal | Promise<Principal> {
    const { keys, areKeysEnabled } = this.parts;
    if (!areKeysEnabled())
      throw new ModelCallError('unauthenticated', 'This gateway does not accept virtual API keys.', {
        reason: 'virtual_keys_disabled',
      });
    if (keys !== undefined) return keys.resolve(key);
    throw new ModelCallError('unavailable', 'The gateway has no enterprise manager, so it cannot check API keys.');
  }

  private async verify(token: string): Promise<Principal> {
    try {
      return await this.identifyPerson(await this.parts.verifier.verify(token, this.parts.resource()));
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      const isMissing = error.code === 'not_configured' || error.code === 'unavailable';
      throw isMissing
        ? new ModelCallError('unavailable', 'The gateway cannot check access tokens now.', {
            reason: error.message,
            cause: error,
          })
        : createTokenRefusal(error);
    }
  }

  private identifyPerson(token: VerifiedToken): Principal | Promise<Principal> {
    let person = this.people.get(token);
    if (person === undefined) {
      if (isGatewayOnly(token.roles)) throw createDenial('the token is that of a gateway');
      person = { caller: { ...token, requestId: '' }, principal: createPrincipal(token) };
      this.people.set(token, person);
      this.callers.set(person.principal, person.caller);
    }
    const { caller, principal } = person;
    const refusal = this.parts.people?.findError(caller, ROUTE);
    if (refusal instanceof Promise) return refusal.then((error) => admit(principal, error));
    return admit(principal, refusal);
  }
}

/** A person, for the directory and for the steps of a call. */
interface Person {
  readonly caller: Caller;
  readonly principal: Principal;
}

const ROUTE: RequestedRoute = { facts: {}, params: {} };

const createPrincipal = ({ issuer, subject, claims }: VerifiedToken): Principal => ({
  id: `user:${issuer} ${subject}`,
  kind: 'person',
  wire: { issuer, subject },
  owner: { issuer, subject },
  claims,
  keyVersion: 0,
});

/** @param refusal why the directory refuses the person */
function admit(principal: Principal, refusal: Error | undefined): Principal {
  if (refusal === undefined) return principal;
  throw toCallError(refusal);
}

/** A key that cannot be checked now refuses no running call. */
const toKeyRefusal = (error: unknown): ModelCallError | undefined =>
  error instanceof ModelCallError && error.failure === 'unauthenticated' ? error : undefined;

/** An activity that is not known refuses no running call. */
function toRefusal(refusal: Error | undefined): ModelCallError | undefined {
  const error = refusal && toCallError(refusal);
  return error?.failure === 'unavailable' ? undefined : error;
}

/** The times of a token are the caller’s own matter. All other reasons are for administrators. */
const TIME_CODES: ReadonlySet<string> = new Set(['expired', 'not_yet_valid']);

const createTokenRefusal = (error: AuthError): ModelCallError =>
  new ModelCallError(
    'unauthenticated',
    `Incorrect API key provided: ${TIME_CODES.has(error.code) ? error.message : 'it is neither a virtual key nor an accepted access token'}.`,
    { reason: error.message, cause: error },
  );

const createDenial = (reason: string): ModelCallError =>
  new ModelCallError('denied', 'You may not use this gateway.', { reason });

const toCallError = (refusal: Error): ModelCallError =>
  'kind' in refusal && refusal.kind === 'unavailable'
    ? new ModelCallError('unavailable', 'The gateway cannot confirm that you are active. Try again later.', {
        reason: refusal.message,
      })
    : createDenial(refusal.message);
