import { flagError } from '../errors/workload-error.ts';
import { type ForwardHeadersFlags, parseForwardHeaders, setsHeader } from './forward-headers.ts';
import { parseRemoteAuth, type RemoteAuthFlags } from './remote-authentication.ts';
import type { RemoteSections } from './remote-sections.ts';

/** The flags of a remote server as typed. */
export interface RemoteFlags extends ForwardHeadersFlags, RemoteAuthFlags {}

/** The flags that concern a container, and their names on the command line. */
const CONTAINER_FLAGS: readonly string[] = [
  ...['env', 'envFile', 'envFileDir', 'secret', 'volume', 'publish', 'network', 'permissionProfile'],
  ...['isolateNetwork', 'allowDockerGateway', 'imageVerification', 'printResolvedOverlays'],
  ...['memory', 'cpus', 'pidsLimit', 'targetHost', 'targetPort'],
  ...['buildWith', 'caCert', 'runtimeImage', 'runtimeAddPackage'],
];
/** The flags of a cluster, where the sign-in and the secrets of this machine do not exist. */
const CLUSTER_FLAGS: readonly string[] = ['runtime', 'kubeContext', 'kubeNamespace'];

const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== '' &&
  value !== 'engine' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

/** The flags of a run that decide here. */
type GivenFlags = RemoteFlags & {
  readonly transport?: string | undefined;
  readonly tokenExchangeUrl?: string | undefined;
  readonly tokenExchangeHeaderName?: string | undefined;
};

/**
 * Requires that no flag of a container is given for a remote server.
 * @throws WorkloadError (usage) that names the flag
 */
function requireNoContainerFlags(flags: GivenFlags, args: readonly string[]): void {
  if (args.length > 0)
    throw flagError('an argument after --', 'has no meaning for a remote server, which runs already');
  const values = new Map<string, unknown>(Object.entries(flags));
  const find = (names: readonly string[]) => names.find((name) => isGiven(values.get(name)));
  const [given, cluster] = [find(CONTAINER_FLAGS), find(CLUSTER_FLAGS)];
  if (given !== undefined) throw flagError(toFlag(given), 'is for servers in containers; a URL is a remote server');
  if (cluster !== undefined)
    throw flagError(
      toFlag(cluster),
      'is for servers in containers: the proxy of a remote server runs on this machine, which has its credentials',
    );
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
): RemoteSections {
  if (args === undefined) {
    const foreign = Object.entries(flags as Record<string, unknown>).find(
      ([name, value]) => /^remote(?:Auth|ForwardHeaders)/.test(name) && isGiven(value),
    );
    if (foreign !== undefined) throw flagError(toFlag(foreign[0]), 'is for remote servers; give the URL of one');
    return {};
  }
  requireNoContainerFlags(flags, args);
  const headers = parseForwardHeaders(flags);
  const authentication = parseRemoteAuth(flags, folder);
  if (authentication !== undefined) requireOneAuthorization(flags, setsHeader(headers, 'authorization'));
  return {
    ...(authentication !== undefined && { remote_auth_config: authentication }),
    ...(headers !== undefined && { header_forward: headers }),
  };
}

/** One credential is in Authorization. */
function requireOneAuthorization(flags: GivenFlags, isForwarded: boolean): void {
  const typed = flags.remoteAuth
    ? '--remote-auth'
    : flags.remoteAuthBearerToken
      ? '--remote-auth-bearer-token'
      : '--remote-auth-bearer-token-file';
  if (isForwarded) {
    const forward = flags.remoteForwardHeadersSecret?.length
      ? '--remote-forward-headers-secret'
      : '--remote-forward-headers';
    throw flagError(typed, `and ${forward} both set Authorization`);
  }
  const exchanged = flags.tokenExchangeHeaderName?.toLowerCase() ?? 'authorization';
  if (flags.tokenExchangeUrl && exchanged === 'authorization')
    throw flagError(typed, 'and --token-exchange-url both set Authorization', '--token-exchange-header-name HEADER');
}
