import { resolve } from 'node:path';
import { flagError } from '../errors/workload-error.ts';
import { parseDuration } from './duration.ts';
import type { RemoteAuthConfig } from './remote-sections.ts';
import { parseScopes } from './scopes.ts';
import { readToken } from './token-file.ts';

/** The flags of the credentials for a remote server as typed. */
export interface RemoteAuthFlags {
  readonly remoteAuth?: boolean | undefined;
  readonly remoteAuthIssuer?: string | undefined;
  readonly remoteAuthAuthorizeUrl?: string | undefined;
  readonly remoteAuthTokenUrl?: string | undefined;
  readonly remoteAuthClientId?: string | undefined;
  /** The secret, or a reference to one: `NAME,target=TARGET`. */
  readonly remoteAuthClientSecret?: string | undefined;
  readonly remoteAuthClientSecretFile?: string | undefined;
  /** As {@link remoteAuthClientSecret}. */
  readonly remoteAuthBearerToken?: string | undefined;
  readonly remoteAuthBearerTokenFile?: string | undefined;
  readonly remoteAuthScopes?: readonly string[] | undefined;
  readonly remoteAuthScopeParamName?: string | undefined;
  readonly remoteAuthResource?: string | undefined;
  readonly remoteAuthCallbackPort?: string | undefined;
  readonly remoteAuthSkipBrowser?: boolean | undefined;
  readonly remoteAuthTimeout?: string | undefined;
  readonly resourceUrl?: string | undefined;
  /** Further parameters of the authorization request, from an entry of a registry. */
  readonly remoteAuthParameters?: Readonly<Record<string, string>> | undefined;
}

/** The parameters of an authorization request that the sign-in sets. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'state', 'nonce', 'resource', 'scope'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
]);

/**
 * Parses the credentials of a remote server: a bearer token, or the sign-in of `--remote-auth`.
 * @param folder the folder of relative paths
 * @throws WorkloadError (usage) that names the flag
 */
export function parseRemoteAuth(flags: RemoteAuthFlags, folder: string): RemoteAuthConfig | undefined {
  const bearer = parseBearerToken(flags, folder);
  if (flags.remoteAuth !== true) {
    const idle = listSignInFlags(flags)[0];
    if (idle !== undefined) throw flagError(idle, 'has no effect without --remote-auth, which turns the sign-in on');
    return bearer;
  }
  if (bearer !== undefined)
    throw flagError('--remote-auth', 'and a bearer token both set Authorization; give one of them');
  const { remoteAuthClientId: clientId, remoteAuthResource: resource, remoteAuthScopeParamName: parameter } = flags;
  const scopes = parseScopes('--remote-auth-scopes', flags.remoteAuthScopes);
  const secret = parseClientSecret(flags, folder);
  const timeout = parseTimeout(flags.remoteAuthTimeout);
  const port = parseCallbackPort(flags.remoteAuthCallbackPort);
  return {
    ...(clientId && { client_id: clientId }),
    ...(secret !== undefined && { client_secret: secret }),
    ...(scopes.length > 0 && { scopes }),
    ...(flags.remoteAuthSkipBrowser === true && { skip_browser: true }),
    ...(timeout !== undefined && { timeout }),
    ...(port !== undefined && { callback_port: port }),
    use_pkce: true,
    ...(resource && { resource: parseResource('--remote-auth-resource', resource) }),
    ...(flags.resourceUrl && { resource_url: parseResource('--resource-url', flags.resourceUrl) }),
    ...parseServer(flags, scopes),
    ...(parameter && { scope_param_name: parseParameterName(parameter) }),
    ...(flags.remoteAuthParameters && { oauth_params: flags.remoteAuthParameters }),
  };
}

/** Lists the given flags that belong to the sign-in. */
function listSignInFlags(flags: RemoteAuthFlags): string[] {
  const isSignIn = (name: string) => /^remoteAuth./.test(name) && !name.startsWith('remoteAuthBearerToken');
  return Object.entries(flags as Record<string, unknown>)
    .filter(([name, value]) => isSignIn(name) && isGiven(value))
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);

function parseBearerToken(flags: RemoteAuthFlags, folder: string): RemoteAuthConfig | undefined {
  const { remoteAuthBearerToken: token, remoteAuthBearerTokenFile: file } = flags;
  if (token && file !== undefined)
    throw flagError('--remote-auth-bearer-token', 'cannot be given together with --remote-auth-bearer-token-file');
  if (token) {
    if (!/^[\x21-\x7e]+$/.test(token))
      throw flagError('--remote-auth-bearer-token', 'has blanks or characters that a header cannot have');
    return { bearer_token: token };
  }
  if (file === undefined) return undefined;
  const path = resolve(folder, file);
  readToken(path, `--remote-auth-bearer-token-file ${file}`);
  return { bearer_token_file: path };
}

function parseClientSecret(flags: RemoteAuthFlags, folder: string): string | undefined {
  const { remoteAuthClientSecret: secret, remoteAuthClientSecretFile: file } = flags;
  if (!secret && !file) return undefined;
  const typed = secret ? '--remote-auth-client-secret' : `--remote-auth-client-secret-file ${file ?? ''}`;
  if (secret && file)
    throw flagError('--remote-auth-client-secret', 'cannot be given together with --remote-auth-client-secret-file');
  if (!flags.remoteAuthClientId) throw flagError(typed, 'needs --remote-auth-client-id, which names the client');
  return secret || readToken(resolve(folder, file ?? ''), typed);
}

/** The authorization server: an issuer, or its two endpoints; neither where it is discovered. */
function parseServer(flags: RemoteAuthFlags, scopes: readonly string[]): RemoteAuthConfig {
  const { remoteAuthIssuer: issuer, remoteAuthAuthorizeUrl: authorize, remoteAuthTokenUrl: token } = flags;
  if (issuer && (authorize || token)) {
    const other = authorize ? '--remote-auth-authorize-url' : '--remote-auth-token-url';
    throw flagError(other, 'cannot be given together with --remote-auth-issuer, whose metadata has the endpoints');
  }
  if (issuer) return { issuer: parseEndpoint('--remote-auth-issuer', issuer) };
  if (!authorize && !token) return {};
  if (!authorize || !token)
    throw flagError(
      authorize ? '--remote-auth-authorize-url' : '--remote-auth-token-url',
      `needs ${authorize ? '--remote-auth-token-url' : '--remote-auth-authorize-url'} beside it`,
    );
  if (!flags.remoteAuthClientId)
    throw flagError(
      '--remote-auth-authorize-url',
      'needs --remote-auth-client-id: a client registers itself at an issuer only',
    );
  if (scopes.includes('openid'))
    throw flagError('--remote-auth-scopes openid', 'is for OpenID providers, which are named by --remote-auth-issuer');
  return {
    authorize_url: parseEndpoint('--remote-auth-authorize-url', authorize),
    token_url: parseEndpoint('--remote-auth-token-url', token),
  };
}

/** An address that the user trusts. It may be private; without TLS only on this machine. */
function parseEndpoint(flag: string, text: string): string {
  const typed = `${flag} ${text}`;
  const url = /[\s\p{Cc}\\#]/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw flagError(typed, 'is not a URL such as https://id.example.com');
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) throw flagError(typed, 'must begin with https://');
  return text;
}

/** Whether a host name of a URL is that of this machine. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** A resource indicator is an absolute URI without a fragment (RFC 8707, section 2). */
function parseResource(flag: string, text: string): string {
  const url = /[\s\p{Cc}#]/u.test(text) ? null : URL.parse(text);
  if (url === null || url.host === '') throw flagError(`${flag} ${text}`, 'is not a URL without a fragment');
  if (flag === '--resource-url' && !/^https?:$/.test(url.protocol))
    throw flagError(`${flag} ${text}`, 'is not a URL such as https://mcp.example.com/mcp');
  return text;
}

function parseParameterName(text: string): string {
  const typed = `--remote-auth-scope-param-name ${text}`;
  if (!/^[\w.~-]+$/.test(text)) throw flagError(typed, 'is not the name of a parameter');
  if (text !== 'scope' && OWN_PARAMETERS.has(text)) throw flagError(typed, 'is a parameter that the sign-in sets');
  return text;
}

/** @returns nanoseconds, as exported configurations have them */
const parseTimeout = (text: string | undefined): number | undefined =>
  parseDuration('--remote-auth-timeout', text || undefined, 0) * 1_000_000 || undefined;

function parseCallbackPort(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text === '0') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1024 && port <= 65_535))
    throw flagError(`--remote-auth-callback-port ${text}`, 'is not a port from 1024 to 65535');
  return port;
}
