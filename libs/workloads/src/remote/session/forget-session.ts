import type { SecretsProvider } from '@gatehouse/secrets/secrets-provider';
import { listClientReferences } from '../../configuration/client-secrets.ts';
import { isSignInConfigured } from '../../configuration/remote-sign-in.ts';
import type { RunConfig } from '../../configuration/run-config.ts';
import { getErrorMessage } from '../../errors/workload-error.ts';
import { readCertificates } from '../../flags/certificates.ts';
import type { SecretsSettingsSource } from '../../secrets/check-secrets.ts';
import type { RemoteSession } from './remote-session.ts';

/** The longest time of a removal for the authorization server. */
const REVOCATION_SECONDS = 5;

/**
 * Revokes and deletes the tokens of a workload that is removed. A store that needs a password which
 * only a person has keeps them: they are of no use for another server.
 * @param warn receives the reason where the tokens stay valid at the authorization server
 */
export async function forgetSession(
  config: RunConfig | undefined,
  loadSettings: SecretsSettingsSource | undefined,
  warn: (message: string) => void = () => undefined,
): Promise<void> {
  if (config === undefined || loadSettings === undefined || !isSignInConfigured(config.remote_auth_config)) return;
  const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
  const { SecretsError } = await import('@gatehouse/secrets/secrets-error');
  const { SessionStore } = await import('./session-store.ts');
  try {
    const settings = await loadSettings();
    const passwords = { ...settings.passwords, ask: undefined };
    const secrets = openSecrets({ ...settings, passwords });
    const store = new SessionStore(secrets, config);
    const session = await store.read();
    await store.delete();
    if (session !== undefined) await revoke(session, config, secrets, warn);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
  }
}

/** A server without an endpoint for it (RFC 7009) ends the tokens by their time. */
async function revoke(
  session: RemoteSession,
  config: RunConfig,
  secrets: SecretsProvider,
  warn: (message: string) => void,
): Promise<void> {
  const { refresh_token: refreshToken, access_token: accessToken, issuer } = session;
  const token = refreshToken ?? accessToken;
  if (session.revocation_endpoint === undefined || token === undefined) return;
  try {
    const { resolveSecrets } = await import('@gatehouse/secrets/references/resolve-secrets');
    const { revokeToken } = await import('@gatehouse/oauth-client/tokens');
    const { createSessionProvider } = await import('./session-provider.ts');
    const { remote_auth: reference } = listClientReferences(config);
    const clientSecret = reference && (await resolveSecrets([reference], secrets))[reference.target];
    const bundle = config.thv_ca_bundle;
    const certificates = bundle ? readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`) : undefined;
    const provider = createSessionProvider(session, { clientSecret, certificates }, REVOCATION_SECONDS);
    await revokeToken(provider, token, refreshToken === undefined ? 'access_token' : 'refresh_token');
  } catch (error) {
    warn(
      `The tokens of ${config.name} are deleted here, and ${issuer} has not revoked them: ${getErrorMessage(error)}. End the session there if they must not stay valid.`,
    );
  }
}
