import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { flagError } from '../errors/workload-error.ts';
import { readRequestedProfile } from '../permissions/requested-profile.ts';
import { parseAuditFlags } from './audit.ts';
import { type AuthenticationFlags, parseAuthenticationFlags } from './authentication.ts';
import { type BuildFlags, listIdleBuildFlags, parseBuildFlags } from './build-flags.ts';
import { parseCaBundle } from './certificates.ts';
import { type ClusterFlags, parseCluster } from './cluster-flags.ts';
import { parseDuration } from './duration.ts';
import { parseEndpointPrefix } from './endpoint-prefix.ts';
import { type EnvironmentFlags, readEnvironment } from './environment.ts';
import { DEFAULT_GROUP, requireGroupName } from './group-name.ts';
import { parseHostName } from './host-name.ts';
import { parseVerificationMode } from './image-verification.ts';
import { chooseIsolation } from './isolation.ts';
import { parseLabels } from './labels.ts';
import { parseMounts } from './mounts.ts';
import { type NetworkingFlags, parseNetworking } from './networking.ts';
import { parseOrigins } from './origins.ts';
import { parsePortFlag } from './ports.ts';
import { parseProxyLimits, type ProxyLimitFlags } from './proxy-limits.ts';
import { parseProxyMode } from './proxy-mode.ts';
import { parseRemoteFlags, type RemoteFlags } from './remote.ts';
import { parseLimits } from './resource-limits.ts';
import type { RunRequest } from './run-request.ts';
import { classifySource, resolveFolder, type Source } from './source.ts';
import { parseTelemetryFlags, type TelemetryFlags } from './telemetry.ts';
import { parseToolFlags } from './tools.ts';
import { findHttpOnlyFlag } from './transport.ts';
import { parseWorkloadName } from './workload-name.ts';

/** The flags of `run` as typed. A flag that was not given is undefined or an empty list. */
export interface RunFlags
  extends
    AuthenticationFlags,
    BuildFlags,
    ClusterFlags,
    EnvironmentFlags,
    NetworkingFlags,
    ProxyLimitFlags,
    RemoteFlags,
    TelemetryFlags {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly label?: readonly string[] | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly volume?: readonly string[] | undefined;
  readonly isolateNetwork?: boolean | undefined;
  readonly allowDockerGateway?: boolean | undefined;
  readonly imageVerification?: string | undefined;
  readonly gatehouseCaBundle?: string | undefined;
  readonly ignoreGlobally?: boolean | undefined;
  readonly printResolvedOverlays?: boolean | undefined;
  readonly memory?: string | undefined;
  readonly cpus?: string | undefined;
  readonly pidsLimit?: string | undefined;
  readonly proxyMode?: string | undefined;
  readonly host?: string | undefined;
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
  readonly startTimeout?: string | undefined;
  readonly debug?: boolean | undefined;
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
  const { name, warnings: nameWarnings } = parseWorkloadName(flags.name, typed, folder);
  const { variables: environment, warnings: environmentWarnings } = readEnvironment(flags);
  const profile =
    flags.permissionProfile === undefined ? undefined : readRequestedProfile(flags.permissionProfile, folder);
  const networking = parseNetworking(flags, profile, source.kind);
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
    targetPort: parsePortFlag('--target-port', flags.targetPort),
    ...parseClientFlags(flags),
    ...passes,
    strictProtocolValidation: flags.strictProtocolValidation ?? false,
    stateless: flags.stateless ?? false,
    ...parseProxyLimits(flags),
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
  const httpOnly = findHttpOnlyFlag({
    stateless: flags.stateless ?? false,
    target_host: flags.targetHost,
    target_port: flags.targetPort,
  });
  const { proxyMode, warnings: modeWarnings } = parseProxyMode(flags.proxyMode, transport, kind, httpOnly);
  const speaksStdio = proxyMode === 'sse' ? transport !== 'sse' : (transport ?? getDefault(kind)) === 'stdio';
  const { sections, warnings } = parseAuthenticationFlags(flags, { folder, caBundle, speaksStdio });
  const telemetry = parseTelemetryFlags(flags, flags.name);
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

/** Packages speak stdio unless a flag says otherwise. */
const getDefault = (kind: Source['kind']): string | undefined => (kind === 'package' ? 'stdio' : undefined);

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
