import { listHeaderReferences } from '../configuration/configured-headers.ts';
import type { ClientSecrets } from '../configuration/client-secrets.ts';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { createSecretsReader } from '../secrets/secrets-reader.ts';
import { readRemoteHeaders } from './remote-headers.ts';
import { RemoteServer } from './remote-server.ts';

/**
 * Opens a server that runs elsewhere, with the headers that its configuration names.
 * @param folder the folder of the home
 */
export async function openRemoteServer(
  folder: string,
  config: RunConfig,
  secrets: ClientSecrets<string>,
  log: (line: string) => void,
): Promise<RemoteServer> {
  const readSecrets = createSecretsReader(folder, { ...config, secrets: listHeaderReferences(config) });
  const headers = await readRemoteHeaders(config, readSecrets, secrets);
  return new RemoteServer(config, headers, await openTokens(folder, config, secrets, log));
}

/** Opens the session of a server with a sign-in. The client of OAuth is loaded for these only. */
async function openTokens(
  folder: string,
  config: RunConfig,
  secrets: ClientSecrets<string>,
  log: (line: string) => void,
) {
  if (!isSignInConfigured(config.remote_auth_config)) return undefined;
  const { openRemoteTokens } = await import('./session/open-tokens.ts');
  return openRemoteTokens(folder, config, secrets.remote_auth, log);
}
