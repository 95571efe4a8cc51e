import { isIP } from 'node:net';
import { formatGoDuration } from '../flags/go-duration.ts';
import type { BuildRequest } from '../flags/build-flags.ts';
import { formatPackageReference } from '../flags/package-reference.ts';
import type { RunRequest } from '../flags/run-request.ts';
import { createPermissionSection } from '../permissions/permission-section.ts';
import { chooseIsolation } from '../flags/isolation.ts';
import { type RunConfig, SCHEMA_VERSION } from './run-config.ts';

/** Creates the configuration of a request with a resolved host. */
export function createRunConfig(
  request: RunRequest,
  resolved: {
    readonly containerName: string;
    readonly engine: string;
    readonly host: string;
    readonly networkRange: readonly string[];
    readonly nameserver?: string | undefined;
  },
): RunConfig {
  const { source } = request;
  return {
    schema_version: SCHEMA_VERSION,
    ...createSourceFields(request),
    ...createBuildSection(request.build),
    cmd_args: request.args,
    name: request.name,
    base_name: request.name,
    container_name: resolved.containerName,
    transport: request.transport ?? getDefaultTransport(source),
    host: resolved.host,
    ...(isIP(request.host) === 0 && { host_name: request.host }),
    port: request.proxyPort ?? 0,
    port_requested: request.proxyPort !== undefined,
    ...(request.targetPort !== undefined && { target_port: request.targetPort }),
    ...(request.targetHost !== undefined && { target_host: request.targetHost }),
    ...(request.proxyMode === 'sse' && { proxy_mode: request.proxyMode }),
    ...(request.endpointPrefix !== '' && { endpoint_prefix: request.endpointPrefix }),
    ...(request.allowedOrigins && { allowed_origins: request.allowedOrigins }),
    publish: request.publish.map((spec) =>
      spec.host === undefined ? `${spec.container}` : `${spec.host}:${spec.container}`,
    ),
    volumes: request.mounts.map((mount) => `${mount.source}:${mount.target}${mount.readOnly ? ':ro' : ''}`),
    env_vars: request.environment,
    ...(request.secrets.length > 0 && { secrets: request.secrets }),
    container_labels: request.labels,
    ...createRegistryFields(request),
    ...createVerificationFields(request),
    ...createPermissionSection({ ...request, network: chooseNetwork(request) }, request.server?.permissions),
    isolate_network: source.kind !== 'remote' && chooseIsolation(request.isolateNetwork, chooseNetwork(request) ?? ''),
    ...(request.allowDockerGateway && { allow_docker_gateway: true }),
    ...(resolved.nameserver !== undefined && { egress_nameserver: resolved.nameserver }),
    ignore_config: { LoadGlobal: request.ignoreGlobally, PrintOverlays: request.printOverlays },
    network_range: resolved.networkRange,
    memory_limit: request.limits.memoryBytes,
    cpu_limit: request.limits.cpus,
    pids_limit: request.limits.pids,
    ...createPassFields(request),
    strict_protocol_validation: request.strictProtocolValidation,
    stateless: request.stateless,
    session_ttl: formatGoDuration(request.sessionTtlMs),
    max_request_body_size: request.maxRequestBodyBytes,
    proxy_read_timeout: formatGoDuration(request.proxyReadTimeoutMs),
    ...(request.requestTimeoutMs !== undefined && { request_timeout: formatGoDuration(request.requestTimeoutMs) }),
    start_timeout: formatGoDuration(request.startTimeoutMs),
    debug: request.debug,
    group: request.group,
    engine: resolved.engine,
  };
}

/** The fields of the proxy's passes: clients and their tokens, tools, audit, forwarded headers. */
function createPassFields(request: RunRequest) {
  const { authentication, tools, audit, telemetry, authorization, webhooks, trustProxyHeaders } = request;
  const { filter, overrides } = tools;
  return {
    ...authentication,
    ...(trustProxyHeaders && { trust_proxy_headers: true }),
    ...(audit !== undefined && { audit_config: audit.config }),
    ...(audit?.path !== undefined && { audit_config_path: audit.path }),
    ...(telemetry && { telemetry_config: telemetry }),
    ...(authorization && { authz_config: authorization.config, authz_config_path: authorization.path }),
    ...(webhooks?.validating.length && { validating_webhooks: webhooks.validating }),
    ...(webhooks?.mutating.length && { mutating_webhooks: webhooks.mutating }),
    ...(filter.length > 0 && { tools_filter: filter }),
    ...(Object.keys(overrides).length > 0 && { tools_override: overrides }),
  };
}

/** An image has the transport of its label. */
function getDefaultTransport(source: RunRequest['source']): RunConfig['transport'] {
  if (source.kind === 'image') return '';
  if (source.kind === 'package') return 'stdio';
  return /\/sse\/?$/.test(source.url.pathname) ? 'sse' : 'streamable-http';
}

/** The image, the package, or the URL of a remote server with the references to its credentials. */
function createSourceFields({ source, remote }: RunRequest) {
  if (source.kind === 'image') return { image: source.image };
  if (source.kind === 'package') return { image: '', source: formatPackageReference(source.reference) };
  return { image: '', remote_url: source.url.href, ...remote };
}

/** The entry of the registry that names the source, and the place of this registry. */
function createRegistryFields({ server: local, remoteServer, registry }: RunRequest) {
  const server = local ?? remoteServer;
  if (server === undefined) return {};
  return {
    registry_server_name: server.name,
    ...(registry?.kind === 'url' && { registry_url: registry.url }),
    ...(registry?.kind === 'api' && { registry_api_url: registry.url }),
  };
}

/** The mode of the verification of the image, and the signer that its entry names. */
function createVerificationFields({ imageVerification, caBundle, server }: RunRequest) {
  return {
    ...(caBundle !== undefined && { thv_ca_bundle: caBundle }),
    ...(imageVerification !== undefined && { image_verification: imageVerification }),
    ...(server?.provenance && { image_provenance: server.provenance }),
  };
}

/** An entry of the registry can take the network away; only the user chooses another one. */
function chooseNetwork({ network, profile, server }: RunRequest): string | undefined {
  if (network !== undefined || profile !== undefined) return network;
  return server?.permissions?.network?.['mode'] === 'none' ? 'none' : undefined;
}

/** The options of builds, in the section that exported configurations have for them. */
export function createBuildSection({ image, packages, constraints, certificateFile, environment }: BuildRequest) {
  const section = {
    ...(image !== undefined && { builder_image: image }),
    ...(packages.length > 0 && { additional_packages: packages }),
    ...(constraints.length > 0 && { build_with: constraints }),
    ...(Object.keys(environment).length > 0 && { build_env: environment }),
  };
  return {
    ...(Object.keys(section).length > 0 && { runtime_config: section }),
    ...(certificateFile !== undefined && { ca_cert: certificateFile }),
  };
}
