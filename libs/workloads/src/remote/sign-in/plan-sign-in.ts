import { readChallenge } from '@gatehouse/oauth-client/challenge';
import { discoverProvider } from '@gatehouse/oauth-client/discovery';
import { InvalidProviderError } from '@gatehouse/oauth-client/errors';
import { discoverProtectedResource } from '@gatehouse/oauth-client/protected-resource';
import type { ProviderHttp, ProviderMetadata } from '@gatehouse/oauth-client/provider';
import type { RunConfig } from '../../configuration/run-config.ts';
import { createSignInHttp, isPrivateHost } from '../session/sign-in-http.ts';

/** Where and for what a workload signs in. */
export interface SignInPlan {
  readonly metadata: ProviderMetadata;
  /** Whether the issuer is known, so that the response must name it (RFC 9207). */
  readonly hasIssuer: boolean;
  readonly http: ProviderHttp;
  readonly allowsPrivate: boolean;
  readonly scopes: readonly string[];
  readonly resource: string;
}

/** The default scopes at an OpenID provider. */
const OPENID_SCOPES = ['openid', 'profile', 'email'];
/** The most authorization servers of one metadata document that are asked. */
const MAX_SERVERS = 3;

/**
 * Finds the authorization server. The sources, the first one that is there: the endpoints and the
 * issuer of the configuration, the metadata of the challenge, those at the well-known addresses of
 * the server (RFC 9728), and the metadata of the server itself (MCP 2025-03-26).
 * @param challenge the value of WWW-Authenticate in the 401 response of the server
 * @param further the scopes that are added to those of these sources
 * @throws ProviderUnavailableError, InvalidProviderError, EgressRefusalError
 */
export async function planSignIn(
  config: RunConfig,
  challenge: string | undefined,
  certificates: string | undefined,
  further: readonly string[] = [],
): Promise<SignInPlan> {
  const section = config.remote_auth_config ?? {};
  const server = new URL(config.remote_url ?? '');
  const typed = section.issuer || section.token_url;
  // Addresses that a document names may be private only where its author is.
  const allowsPrivate = await isPrivateHost(typed ? new URL(typed) : server);
  const http = createSignInHttp({ allowsPrivate, certificates });
  const found = await findServer(config, challenge, http);
  const challenged = challenge === undefined ? undefined : (await readChallenge(challenge)).scopes;
  const scopes = section.scopes?.length
    ? section.scopes
    : chooseScopes(found.metadata, challenged ?? found.scopes, found.hasIssuer);
  return {
    ...{ metadata: found.metadata, hasIssuer: found.hasIssuer, http, allowsPrivate },
    scopes: [...new Set([...scopes, ...further])],
    resource: section.resource || found.resource || section.resource_url || getResource(server),
  };
}

interface FoundServer {
  readonly metadata: ProviderMetadata;
  readonly hasIssuer: boolean;
  readonly resource?: string;
  readonly scopes?: readonly string[] | undefined;
}

async function findServer(
  { remote_auth_config: section, remote_url: url }: RunConfig,
  challenge: string | undefined,
  http: ProviderHttp,
): Promise<FoundServer> {
  const { issuer, authorize_url: authorize, token_url: token, resource_url: typedResource } = section ?? {};
  if (issuer)
    return {
      metadata: await discoverProvider(issuer, http, { prefers: 'openid', requiresPkce: false }),
      hasIssuer: true,
    };
  if (authorize && token) {
    const metadata = {
      issuer: new URL(token).origin,
      authorization_endpoint: authorize,
      token_endpoint: token,
    };
    return { metadata, hasIssuer: false };
  }
  const server = new URL(typedResource || url || '');
  const named = typedResource ? undefined : challenge;
  try {
    const { resource, authorizationServers, scopes } = await discoverProtectedResource(server, http, named);
    return { metadata: await discoverFirst(authorizationServers, http), hasIssuer: true, resource, scopes };
  } catch (failure) {
    if (named !== undefined && (await readChallenge(named)).metadataUrl !== undefined) throw failure;
    // Servers of the first revision with authorization are their own authorization server.
    const metadata = await discoverProvider(server.origin, http, { prefers: 'oauth', requiresPkce: true }).catch(() => {
      throw failure;
    });
    return { metadata, hasIssuer: true };
  }
}

async function discoverFirst(issuers: readonly string[], http: ProviderHttp): Promise<ProviderMetadata> {
  let failure: unknown = new InvalidProviderError('there is no authorization server');
  for (const issuer of issuers.slice(0, MAX_SERVERS)) {
    try {
      return await discoverProvider(issuer, http, { prefers: 'oauth', requiresPkce: true });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * The scopes of the server, else those of an OpenID provider. `offline_access` is added where the
 * authorization server has it, so that the session outlives the sign-in.
 */
function chooseScopes(
  metadata: ProviderMetadata,
  named: readonly string[] | undefined,
  hasIssuer: boolean,
): readonly string[] {
  const supported = metadata.scopes_supported;
  const isOpenId = hasIssuer && metadata['subject_types_supported'] !== undefined;
  const openid = isOpenId ? OPENID_SCOPES.filter((scope) => supported?.includes(scope) !== false) : [];
  const scopes = named ?? openid;
  return supported?.includes('offline_access') === true ? [...new Set([...scopes, 'offline_access'])] : scopes;
}

/** The resource indicator of a server (RFC 8707). Its query can have a secret. */
const getResource = (server: URL): string =>
  server.pathname === '/' ? server.origin : server.origin + server.pathname;
