import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { classifyAddress } from '@gatehouse/egress/address';
import type { AuthenticationSections, OidcConfig } from './authentication-sections.ts';
import { flagError } from '../errors/workload-error.ts';
import { parseScopes } from './scopes.ts';
import { readToken } from './token-file.ts';
import { parseTokenExchange, type TokenExchangeFlags } from './token-exchange.ts';

/** The flags of incoming authentication as typed. */
export interface AuthenticationFlags extends TokenExchangeFlags {
  /** With the sign-in to a remote server, `resourceUrl` belongs to that. */
  readonly remoteAuth?: boolean | undefined;
  readonly oidcIssuer?: string | undefined;
  readonly oidcAudience?: string | undefined;
  readonly oidcClientId?: string | undefined;
  /** The secret, or a reference to one: `NAME,target=TARGET`. */
  readonly oidcClientSecret?: string | undefined;
  readonly oidcIntrospectionUrl?: string | undefined;
  readonly oidcJwksUrl?: string | undefined;
  readonly oidcScopes?: readonly string[] | undefined;
  readonly oidcInsecureAllowHttp?: boolean | undefined;
  readonly jwksAllowPrivateIp?: boolean | undefined;
  readonly jwksAuthTokenFile?: string | undefined;
  readonly resourceUrl?: string | undefined;
}

/** The authentication of a command line. */
export interface RequestedAuthentication {
  readonly sections: AuthenticationSections;
  readonly warnings: readonly string[];
}

/** The names of the flags of {@link AuthenticationFlags}. */
const OIDC_FLAG = /^(?:oidc|jwks|resourceUrl$|tokenExchange)/;
/** Hosts of endpoints for tokens that do not follow RFC 7662. */
const FOREIGN_INTROSPECTION = /^https:\/\/(?:oauth2\.googleapis\.com\/tokeninfo|api\.github\.com\/applications\/)/;

/**
 * Parses the flags of incoming authentication and of token exchange.
 * @param surroundings.folder the folder of relative paths
 * @param surroundings.caBundle the absolute path of `--gatehouse-ca-bundle`
 * @param surroundings.speaksStdio whether the server is known to have no headers
 * @throws WorkloadError (usage) that names the flag
 */
export function parseAuthenticationFlags(
  flags: AuthenticationFlags,
  surroundings: { readonly folder: string; readonly caBundle: string | undefined; readonly speaksStdio: boolean },
): RequestedAuthentication {
  const { oidcIssuer, oidcJwksUrl } = flags;
  if (!oidcIssuer && !oidcJwksUrl) {
    const idle = findIdleFlag(flags);
    if (idle === undefined) return { sections: {}, warnings: [] };
    throw flagError(idle, 'has no effect without --oidc-issuer or --oidc-jwks-url, which name the accepted tokens');
  }
  const exchange = parseTokenExchange(flags, surroundings.folder, (flag, value) => parseEndpoint(flag, value, flags));
  if (exchange !== undefined && surroundings.speaksStdio)
    throw flagError('--token-exchange-url', 'is for servers on HTTP: a stdio server has no headers for a token');
  const tokenFile = parseTokenFile(flags.jwksAuthTokenFile, surroundings.folder);
  return {
    sections: {
      oidc_config: createOidcConfig(flags, { tokenFile, caBundle: surroundings.caBundle }),
      ...(exchange !== undefined && { token_exchange_config: exchange }),
      ...(tokenFile !== undefined && { jwks_auth_token_file: tokenFile }),
    },
    warnings: listWarnings(flags),
  };
}

/** Returns the first flag that needs an issuer. */
const findIdleFlag = (flags: AuthenticationFlags): string | undefined =>
  Object.entries(flags)
    .filter(([name, value]) => OIDC_FLAG.test(name) && value !== false && isGiven(value))
    .filter(([name]) => name !== 'resourceUrl' || flags.remoteAuth !== true)
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)[0];

const isGiven = (value: unknown): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length > 0 : value !== undefined;

function createOidcConfig(
  flags: AuthenticationFlags,
  { tokenFile, caBundle }: { tokenFile: string | undefined; caBundle: string | undefined },
): OidcConfig {
  const { oidcIssuer: issuer, oidcJwksUrl: jwks, oidcIntrospectionUrl: introspection, resourceUrl } = flags;
  if (flags.oidcClientSecret && !flags.oidcClientId)
    throw flagError('--oidc-client-secret', 'needs --oidc-client-id, which names the client');
  if (introspection !== undefined && FOREIGN_INTROSPECTION.test(introspection))
    throw flagError(`--oidc-introspection-url ${introspection}`, 'is not an introspection endpoint of RFC 7662');
  const scopes = parseScopes('--oidc-scopes', flags.oidcScopes);
  return {
    ...(issuer && { Issuer: parseEndpoint('--oidc-issuer', issuer, flags) }),
    ...(flags.oidcAudience && { Audience: flags.oidcAudience }),
    ...(jwks && { JWKSURL: parseEndpoint('--oidc-jwks-url', jwks, flags) }),
    ...(introspection && { IntrospectionURL: parseEndpoint('--oidc-introspection-url', introspection, flags) }),
    ...(flags.oidcClientId && { ClientID: flags.oidcClientId }),
    ...(flags.oidcClientSecret && { ClientSecret: flags.oidcClientSecret }),
    ...(resourceUrl && flags.remoteAuth !== true && { ResourceURL: parseResourceUrl(resourceUrl) }),
    ...(scopes.length > 0 && { Scopes: scopes }),
    ...(flags.jwksAllowPrivateIp === true && { AllowPrivateIP: true }),
    ...(flags.oidcInsecureAllowHttp === true && { InsecureAllowHTTP: true }),
    ...(tokenFile !== undefined && { AuthTokenFile: tokenFile }),
    ...(caBundle !== undefined && { CACertPath: caBundle }),
  };
}

/** An address that the proxy requests: https, and not private unless the flags allow it. */
function parseEndpoint(flag: string, text: string, flags: AuthenticationFlags): string {
  const typed = `${flag} ${text}`;
  const url = /[\s\p{Cc}\\#]/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw flagError(typed, 'is not a URL such as https://id.example.com');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const kind = host === 'localhost' ? 'loopback' : isIP(host) === 0 ? 'public' : classifyAddress(host);
  if (kind === 'forbidden') throw flagError(typed, 'is a link-local or reserved address, which is never called');
  const isLocal = kind === 'loopback' && flag !== '--oidc-issuer';
  if (url.protocol === 'http:' && flags.oidcInsecureAllowHttp !== true && !isLocal)
    throw flagError(typed, 'must begin with https://', '--oidc-insecure-allow-http   for local development');
  if (kind !== 'public' && flags.jwksAllowPrivateIp !== true)
    throw flagError(typed, 'is a private address', '--jwks-allow-private-ip   allows it');
  return text;
}

function parseResourceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || text.includes('#'))
    throw flagError(`--resource-url ${text}`, 'is not a URL such as https://mcp.example.com/mcp');
  return text;
}

function parseTokenFile(typed: string | undefined, folder: string): string | undefined {
  if (!typed) return undefined;
  const path = resolve(folder, typed);
  readToken(path, `--jwks-auth-token-file ${typed}`);
  return path;
}

function listWarnings(flags: AuthenticationFlags): string[] {
  return [
    ...(flags.oidcAudience
      ? []
      : ['without --oidc-audience, tokens that the issuer gives for other services are accepted too']),
    ...(flags.oidcClientSecret && !flags.oidcIntrospectionUrl
      ? ['--oidc-client-secret has no effect without --oidc-introspection-url']
      : []),
  ];
}
