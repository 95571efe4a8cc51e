import { isIP } from 'node:net';
import { basename, resolve } from 'node:path';
import type { LocalServer, RemoteServer } from '@gatehouse/mcp-registry/servers/registry-server';
import type { RegistrySource } from '@gatehouse/mcp-registry/sources/registry-source';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import type { RequestedAuthorization } from '../authorization/authorization-file.ts';
import { parseAuditFlags, type RequestedAudit } from './audit.ts';
import { type AuthenticationFlags, parseAuthenticationFlags } from './authentication.ts';
import type { AuthenticationSections } from './authentication-sections.ts';
import { mergeEnvironments, parseEnvironment, readEnvironmentFile, readEnvironmentFolder } from './environment.ts';
import { flagError } from '../errors/workload-error.ts';
import { parseGoDuration } from './go-duration.ts';
import { DEFAULT_GROUP, requireGroupName } from './group-name.ts';
import { chooseIsolation } from './isolation.ts';
import { parseVerificationMode, type VerificationMode } from './image-verification.ts';
import { readCertificates } from './certificates.ts';
import { parseEndpointPrefix } from './endpoint-prefix.ts';
import { parseLabels } from './labels.ts';
import type { Mount } from '../mounts/mount.ts';
import { parseMounts } from './mounts.ts';
import { parseOrigins } from './origins.ts';
import { parseProxyMode, type ProxyMode } from './proxy-mode.ts';
import { type ClusterFlags, parseCluster } from './cluster-flags.ts';
import type { ClusterSelection } from './cluster-address.ts';
import { canPublishPorts, parsePublish, parseWhole, type PublishedPort } from './ports.ts';
import { readRequestedProfile, type RequestedProfile } from '../permissions/requested-profile.ts';
import { parseLimits, type ResourceLimits } from './resource-limits.ts';
import { type BuildFlags, type BuildRequest, listIdleBuildFlags, parseBuildFlags } from './build-flags.ts';
import { getPackageName } from './package-reference.ts';
import { parseTelemetryFlags, type TelemetryFlags } from './telemetry.ts';
import type { TelemetryConfig } from './telemetry-section.ts';
import { parseToolFlags, type RequestedTools } from './tools.ts';
import { classifySource, resolveFolder, type Source } from './source.ts';
import { parseRemoteFlags, type RemoteFlags } from './remote.ts';
import type { RemoteSections } from './remote-sections.ts';
import { getImageName, sanitizeName } from './workload-name.ts';
import type { RequestedWebhooks } from './webhook-files.ts';

/** A transport of MCP that this version serves. */
export type Transport = 'stdio' | 'sse' | 'streamable-http';

/** The flags of `run` as typed. A flag that was not given is undefined or an empty list. */
export interface RunFlags extends BuildFlags, ClusterFlags, RemoteFlags, AuthenticationFlags, TelemetryFlags {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
  readonly envFile?: string | undefined;
  readonly envFileDir?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly volume?: readonly string[] | undefined;
  readonly publish?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly isolateNetwork?: boolean | undefined;
  readonly allowDockerGateway?: boolean | undefined;
  readonly imageVerification?: string | undefined;
  readonly gatehouseCaBundle?: string | undefined;
  readonly permissionProfile?: string | undefined;
  readonly ignoreGlobally?: boolean | undefined;
  readonly printResolvedOverlays?: boolean | undefined;
  readonly memory?: string | undefined;
  readonly cpus?: string | undefined;
  readonly pidsLimit?: string | undefined;
  readonly transport?: string | undefined;
  readonly proxyMode?: string | undefined;
  readonly host?: string | undefined;
  readonly proxyPort?: string | undefined;
  readonly targetHost?: string | undefined;
  readonly targetPort?: string | undefined;
  readonly endpointPrefix?: string | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly trustProxyHeaders?: boolean | undefined;
  readonly enableAudit?: boolean | undefined;
  readonly auditConfig?: string | undefined;
  readonly authzConfig?: string | undefined;
  readonly webhookConfig?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly toolsOverride?: string | undefined;
  readonly strictProtocolValidation?: boolean | undefined;
  readonly stateless?: boolean | undefined;
  readonly maxRequestBodySize?: string | undefined;
  readonly proxyReadTimeout?: string | undefined;
  readonly sessionTtl?: string | undefined;
  readonly requestTimeout?: string | undefined;
  readonly startTimeout?: string | undefined;
  readonly debug?: boolean | undefined;
}

/**
 * The parsed command line of `run`, checked as far as possible without an engine. Times are in
 * milliseconds, sizes in bytes.
 */
export interface RunRequest {
  readonly source: Source;
  /** The credentials for a remote server. Their values are stored as secrets before the start. */
  readonly remote: RemoteSections;
  /** The entry of the registry that names the source; undefined for every other source. */
  readonly server: LocalServer | undefined;
  /** The entry of a remote server that names the source. */
  readonly remoteServer?: Pick<RemoteServer, 'name' | 'proxyPort'> | undefined;
  /** The registry of this entry. */
  readonly registry: RegistrySource | undefined;
  readonly build: BuildRequest;
  readonly args: readonly string[];
  readonly name: string;
  readonly group: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly SecretReference[];
  readonly mounts: readonly Mount[];
  readonly publish: readonly PublishedPort[];
  /** Network mode of the engine; undefined: the workload gets its own bridge network. */
  readonly network: string | undefined;
  /** The value of `--isolate-network`; undefined without the flag. */
  readonly isolateNetwork: boolean | undefined;
  readonly allowDockerGateway: boolean;
  /** Undefined: the profile of the registry, or the default one. */
  readonly profile: RequestedProfile | undefined;
  /** Whether the rules of the user's ignore file apply too. */
  readonly ignoreGlobally: boolean;
  readonly printOverlays: boolean;
  readonly limits: ResourceLimits;
  /** Undefined: the mode of the settings. */
  readonly imageVerification: VerificationMode | undefined;
  /** The absolute path of a file with certificates for the HTTP calls of this program. */
  readonly caBundle: string | undefined;
  /** Undefined: the label of the image decides; without one it is streamable-http. */
  readonly transport: Transport | undefined;
  /** How the proxy serves a stdio server. */
  readonly proxyMode: ProxyMode;
  /** Address or host name on which the proxy listens. */
  readonly host: string;
  readonly proxyPort: number | undefined;
  readonly targetHost: string | undefined;
  readonly targetPort: number | undefined;
  /** The path that a reverse proxy takes off, for the endpoints of SSE streams; empty: none. */
  readonly endpointPrefix: string;
  readonly allowedOrigins: readonly string[] | undefined;
  readonly trustProxyHeaders: boolean;
  /** The authentication of clients, and the exchange of their tokens. */
  readonly authentication: AuthenticationSections;
  readonly tools: RequestedTools;
  /** Undefined: nothing is audited. */
  readonly audit: RequestedAudit | undefined;
  /** Undefined: callers may use everything. */
  readonly authorization?: RequestedAuthorization | undefined;
  /** Undefined: requests are neither traced nor measured. */
  readonly telemetry?: TelemetryConfig | undefined;
  /** Undefined: there are none. */
  readonly webhooks?: RequestedWebhooks | undefined;
  readonly strictProtocolValidation: boolean;
  readonly stateless: boolean;
  readonly maxRequestBodyBytes: number;
  readonly proxyReadTimeoutMs: number;
  readonly sessionTtlMs: number;
  /** Undefined: 10 minutes, without a limit for a request that asks for progress. */
  readonly requestTimeoutMs: number | undefined;
  readonly startTimeoutMs: number;
  /** The cluster in which the workload runs; undefined: the container engine. */
  readonly cluster: ClusterSelection | undefined;
  readonly debug: boolean;
  /** Values that were changed or ignored, one sentence each. */
  readonly warnings: readonly string[];
}

/** The maximum delay of a Node timer. */
const MAX_DURATION_MS = 2 ** 31 - 1;
const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/;
const NETWORK_MODE = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/;
const BRIDGES = ['', 'bridge', 'default'];

function parseDuration(flag: string, text: string | undefined, whenZero: number): number {
  if (text === undefined) return whenZero;
  const milliseconds = parseGoDuration(text.trim());
  if (milliseconds === undefined) {
    throw flagError(`${flag} ${text}`, 'is not a duration; write it like 30s, 1m or 2m30s');
  }
  if (milliseconds < 0) throw flagError(`${flag} ${text}`, 'is negative; give a positive duration');
  if (milliseconds > MAX_DURATION_MS) throw flagError(`${flag} ${text}`, 'is longer than the maximum of 596h');
  return milliseconds === 0 ? whenZero : Math.max(1, Math.round(milliseconds));
}

function parsePort(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = parseWhole(text);
  if (value === undefined || value > 65_535)
    throw flagError(`${flag} ${text}`, 'is not a port; give a number from 1 to 65535');
  return value === 0 ? undefined : value;
}

function parseTransport(text: string | undefined): Transport | undefined {
  if (text === undefined || text === '') return undefined;
  const known = ['stdio', 'sse', 'streamable-http'].find((name) => text === name || text === name.toUpperCase());
  if (known === undefined)
    throw flagError(`--transport ${text}`, 'is not a transport; give stdio, sse or streamable-http');
  return known as Transport;
}

function parseHostName(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(bare) !== 0) return bare;
  if (!HOST_NAME.test(text) || /^[0-9.]+$/.test(text))
    throw flagError(`${flag} ${text}`, 'is neither an IP address nor a host name');
  return text.toLowerCase();
}

function parseNetwork(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || BRIDGES.includes(text)) return undefined;
  if (!NETWORK_MODE.test(text))
    throw flagError(`${flag} ${text}`, 'is not a network name; give host, none or the name of a network');
  return text;
}

/** Reads the network mode of the flag, else that of the profile. */
const chooseNetwork = (flags: RunFlags, profile: RequestedProfile | undefined): string | undefined =>
  flags.network === undefined
    ? parseNetwork(
        `--permission-profile ${flags.permissionProfile ?? ''}: network.mode`,
        profile?.profile.network?.mode,
      )
    : parseNetwork('--network', flags.network);

function parseBodySize(text: string | undefined): number {
  const eightMebibytes = 8 * 1024 * 1024;
  if (text === undefined) return eightMebibytes;
  if (/^-[0-9]+$/.test(text)) throw flagError(`--max-request-body-size ${text}`, 'is negative');
  const value = parseWhole(text);
  if (value === undefined) throw flagError(`--max-request-body-size ${text}`, 'is not a whole number of bytes');
  return value === 0 ? eightMebibytes : value;
}

function parseCaBundle(path: string | undefined, folder: string): string | undefined {
  if (path === undefined) return undefined;
  const absolute = resolve(folder, path);
  readCertificates(absolute, `--gatehouse-ca-bundle ${path}`);
  return absolute;
}

/** Returns the first given flag that only applies to servers that listen on a port. */
export function findHttpOnlyFlag(given: {
  readonly stateless: boolean;
  readonly target_host?: string | undefined;
  readonly target_port?: string | number | undefined;
}): string | undefined {
  if (given.stateless) return '--stateless';
  if (given.target_host !== undefined) return '--target-host';
  return given.target_port === undefined ? undefined : '--target-port';
}

/**
 * Parses and checks the command line of `run`. Starts nothing.
 * @param positional the server: an image, a package scheme or a URL
 * @param args the arguments after `--`, for the server
 * @param folder the folder to which relative paths refer
 * @throws WorkloadError (usage); its message names the flag.
 */
export function parseRunFlags(
  positional: string,
  args: readonly string[],
  flags: RunFlags,
  folder: string,
): RunRequest {
  const typed = classifySource(positional);
  const source = resolveFolder(typed, folder);
  if (args.some((arg) => arg.includes('\0'))) throw flagError('an argument after --', 'contains a NUL character');
  const { name, warnings: nameWarnings } = parseName(flags.name, typed, folder);
  const { environment, warnings: environmentWarnings } = readEnvironment(flags);
  const profile =
    flags.permissionProfile === undefined ? undefined : readRequestedProfile(flags.permissionProfile, folder);
  const networking = parseNetworking(flags, chooseNetwork(flags, profile), source.kind);
  const isIsolated = chooseIsolation(flags.isolateNetwork, networking.network ?? '');
  const { warnings: passWarnings, ...passes } = parsePasses({ ...flags, name }, folder, networking, source.kind);
  return {
    source,
    remote: parseRemoteFlags(flags, source.kind === 'remote' ? args : undefined, folder),
    server: undefined,
    registry: undefined,
    build: parseBuildFlags(flags, source.kind === 'package' ? source.reference.scheme : undefined, folder),
    args,
    name,
    group: requireGroupName('--group', flags.group ?? DEFAULT_GROUP),
    labels: parseLabels(flags.label ?? []),
    environment,
    secrets: (flags.secret ?? []).map((text) => SecretReference.parse(text)),
    mounts: parseMounts(flags.volume ?? [], folder),
    ...networking,
    isolateNetwork: flags.isolateNetwork,
    allowDockerGateway: flags.allowDockerGateway ?? false,
    profile,
    ignoreGlobally: flags.ignoreGlobally ?? true,
    printOverlays: flags.printResolvedOverlays ?? false,
    limits: parseLimits(flags),
    imageVerification: parseVerificationMode(flags.imageVerification),
    host: parseHostName('--host', flags.host) ?? '127.0.0.1',
    targetHost: parseHostName('--target-host', flags.targetHost),
    targetPort: parsePort('--target-port', flags.targetPort),
    ...parseClientFlags(flags),
    ...passes,
    strictProtocolValidation: flags.strictProtocolValidation ?? false,
    stateless: flags.stateless ?? false,
    maxRequestBodyBytes: parseBodySize(flags.maxRequestBodySize),
    proxyReadTimeoutMs: parseDuration('--proxy-read-timeout', flags.proxyReadTimeout, 30_000),
    sessionTtlMs: parseDuration('--session-ttl', flags.sessionTtl, 2 * 3_600_000),
    requestTimeoutMs: parseDuration('--request-timeout', flags.requestTimeout, 0) || undefined,
    startTimeoutMs: parseDuration('--start-timeout', flags.startTimeout, 60_000),
    cluster: parseCluster(flags),
    debug: flags.debug ?? false,
    warnings: [
      ...nameWarnings,
      ...environmentWarnings,
      ...(profile?.warnings ?? []),
      ...passWarnings,
      ...listIdleFlags(flags, source.kind, isIsolated),
    ],
  };
}

/** Parses the flags that say how clients reach the proxy. */
const parseClientFlags = (
  flags: RunFlags,
): Pick<RunRequest, 'endpointPrefix' | 'allowedOrigins' | 'trustProxyHeaders'> => ({
  endpointPrefix: parseEndpointPrefix(flags.endpointPrefix),
  allowedOrigins: flags.allowedOrigins?.length ? parseOrigins(flags.allowedOrigins) : undefined,
  trustProxyHeaders: flags.trustProxyHeaders ?? false,
});

/** Parses the flags of the passes of the proxy. */
function parsePasses(
  flags: RunFlags & { readonly name: string },
  folder: string,
  { transport }: Pick<RunRequest, 'transport'>,
  kind: Source['kind'],
): Pick<RunRequest, 'proxyMode' | 'caBundle' | 'authentication' | 'tools' | 'audit' | 'telemetry' | 'warnings'> {
  const caBundle = parseCaBundle(flags.gatehouseCaBundle, folder);
  const speaksStdio = (transport ?? (kind === 'package' ? 'stdio' : undefined)) === 'stdio';
  const { sections, warnings } = parseAuthenticationFlags(flags, { folder, caBundle, speaksStdio });
  const telemetry = parseTelemetryFlags(flags, flags.name);
  const { proxyMode, warnings: modeWarnings } = parseProxyMode(flags.proxyMode, transport, kind);
  return {
    proxyMode,
    caBundle,
    authentication: sections,
    tools: parseToolFlags(flags, folder),
    audit: parseAuditFlags(flags, folder),
    telemetry: telemetry.config,
    warnings: [...warnings, ...telemetry.warnings, ...modeWarnings],
  };
}

/** Warns of flags that have no effect together with the others. */
function listIdleFlags(flags: RunFlags, kind: Source['kind'], isIsolated: boolean): string[] {
  const idle = kind === 'image' ? listIdleBuildFlags(flags) : [];
  return [
    ...idle.map((flag) => `${flag} has no effect: the image is not built; it is for uvx://, npx:// and go:// packages`),
    ...(flags.allowDockerGateway === true && !isIsolated
      ? ['--allow-docker-gateway has no effect without network isolation: the server reaches this machine anyway']
      : []),
  ];
}

/** The current folder has the name of its path. */
function getSourceName(source: Source, folder: string): string {
  if (source.kind === 'remote') return sanitizeName(source.url.hostname.replace(/[^a-z0-9]+/g, '-'));
  if (source.kind === 'image') return getImageName(source.image);
  return sanitizeName(getPackageName(source.reference) || basename(folder));
}

/** Takes the name from `--name`, made valid where needed; without it, from the source. */
function parseName(typed: string | undefined, source: Source, folder: string): { name: string; warnings: string[] } {
  if (typed?.includes('\0')) throw flagError('--name', 'contains a NUL character');
  if (typed === undefined || typed === '') return { name: getSourceName(source, folder), warnings: [] };
  const name = sanitizeName(typed);
  if (name === typed) return { name, warnings: [] };
  return { name, warnings: [`the name '${typed}' cannot name a container; '${name}' is used instead`] };
}

/** Merges the variables of `--env-file-dir`, `--env-file` and `--env`; the later one wins. */
function readEnvironment(flags: RunFlags): Pick<RunRequest, 'environment' | 'warnings'> {
  const folder = flags.envFileDir === undefined ? undefined : readEnvironmentFolder(flags.envFileDir);
  const file = flags.envFile === undefined ? undefined : readEnvironmentFile(flags.envFile);
  const environment = mergeEnvironments(folder?.variables, file?.variables, parseEnvironment(flags.env ?? []));
  return { environment, warnings: [...(folder?.warnings ?? []), ...(file?.warnings ?? [])] };
}

/** Parses the flags that depend on each other: network, ports and transport. */
function parseNetworking(
  flags: RunFlags,
  network: string | undefined,
  kind: Source['kind'],
): Pick<RunRequest, 'network' | 'publish' | 'proxyPort' | 'transport'> {
  const publish = parsePublish(flags.publish ?? []);
  const proxyPort = parsePort('--proxy-port', flags.proxyPort);
  if (publish.length > 0 && network !== undefined && !canPublishPorts(network)) {
    throw flagError('--publish', `cannot be used with --network ${network}, which has no ports of its own`);
  }
  if (proxyPort !== undefined && publish.some((spec) => spec.host === proxyPort)) {
    throw flagError(`--proxy-port ${proxyPort}`, 'is also a host port of --publish');
  }
  const transport = parseTransport(flags.transport);
  const httpOnly = findHttpOnlyFlag({
    stateless: flags.stateless ?? false,
    target_host: flags.targetHost,
    target_port: flags.targetPort,
  });
  if (transport === 'stdio' && httpOnly !== undefined) {
    throw flagError(httpOnly, 'is for servers that listen on a port; it has no meaning with --transport stdio');
  }
  if (transport === 'sse' && flags.stateless === true)
    throw flagError('--stateless', 'is for streamable-http servers; it has no meaning with --transport sse');
  if (kind === 'package' && transport === undefined && httpOnly !== undefined) {
    throw flagError(
      httpOnly,
      'is for servers that listen on a port; packages speak stdio by default',
      '--transport streamable-http   if this one does not',
    );
  }
  if (network === 'none' && transport !== undefined && transport !== 'stdio') {
    throw flagError(
      '--network none',
      `leaves no way to reach a server that speaks ${transport}`,
      'use --transport stdio',
    );
  }
  return { network, publish, proxyPort, transport };
}
