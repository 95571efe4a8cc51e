import { AuthError } from '@gatehouse/auth/auth-error';
import { getResourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { TokenVerifier, VerifiedToken } from '@gatehouse/auth/token-verifier';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CallerCheck, OwnCaller } from '../routes/caller-check.ts';
import type { CallerRule } from '../routes/caller-rule.ts';
import type { RequiredRole } from '../routes/route-facts.ts';
import { countHeader } from './raw-headers.ts';
import { HttpError } from '../errors/http-error.ts';
import { isAdministrative, roleErrorMessage } from '../routes/role-error-message.ts';

/**
 * Lets a request pass when its access token has one of the roles of the route. Runs before the body
 * is read.
 */
export class Guard {
  private readonly hooks = new WeakSet<object>();

  /**
   * @param publicUrl identifier of the protected resource (RFC 9728), accepted as an audience;
   * read for each request, because the port can be chosen late
   * @param hasMetadata whether the port serves the resource's metadata, so that the challenge can
   * name its address
   */
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly publicUrl: () => string,
    private readonly hasMetadata: () => boolean,
    private readonly rule: () => CallerRule | undefined = () => undefined,
  ) {}

  /** The onRequest hook of a route that needs one of `roles`. */
  hook(roles: readonly RequiredRole[]): onRequestHookHandler {
    const hook: onRequestHookHandler = (request, _reply, done) => {
      const { missing } = this.verifier;
      if (missing !== undefined) {
        done(notConfigured(missing));
        return;
      }
      const { authorization } = request.headers;
      const token = bearerToken(authorization);
      if (token === undefined || countHeader(request.raw.rawHeaders, 'authorization') > 1) {
        done(this.challenge(findTokenProblem(authorization, token)));
        return;
      }
      const resource = this.publicUrl();
      const known = this.verifier.recall(token, resource);
      if (known) this.admit(request, known, roles, done);
      else {
        this.verifier.verify(token, resource).then(
          (verified) => this.admit(request, verified, roles, done),
          (error: unknown) => done(this.refusal(error)),
        );
      }
    };
    this.hooks.add(hook);
    return hook;
  }

  /** Whether a hook is of this guard. */
  isOwnHook(hook: object): boolean {
    return this.hooks.has(hook);
  }

  private admit(
    request: FastifyRequest,
    token: VerifiedToken,
    roles: readonly RequiredRole[],
    done: (error?: Error) => void,
  ): void {
    const caller = { ...token, requestId: request.id };
    request.caller = caller;
    const refusal = this.findRoleRefusal(token, roles);
    const rule = refusal === undefined ? this.rule() : undefined;
    if (rule === undefined) {
      done(refusal);
      return;
    }
    const facts = request.routeOptions.config.gatehouse ?? {};
    const route = { facts, params: request.params as Record<string, string | undefined> };
    const decided = attempt(() => rule.findError(caller, route));
    if (decided instanceof Promise) decided.then(done, (error: unknown) => done(toError(error)));
    else done(decided);
  }

  private findRoleRefusal(token: VerifiedToken, roles: readonly RequiredRole[]): HttpError | undefined {
    const isGateway = isGatewayOnly(token.roles);
    for (const role of roles) {
      if (role === 'user' || role === 'any' ? !isGateway : token.roles.has(role)) return undefined;
    }
    if (isAdministrative(roles) && !this.verifier.administrationConfigured)
      return new HttpError('unavailable', 'admin auth not yet configured', { retryAfterMs: 60_000 });
    return new HttpError('forbidden', roleErrorMessage(roles, isGateway));
  }

  private refusal(error: unknown): Error {
    if (!(error instanceof AuthError))
      return error instanceof Error ? error : new Error('token verification failed', { cause: error });
    if (error.code === 'not_configured') return notConfigured(error.message, error);
    if (error.code === 'unavailable') {
      return new HttpError('unavailable', 'the token issuer cannot be reached to check the access token', {
        cause: error,
        retryAfterMs: 2_000,
      });
    }
    return this.challenge(error.message, error);
  }

  /** A request without a token gets a challenge without an error code (RFC 6750 §3). */
  private challenge(problem: string | undefined, cause?: unknown): HttpError {
    const parameters = [
      ...(this.hasMetadata() ? [`resource_metadata="${getResourceMetadataUrl(this.publicUrl())}"`] : []),
      ...(problem === undefined ? [] : ['error="invalid_token"']),
    ];
    return new HttpError('unauthenticated', problem ?? 'this operation needs an access token', {
      cause,
      headers: { 'www-authenticate': ['Bearer', parameters.join(', ')].filter(Boolean).join(' ') },
    });
  }
}

/** The answer to every caller while the service has no token issuer. */
const notConfigured = (reason: string, cause?: unknown): HttpError =>
  new HttpError('unavailable', reason, { cause, violations: [{ field: '', message: reason }] });

/**
 * The onRequest hook of a route whose callers the service itself authenticates. A request passes
 * only when the check returns a caller.
 * @param check read at each request: Nest creates the check after the routes
 */
export const authenticateBy =
  (check: () => CallerCheck): onRequestHookHandler =>
  (request, _reply, done) => {
    authenticate(check, request).then(
      (caller) => {
        request.ownCaller = caller;
        done();
      },
      // `instanceof` would miss errors of another realm and so lose their status (503).
      (error: unknown) =>
        done(
          typeof error === 'object' && error !== null
            ? (error as Error)
            : new Error('a caller check failed', { cause: error }),
        ),
    );
  };

/**
 * Runs the check inside of a promise. Fastify would let the request pass when a check throws
 * `undefined` before it returns a promise.
 */
async function authenticate(check: () => CallerCheck, request: FastifyRequest): Promise<OwnCaller> {
  const caller: unknown = await check().authenticate(request);
  if (typeof caller !== 'object' || caller === null) throw new Error('the caller check returned no caller');
  return caller as OwnCaller;
}

/** Returns a thrown error like any other result. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return toError(error);
  }
}

const toError = (error: unknown): Error =>
  typeof error === 'object' && error !== null
    ? (error as Error)
    : new Error('a rule about callers failed', { cause: error });

function findTokenProblem(header: string | undefined, token: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return token === undefined
    ? 'the Authorization header has no bearer token'
    : 'the request has more than one Authorization header';
}

/** The token of an Authorization header with the scheme Bearer (any case); RFC 6750 §2.1. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}
