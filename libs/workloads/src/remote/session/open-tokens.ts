import type { RunConfig } from '../../configuration/run-config.ts';
import { readCertificates } from '../../flags/certificates.ts';
import { openSupervisorSecrets } from '../../secrets/secrets-reader.ts';
import { RemoteTokens } from './remote-tokens.ts';
import { SessionStore } from './session-store.ts';

/**
 * Opens the stored session of a workload with a sign-in for its supervisor.
 * @param clientSecret the secret of the client of the configuration
 * @returns undefined for a server that asked for no sign-in
 */
export async function openRemoteTokens(
  home: string,
  config: RunConfig,
  clientSecret: string | undefined,
  log: (message: string) => void,
): Promise<RemoteTokens | undefined> {
  const store = new SessionStore(openSupervisorSecrets(home), config);
  const session = await store.read();
  if (session === undefined) return undefined;
  const bundle = config.thv_ca_bundle;
  const certificates = bundle ? readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`) : undefined;
  const save = (changed: typeof session) => store.save(changed);
  return new RemoteTokens(session, { name: config.name, clientSecret, certificates, save, log });
}
