import type { LocalServer, RemoteServer } from '@gatehouse/mcp-registry/servers/registry-server';
import type { RegistrySource } from '@gatehouse/mcp-registry/sources/registry-source';
import type { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import type { RequestedAuthorization } from '../authorization/authorization-file.ts';
import type { Mount } from '../mounts/mount.ts';
import type { RequestedProfile } from '../permissions/requested-profile.ts';
import type { RequestedAudit } from './audit.ts';
import type { AuthenticationSections } from './authentication-sections.ts';
import type { BuildRequest } from './build-flags.ts';
import type { ClusterSelection } from './cluster-address.ts';
import type { VerificationMode } from './image-verification.ts';
import type { Networking } from './networking.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import type { ProxyMode } from './proxy-mode.ts';
import type { RemoteSections } from './remote-sections.ts';
import type { ResourceLimits } from './resource-limits.ts';
import type { Source } from './source.ts';
import type { TelemetryConfig } from './telemetry-section.ts';
import type { RequestedTools } from './tools.ts';
import type { RequestedWebhooks } from './webhook-files.ts';

/**
 * The parsed command line of `run`, checked as far as possible without an engine. Times are in
 * milliseconds, sizes in bytes.
 */
export interface RunRequest extends Networking, ProxyLimits {
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
  /** How the proxy serves a stdio server. */
  readonly proxyMode: ProxyMode;
  /** Address or host name on which the proxy listens. */
  readonly host: string;
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
  readonly startTimeoutMs: number;
  /** The cluster in which the workload runs; undefined: the container engine. */
  readonly cluster: ClusterSelection | undefined;
  readonly debug: boolean;
  /** Values that were changed or ignored, one sentence each. */
  readonly warnings: readonly string[];
}
