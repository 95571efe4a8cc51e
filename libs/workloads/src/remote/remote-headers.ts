import type { ClientSecrets } from '../configuration/client-secrets.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { readToken } from '../flags/token-file.ts';
import type { SecretsReader } from '../secrets/secrets-reader.ts';

/** The name of the bearer token of a configuration, for messages; undefined without one. */
export function describeBearerToken({ remote_auth_config: section }: Pick<RunConfig, 'remote_auth_config'>) {
  if (section?.bearer_token) return '--remote-auth-bearer-token';
  return section?.bearer_token_file ? '--remote-auth-bearer-token-file' : undefined;
}

/**
 * Reads the headers that the proxy adds to requests to a remote server.
 * @throws WorkloadError (usage, failed) for a file or a secret that cannot be read
 */
export async function readRemoteHeaders(
  config: RunConfig,
  readSecrets: SecretsReader,
  { remote_bearer: bearer }: ClientSecrets<string>,
): Promise<Record<string, string>> {
  const headers = { ...(await readSecrets()) };
  for (const [name, value] of Object.entries(headers)) {
    // The message has no value.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new WorkloadError('failed', `The secret of the header ${name} has characters that a header cannot have`);
  }
  const token = bearer ?? readTokenFile(config);
  if (token === undefined) return headers;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new WorkloadError(
      'usage',
      `${describeBearerToken(config) ?? 'the token'} has a token with blanks or characters that a header cannot have`,
    );
  return { ...headers, authorization: `Bearer ${token}` };
}

function readTokenFile({ remote_auth_config: section }: RunConfig): string | undefined {
  const file = section?.bearer_token_file;
  return file ? readToken(file, `--remote-auth-bearer-token-file ${file}`) : undefined;
}
