import { resolveEnvironment, type EnvironmentRequest } from '@gatehouse/mcp-registry/environment/resolve-environment';
import type { RemoteServer, ServerVariable } from '@gatehouse/mcp-registry/servers/registry-server';
import { WorkloadError } from '../errors/workload-error.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { sanitizeName } from '../flags/workload-name.ts';

/**
 * Completes a command line with an entry of a remote server: its transport, its headers, and with
 * `--remote-auth` its sign-in. Flags of the user win.
 * @param typed the name as it was typed, from which the name of the workload comes
 * @param ask asks a person for the value of a header; undefined without a terminal
 * @throws WorkloadError (usage) that names the missing headers
 */
export async function addRemoteServerFlags(
  typed: string,
  server: RemoteServer,
  flags: RunFlags,
  ask: EnvironmentRequest['ask'],
): Promise<RunFlags> {
  const headers = await resolveHeaders(server, flags, ask);
  return {
    ...flags,
    name: flags.name || sanitizeName(typed.replace(/[./]/g, '-')),
    transport: flags.transport || server.transport,
    stateless: flags.stateless || (server.stateless && server.transport !== 'sse'),
    ...(flags.remoteAuth === true && createSignInFlags(server, flags)),
    remoteForwardHeaders: [...(flags.remoteForwardHeaders ?? []), ...headers],
  };
}

/** The headers of the entry that the user does not give, `Name=Value`. */
async function resolveHeaders(
  { name, headers }: RemoteServer,
  flags: RunFlags,
  ask: EnvironmentRequest['ask'],
): Promise<string[]> {
  const typed = [...(flags.remoteForwardHeaders ?? []), ...(flags.remoteForwardHeadersSecret ?? [])];
  const given = new Set(typed.map((text) => text.replace(/=.*/s, '').trim().toLowerCase()));
  if (flags.remoteAuth === true || flags.remoteAuthBearerToken || flags.remoteAuthBearerTokenFile)
    given.add('authorization');
  const open = headers.filter((header) => !given.has(header.name.toLowerCase()));
  const missing = open.filter(({ required, default: preset }) => required && preset === undefined);
  if (missing.length > 0 && ask === undefined) throw createMissingError(name, missing);
  const resolved = await resolveEnvironment({ server: name, variables: open, supplied: new Map(), ask });
  return resolved.map(({ name: header, value }) => `${header}=${value}`);
}

function createMissingError(server: string, missing: readonly ServerVariable[]): WorkloadError {
  const shown = missing.map(({ name, description }) => (description === '' ? name : `${name} (${description})`));
  return new WorkloadError(
    'usage',
    `${server} needs ${missing.length === 1 ? 'the header' : 'the headers'} ${shown.join(', ')}`,
    missing.map(({ name }) => `--remote-forward-headers-secret ${name}=SECRET   after gatehouse secret set SECRET`),
  );
}

/** The sign-in of the entry, where the user names no authorization server. */
function createSignInFlags({ oauth = {} }: RemoteServer, flags: RunFlags): RunFlags {
  const isTyped = [flags.remoteAuthIssuer, flags.remoteAuthAuthorizeUrl, flags.remoteAuthTokenUrl].some(Boolean);
  const clientId = flags.remoteAuthClientId || (isTyped ? undefined : oauth.client_id);
  const hasEndpoints = !oauth.issuer && clientId !== undefined;
  return {
    remoteAuthClientId: clientId,
    ...(!isTyped && oauth.issuer && { remoteAuthIssuer: oauth.issuer }),
    ...(!isTyped &&
      hasEndpoints && { remoteAuthAuthorizeUrl: oauth.authorize_url, remoteAuthTokenUrl: oauth.token_url }),
    remoteAuthScopes: flags.remoteAuthScopes?.length ? flags.remoteAuthScopes : oauth.scopes,
    remoteAuthResource: flags.remoteAuthResource || oauth.resource,
    remoteAuthCallbackPort: flags.remoteAuthCallbackPort || oauth.callback_port?.toString(),
    remoteAuthParameters: oauth.oauth_params,
  };
}
