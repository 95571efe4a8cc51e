import { resolve } from 'node:path';
import { findNameProblem } from '@gatehouse/secrets/references/secret-name';
import { flagError } from '../errors/workload-error.ts';
import { readToken } from './token-file.ts';

/** The flags of a remote server as typed. */
export interface RemoteFlags {
  readonly remoteForwardHeadersSecret?: readonly string[] | undefined;
  readonly remoteAuthBearerTokenFile?: string | undefined;
}

/** How the proxy reaches a remote server. */
export interface RequestedRemote {
  /** Names of secrets by header. */
  readonly headerSecrets: Readonly<Record<string, string>>;
  /** The absolute path of the file with the bearer token. */
  readonly tokenFile: string | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers of the connection and of the proxy itself. */
const FORBIDDEN = new Set([
  ...['host', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'http2-settings', 'proxy-authorization'],
  ...['proxy-authenticate', 'proxy-connection', 'transfer-encoding', 'content-length', 'forwarded'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'mcp-session-id'],
]);

/** The flags that concern a container, and their names on the command line. */
const CONTAINER_FLAGS: readonly string[] = [
  ...['env', 'envFile', 'envFileDir', 'secret', 'volume', 'publish', 'network', 'permissionProfile'],
  ...['isolateNetwork', 'allowDockerGateway', 'imageVerification', 'printResolvedOverlays'],
  ...['memory', 'cpus', 'pidsLimit', 'targetHost', 'targetPort', 'label'],
  ...['buildWith', 'caCert', 'runtimeImage', 'runtimeAddPackage', 'runtime', 'kubeContext', 'kubeNamespace'],
];

const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== '' &&
  value !== 'engine' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

/** The flags of a run that decide here. */
type GivenFlags = RemoteFlags & { readonly transport?: string | undefined };

/**
 * Requires that no flag of a container is given for a remote server.
 * @throws WorkloadError (usage) that names the flag
 */
function requireNoContainerFlags(flags: GivenFlags, args: readonly string[]): void {
  if (args.length > 0)
    throw flagError('an argument after --', 'has no meaning for a remote server, which runs already');
  const values = new Map<string, unknown>(Object.entries(flags));
  const given = CONTAINER_FLAGS.find((name) => isGiven(values.get(name)));
  if (given !== undefined) throw flagError(toFlag(given), 'is for servers in containers; a URL is a remote server');
  if (flags.transport?.toLowerCase() === 'stdio')
    throw flagError('--transport stdio', 'has no meaning for a remote server; give streamable-http or sse');
}

/**
 * Parses the flags of a remote server.
 * @param args the arguments after `--`; undefined for a server that is not remote
 * @param folder the folder to which a relative path refers
 * @throws WorkloadError (usage) that names the flag
 */
export function parseRemoteFlags(
  flags: GivenFlags,
  args: readonly string[] | undefined,
  folder: string,
): RequestedRemote {
  const isRemote = args !== undefined;
  if (isRemote) requireNoContainerFlags(flags, args);
  const { remoteForwardHeadersSecret: headers = [], remoteAuthBearerTokenFile: file } = flags;
  if (!isRemote && headers.length > 0)
    throw flagError('--remote-forward-headers-secret', 'is for remote servers; give the URL of one');
  if (!isRemote && file !== undefined)
    throw flagError('--remote-auth-bearer-token-file', 'is for remote servers; give the URL of one');
  const headerSecrets: Record<string, string> = {};
  for (const text of headers) {
    const [, header = '', name = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const lower = header.toLowerCase();
    const typed = `--remote-forward-headers-secret ${TOKEN.test(header) ? header : ''}`.trim();
    if (!TOKEN.test(header) || findNameProblem(name) !== undefined)
      throw flagError(typed, 'is not in the form Header=SECRET, with the name of a secret');
    if (FORBIDDEN.has(lower)) throw flagError(typed, 'names a header that the proxy sets itself');
    if (Object.keys(headerSecrets).some((other) => other.toLowerCase() === lower))
      throw flagError(typed, 'names a header twice');
    headerSecrets[header] = name;
  }
  if (file === undefined) return { headerSecrets, tokenFile: undefined };
  if (Object.keys(headerSecrets).some((header) => header.toLowerCase() === 'authorization'))
    throw flagError('--remote-auth-bearer-token-file', 'and --remote-forward-headers-secret both set Authorization');
  const tokenFile = resolve(folder, file);
  readToken(tokenFile, `--remote-auth-bearer-token-file ${file}`);
  return { headerSecrets, tokenFile };
}
