/**
 * Authenticates the caller of each request by its access token, as the MCP authorization
 * specification requires: 401 without a valid token, 400 for malformed credentials, 503 while the
 * issuer cannot be asked. The token does not reach the server.
 */
import type { Socket } from 'node:net';
import { AuthError } from '@gatehouse/auth/auth-error';
import { getTokenKey } from '@gatehouse/auth/token-key';
import type { TokenVerifier, VerifiedToken } from '@gatehouse/auth/token-verifier';
import { answerOAuthError } from '../authentication/answer-error.ts';
import { type AuthenticationOptions, listScopes } from '../authentication/authentication-options.ts';
import { formatChallenge } from '../authentication/challenge.ts';
import { readCredentials } from '../authentication/credentials.ts';
import { createLocalClaims } from '../authorization/local-user.ts';
import { describeCauses } from '../authentication/describe-causes.ts';
import { getMetadataUrl, getOwnUrl } from '../authentication/resource-metadata.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { ProxyOptionError } from '../pipeline/option-error.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';

/** Shortest time between two lines of the log about an issuer that does not answer. */
const LOG_PAUSE_MS = 10_000;
const RETRY_SECONDS = '5';

/** The last Authorization header of a connection. Most requests repeat it. */
interface KnownHeader {
  readonly header: string;
  readonly token: string;
  readonly key: string;
}

/** Answers a request whose token is missing or not accepted. */
export type RefuseToken = (
  exchange: Exchange,
  status: 400 | 401,
  error: 'invalid_request' | 'invalid_token' | undefined,
  description: string,
) => 'done';

/** Creates the answers to refused tokens, with their challenge. */
export function createTokenRefusal(options: AuthenticationOptions, trustProxyHeaders: boolean): RefuseToken {
  const scope = listScopes(options).join(' ');
  return (exchange, status, error, description) => {
    const own = getOwnUrl(exchange.request, exchange.path, trustProxyHeaders);
    const challenge = formatChallenge({
      realm: options.issuer,
      resource_metadata: getMetadataUrl(options, own),
      scope,
      error,
      error_description: error && description,
    });
    answerOAuthError(exchange.response, status, error ?? 'invalid_request', description, {
      'www-authenticate': challenge,
    });
    return 'done';
  };
}

/** Creates the pass that verifies access tokens. */
export function createAuthenticationPass(
  options: AuthenticationOptions,
  { refuse, log }: { refuse: RefuseToken; log: (line: ProxyLogLine) => void },
): Pass {
  requireUsableOptions(options);
  let loading: Promise<TokenVerifier> | undefined;
  let verifier: TokenVerifier | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const headers = new WeakMap<Socket, KnownHeader>();
  /** Looks the token up at each request, so that its expiry and the keys of its issuer count. */
  const recall = ({ request: { socket } }: Exchange, header: string, token: string): VerifiedToken | undefined => {
    let known = headers.get(socket);
    if (known?.header !== header) headers.set(socket, (known = { header, token, key: getTokenKey(token) }));
    return verifier?.recall(token, undefined, known.key);
  };
  const accept = (exchange: Exchange, token: string, facts: VerifiedToken): PassResult => {
    const { subject, issuer, claims } = facts;
    exchange.claims = claims;
    exchange.accessToken = token;
    // Equal subjects of two issuers are different callers.
    exchange.subject = options.issuer === undefined ? JSON.stringify([issuer, subject]) : subject;
    exchange.changeHeader('authorization', undefined);
    return 'next';
  };
  const reject = (exchange: Exchange, error: unknown): PassResult => {
    if (isTokenFault(error)) return refuse(exchange, 401, 'invalid_token', `Invalid token: ${error.message}`);
    const now = performance.now();
    if (now - loggedAt >= LOG_PAUSE_MS) {
      loggedAt = now;
      log({ level: 'warn', message: `Access tokens cannot be verified: ${describeCauses(error)}` });
    }
    const description = 'The access token cannot be verified now, because its issuer does not answer; try again.';
    answerOAuthError(exchange.response, 503, 'temporarily_unavailable', description, { 'retry-after': RETRY_SECONDS });
    return 'done';
  };
  const verify = async (exchange: Exchange, token: string): Promise<PassResult> => {
    try {
      loading ??= import('../authentication/create-verifier.ts').then(({ createVerifier }) => createVerifier(options));
      verifier = await loading;
      return accept(exchange, token, await verifier.verify(token));
    } catch (error) {
      return reject(exchange, error);
    }
  };
  return {
    name: 'auth',
    enter(exchange) {
      const { request } = exchange;
      const credentials = readCredentials(request, headers.get(request.socket));
      if (credentials.kind === 'none')
        return refuse(exchange, 401, undefined, 'The request has no bearer token in its Authorization header.');
      if (credentials.kind === 'malformed') return refuse(exchange, 400, 'invalid_request', credentials.reason);
      const { token, header } = credentials;
      const known = recall(exchange, header, token);
      return known === undefined ? verify(exchange, token) : accept(exchange, token, known);
    },
  };
}

function requireUsableOptions({ issuer, jwksUrl, introspectionUrl, resourceUrl }: AuthenticationOptions): void {
  if (issuer === undefined && jwksUrl === undefined)
    throw new ProxyOptionError('authentication', 'Authentication needs an issuer or the address of its keys.');
  for (const [name, url] of Object.entries({ issuer, jwksUrl, introspectionUrl, resourceUrl })) {
    if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) continue;
    throw new ProxyOptionError(`authentication.${name}`, `"${url}" is not a URL like https://id.example.com.`);
  }
}

/** Creates the pass of a proxy without authentication: every caller is the user of this machine. */
export function createLocalUserPass(user: string): Pass {
  const claims = createLocalClaims(user);
  return {
    name: 'auth',
    enter(exchange) {
      exchange.subject = user;
      exchange.claims = claims;
      return 'next';
    },
  };
}

/** Codes of errors that are no fault of the token. */
const OTHER_FAULTS: ReadonlySet<unknown> = new Set(['unavailable', 'not_configured']);

const isTokenFault = (error: unknown): error is AuthError =>
  error instanceof AuthError && !OTHER_FAULTS.has(error.code);
