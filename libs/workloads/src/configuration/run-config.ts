import { isIP } from 'node:net';
import { formatGoDuration, parseGoDuration } from '../flags/go-duration.ts';
import type { Mount } from '../flags/mounts.ts';
import type { PublishedPort } from '../flags/ports.ts';
import { DEFAULT_LIMITS, type ResourceLimits } from '../flags/resource-limits.ts';
import type { RunRequest, Transport } from '../flags/run-flags.ts';

/** Version of the run configuration document. */
const SCHEMA_VERSION = 'v0.1.0';

/**
 * The stored configuration of a workload, from which it can be started again. It has the form of
 * the exported configuration: ports as `host:container`, volumes as `host:container[:ro]`,
 * durations in Go's syntax.
 */
export interface RunConfig {
  readonly schema_version: string;
  readonly image: string;
  readonly cmd_args: readonly string[];
  readonly name: string;
  readonly base_name: string;
  readonly container_name: string;
  /** Empty until the label of the pulled image is known. */
  readonly transport: Transport | '';
  readonly host: string;
  /** The host name of `--host`, which the proxy accepts as Host; absent for an address. */
  readonly host_name?: string;
  /** Port of the proxy; 0 while it is not yet known. */
  readonly port: number;
  /** Whether the user requested the port. Such a port is never replaced. */
  readonly port_requested: boolean;
  readonly target_port?: number;
  readonly target_host?: string;
  readonly allowed_origins?: readonly string[];
  readonly publish: readonly string[];
  readonly volumes: readonly string[];
  readonly env_vars: Readonly<Record<string, string>>;
  readonly container_labels: Readonly<Record<string, string>>;
  readonly permission_profile: { readonly network: { readonly mode: string } };
  readonly isolate_network: false;
  /** Ranges for the subnets of the workload; default `DEFAULT_NETWORK_RANGES`. */
  readonly network_range?: readonly string[];
  /** Limits of each container: bytes of memory, processors, processes. 0: no limit. */
  readonly memory_limit?: number;
  readonly cpu_limit?: number;
  readonly pids_limit?: number;
  readonly strict_protocol_validation: boolean;
  readonly stateless: boolean;
  readonly session_ttl: string;
  readonly max_request_body_size: number;
  readonly proxy_read_timeout: string;
  readonly request_timeout?: string;
  readonly start_timeout: string;
  readonly debug: boolean;
  readonly group: 'default';
  /** Address of the engine of the workload; see engine-address.ts. */
  readonly engine: string;
}

/** Creates the configuration of a request with a resolved host. */
export function createRunConfig(
  request: RunRequest,
  resolved: {
    readonly containerName: string;
    readonly engine: string;
    readonly host: string;
    readonly networkRange: readonly string[];
  },
): RunConfig {
  return {
    schema_version: SCHEMA_VERSION,
    image: request.image,
    cmd_args: request.args,
    name: request.name,
    base_name: request.name,
    container_name: resolved.containerName,
    transport: request.transport ?? '',
    host: resolved.host,
    ...(isIP(request.host) === 0 && { host_name: request.host }),
    port: request.proxyPort ?? 0,
    port_requested: request.proxyPort !== undefined,
    ...(request.targetPort !== undefined && { target_port: request.targetPort }),
    ...(request.targetHost !== undefined && { target_host: request.targetHost }),
    ...(request.allowedOrigins && { allowed_origins: request.allowedOrigins }),
    publish: request.publish.map((spec) =>
      spec.host === undefined ? `${spec.container}` : `${spec.host}:${spec.container}`,
    ),
    volumes: request.mounts.map((mount) => `${mount.source}:${mount.target}${mount.readOnly ? ':ro' : ''}`),
    env_vars: request.environment,
    container_labels: request.labels,
    permission_profile: { network: { mode: request.network ?? '' } },
    isolate_network: false,
    network_range: resolved.networkRange,
    memory_limit: request.limits.memoryBytes,
    cpu_limit: request.limits.cpus,
    pids_limit: request.limits.pids,
    strict_protocol_validation: request.strictProtocolValidation,
    stateless: request.stateless,
    session_ttl: formatGoDuration(request.sessionTtlMs),
    max_request_body_size: request.maxRequestBodyBytes,
    proxy_read_timeout: formatGoDuration(request.proxyReadTimeoutMs),
    ...(request.requestTimeoutMs !== undefined && { request_timeout: formatGoDuration(request.requestTimeoutMs) }),
    start_timeout: formatGoDuration(request.startTimeoutMs),
    debug: request.debug,
    group: 'default',
    engine: resolved.engine,
  };
}

/** Returns the mounts of a stored configuration. */
export function getMounts(config: RunConfig): Mount[] {
  return config.volumes.map((volume) => {
    const readOnly = volume.endsWith(':ro');
    const bare = readOnly ? volume.slice(0, -3) : volume;
    const at = bare.lastIndexOf(':');
    return { source: bare.slice(0, at), target: bare.slice(at + 1), readOnly };
  });
}

/** Returns the published ports of a stored configuration. */
export function getPublishedPorts(config: RunConfig): PublishedPort[] {
  return config.publish.map((spec) => {
    const [first, second] = spec.split(':');
    return second === undefined
      ? { host: undefined, container: Number(first) }
      : { host: Number(first), container: Number(second) };
  });
}

/** Returns the resource limits of a stored configuration. */
export function getLimits(config: RunConfig): ResourceLimits {
  return {
    memoryBytes: config.memory_limit ?? DEFAULT_LIMITS.memoryBytes,
    cpus: config.cpu_limit ?? DEFAULT_LIMITS.cpus,
    pids: config.pids_limit ?? DEFAULT_LIMITS.pids,
  };
}

/** Parses a duration field to milliseconds. */
export function parseMilliseconds(duration: string | undefined, defaultMs: number): number {
  return (duration === undefined ? undefined : parseGoDuration(duration)) ?? defaultMs;
}

const isText = (value: unknown) => typeof value === 'string';
const isOptionalText = (value: unknown) => value === undefined || isText(value);
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLimit = (value: unknown) => value === undefined || (Number.isFinite(value) && Number(value) >= 0);
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isTextMap = (value: unknown) => isObject(value) && Object.values(value).every(isText);

/** The check of each field. */
const FIELD_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  image: isText,
  cmd_args: areTexts,
  name: isText,
  base_name: isText,
  container_name: isText,
  transport: (value) => ['', 'stdio', 'streamable-http'].includes(value as string),
  host: isText,
  host_name: isOptionalText,
  port: isPort,
  port_requested: isBoolean,
  target_port: (value) => value === undefined || isPort(value),
  target_host: isOptionalText,
  allowed_origins: (value) => value === undefined || areTexts(value),
  publish: areTexts,
  volumes: areTexts,
  env_vars: isTextMap,
  container_labels: isTextMap,
  permission_profile: (value) => isObject(value) && isObject(value['network']) && isText(value['network']['mode']),
  network_range: (value) => value === undefined || areTexts(value),
  memory_limit: isLimit,
  cpu_limit: isLimit,
  pids_limit: isLimit,
  strict_protocol_validation: isBoolean,
  stateless: isBoolean,
  session_ttl: isText,
  max_request_body_size: Number.isInteger,
  proxy_read_timeout: isText,
  request_timeout: isOptionalText,
  start_timeout: isText,
  debug: isBoolean,
  engine: isText,
};

/**
 * Parses a stored configuration.
 * @throws Error that names the invalid part.
 */
export function readRunConfig(text: string): RunConfig {
  const document: unknown = JSON.parse(text);
  if (!isObject(document)) throw new Error('the configuration is not a JSON object');
  const version = document['schema_version'];
  if (version !== SCHEMA_VERSION) {
    throw new Error(
      `the configuration has version ${String(version)}; this version of gatehouse reads ${SCHEMA_VERSION}`,
    );
  }
  const wrong = Object.entries(FIELD_CHECKS).find(([field, isValid]) => !isValid(document[field]));
  if (wrong) throw new Error(`the configuration has no valid ${wrong[0]}`);
  return document as unknown as RunConfig;
}
