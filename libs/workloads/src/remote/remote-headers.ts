import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { readToken } from '../flags/token-file.ts';
import type { SecretsReader } from '../secrets/secrets-reader.ts';

/** The file with the bearer token for a remote server; undefined without one. */
export function getTokenFile({ remote_auth_config: section }: Pick<RunConfig, 'remote_auth_config'>) {
  const path = section?.['bearer_token_file'];
  return typeof path === 'string' && path !== '' ? path : undefined;
}

/**
 * Reads the headers that the proxy adds to requests to a remote server.
 * @throws WorkloadError (usage, failed) for a file or a secret that cannot be read
 */
export async function readRemoteHeaders(
  config: RunConfig,
  readSecrets: SecretsReader,
): Promise<Record<string, string>> {
  const headers = { ...(await readSecrets()) };
  for (const [name, value] of Object.entries(headers)) {
    // The message has no value.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new WorkloadError('failed', `The secret of the header ${name} has characters that a header cannot have`);
  }
  const file = getTokenFile(config);
  if (file === undefined) return headers;
  const typed = `--remote-auth-bearer-token-file ${file}`;
  const token = readToken(file, typed);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new WorkloadError('usage', `${typed} has a token with blanks or characters that a header cannot have`);
  return { ...headers, authorization: `Bearer ${token}` };
}
