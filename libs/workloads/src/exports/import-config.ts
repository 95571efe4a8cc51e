import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { requireBuiltSections } from '../configuration/built-sections.ts';
import { getNetworkMode } from '../configuration/config-values.ts';
import { createBuildSection } from '../configuration/create-run-config.ts';
import { healIsolation, planNetwork } from '../configuration/network-plan.ts';
import type { AuthenticationSections } from '../flags/authentication-sections.ts';
import { readRunConfig, type RunConfig } from '../configuration/run-config.ts';
import { flagError, getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';
import { type ClusterFlags, parseCluster } from '../flags/cluster-flags.ts';
import { mergeEnvironments, parseEnvironment } from '../flags/environment.ts';
import { DEFAULT_GROUP } from '../flags/group-name.ts';
import { parseRunFlags, type RunFlags, type RunRequest } from '../flags/run-flags.ts';
import type { RemoteFlags } from '../flags/remote.ts';
import { formatGoDuration } from '../flags/go-duration.ts';
import type { RemoteAuthConfig, RemoteSections } from '../flags/remote-sections.ts';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import { listPlainHeaders } from '../configuration/configured-headers.ts';
import { liftTelemetry } from './lift-telemetry.ts';
import { liftRemoteAuth } from './lift-remote-auth.ts';
import type { AuthenticationFlags } from '../flags/authentication.ts';
import { classifySource } from '../flags/source.ts';
import { liftAuthentication } from './lift-authentication.ts';
import { isTelemetryOn } from '../flags/telemetry-section.ts';
import type { TelemetryFlags } from '../flags/telemetry.ts';
import { resolveLogFile } from '../flags/audit.ts';
import { requireUsableOverrides } from '../flags/tools.ts';
import { isWorkloadName } from '../flags/workload-name.ts';
import { createPermissionSection } from '../permissions/permission-section.ts';
import { readRequestedProfile } from '../permissions/requested-profile.ts';

/** The flags beside `--from-config`. */
export interface ImportOptions {
  /** The path as it was typed, for messages. */
  readonly path: string;
  readonly name: string | undefined;
  readonly group: string | undefined;
  readonly debug: boolean;
  /** The flags that select the runtime. Each one wins over its field of the document. */
  readonly cluster?: ClusterFlags;
  /** The folder to which relative paths of the document refer. */
  readonly folder: string;
  /** The ignore file of the user of this machine, which need not exist. */
  readonly globalIgnoreFile?: string | undefined;
  /** Completes the flags of builds with the settings of this machine. */
  readonly addBuildDefaults: (source: string, flags: RunFlags) => RunFlags;
}

/** A checked configuration, without the fields of a machine. */
export interface ImportedConfig {
  readonly config: RunConfig;
  /** The command line that has the same meaning. */
  readonly request: RunRequest;
}

/** The fields of a configuration that the flags in messages stand for. */
const FIELDS: Readonly<Record<string, string>> = {
  '--group': 'group',
  '--volume': 'volumes',
  '--publish': 'publish',
  '--label': 'container_labels',
  '--env': 'env_vars',
  '--network': 'permission_profile.network.mode',
  '--transport': 'transport',
  '--proxy-mode': 'proxy_mode',
  '--host': 'host',
  '--proxy-port': 'port',
  '--target-host': 'target_host',
  '--target-port': 'target_port',
  '--allowed-origins': 'allowed_origins',
  '--endpoint-prefix': 'endpoint_prefix',
  '--stateless': 'stateless',
  '--audit-config': 'audit_config',
  '--authz-config': 'authz_config',
  '--oidc-issuer': 'oidc_config.Issuer',
  '--oidc-audience': 'oidc_config.Audience',
  '--oidc-jwks-url': 'oidc_config.JWKSURL',
  '--oidc-introspection-url': 'oidc_config.IntrospectionURL',
  '--oidc-client-id': 'oidc_config.ClientID',
  '--oidc-client-secret': 'oidc_config.ClientSecret',
  '--oidc-scopes': 'oidc_config.Scopes',
  '--oidc-insecure-allow-http': 'oidc_config.InsecureAllowHTTP',
  '--jwks-allow-private-ip': 'oidc_config.AllowPrivateIP',
  '--jwks-auth-token-file': 'oidc_config.AuthTokenFile',
  '--resource-url': 'oidc_config.ResourceURL',
  '--token-exchange-url': 'token_exchange_config.token_url',
  '--token-exchange-client-id': 'token_exchange_config.client_id',
  '--token-exchange-client-secret': 'token_exchange_config.client_secret',
  '--token-exchange-scopes': 'token_exchange_config.scopes',
  '--token-exchange-subject-token-type': 'token_exchange_config.subject_token_type',
  '--token-exchange-header-name': 'token_exchange_config.external_token_header_name',
  '--remote-forward-headers': 'header_forward.add_plaintext_headers',
  '--remote-forward-headers-secret': 'header_forward.add_headers_from_secret',
  '--remote-auth': 'remote_auth_config',
  '--remote-auth-issuer': 'remote_auth_config.issuer',
  '--remote-auth-authorize-url': 'remote_auth_config.authorize_url',
  '--remote-auth-token-url': 'remote_auth_config.token_url',
  '--remote-auth-client-id': 'remote_auth_config.client_id',
  '--remote-auth-client-secret': 'remote_auth_config.client_secret',
  '--remote-auth-client-secret-file': 'remote_auth_config.client_secret_file',
  '--remote-auth-bearer-token': 'remote_auth_config.bearer_token',
  '--remote-auth-bearer-token-file': 'remote_auth_config.bearer_token_file',
  '--remote-auth-scopes': 'remote_auth_config.scopes',
  '--remote-auth-scope-param-name': 'remote_auth_config.scope_param_name',
  '--remote-auth-resource': 'remote_auth_config.resource',
  '--remote-auth-callback-port': 'remote_auth_config.callback_port',
  '--remote-auth-timeout': 'remote_auth_config.timeout',
  '--otel-endpoint': 'telemetry_config.endpoint',
  '--otel-insecure': 'telemetry_config.insecure',
  '--otel-headers': 'telemetry_config.headers',
  '--otel-custom-attributes': 'telemetry_config.customAttributes',
  '--otel-env-vars': 'telemetry_config.environmentVariables',
  '--otel-sampling-rate': 'telemetry_config.samplingRate',
  '--tools': 'tools_filter',
  '--tools-override': 'tools_override',
  '--runtime-image': 'runtime_config.builder_image',
  '--runtime-add-package': 'runtime_config.additional_packages',
  '--build-with': 'runtime_config.build_with',
  '--ca-cert': 'ca_cert',
  '--permission-profile': 'permission_profile_name_or_path',
  '--runtime': 'runtime',
  '--kube-context': 'kube_context',
  '--kube-namespace': 'kube_namespace',
};

/**
 * Reads and checks a configuration with the rules of the flags. The engine, the name of the
 * container and the range of networks of another machine have no effect.
 * @throws WorkloadError (usage) that names the file and the field
 */
export function importConfig(document: string, options: ImportOptions): ImportedConfig {
  const refuse = (problem: string, ...tryNext: string[]) =>
    flagError(`--from-config ${options.path}`, problem, ...tryNext);
  const read = inFields(refuse, () =>
    liftTelemetry(liftRemoteAuth(liftAuthentication(readDocument(document, options, refuse)))),
  );
  if (!isWorkloadName(read.name))
    throw refuse(`has the name ${JSON.stringify(read.name.slice(0, 120))}, which no workload can have`, '--name NAME');
  requireBuiltSections(read);
  const group = read.group || DEFAULT_GROUP;
  const cluster = chooseCluster(read, options.cluster ?? {}, refuse);
  const base = { ...read, group, base_name: read.name, debug: read.debug || options.debug };
  const isPortOfOther = isRenamed(document, read.name) || cluster.runtime === 'kubernetes';
  const named = isPortOfOther && !read.port_requested ? { ...base, port: 0 } : base;
  const config = named.transport === 'stdio' ? withoutHttpFields(named) : withoutDefaultHost(named);
  const source = getSource(config, refuse);
  const flags = options.addBuildDefaults(source, { ...createFlags(config), ...cluster });
  inFields(refuse, () => checkImageVariables(config));
  const audit = inFields(refuse, () => resolveLogFile(config.audit_config ?? {}, options.folder, '--audit-config'));
  inFields(refuse, () => requireUsableOverrides(config.tools_filter ?? [], config.tools_override ?? {}));
  const parsed = inFields(refuse, () => parseRunFlags(source, config.cmd_args, flags, options.folder));
  const { ignore_config, warnings } = readIgnoreSection(config, options);
  const request = { ...parsed, warnings: [...parsed.warnings, ...listIdleFields(config), ...warnings] };
  const permissions = inFields(refuse, () => createPermissions(config, options.folder));
  const volumes = request.mounts.map(({ source, target, readOnly }) => `${source}:${target}${readOnly ? ':ro' : ''}`);
  const { runtime_config: section, ...build } = createBuildSection(request.build);
  const rest = withoutMachineFields(healIsolation(config));
  inFields(refuse, () => planNetwork({ ...rest, ...permissions }));
  return {
    config: {
      ...{ ...rest, ...permissions, ...build, volumes, ignore_config },
      ...(config.audit_config && { audit_config: audit }),
      ...mergeAuthentication(config, request),
      ...mergeRemote(config, request),
      ...(request.telemetry && { telemetry_config: { ...config.telemetry_config, ...request.telemetry } }),
      ...(section !== undefined && { runtime_config: { ...config.runtime_config, ...section } }),
      ...(isIP(request.host) === 0 && { host_name: request.host }),
    },
    request,
  };
}

/** The machine of the import decides on these fields, or has them in the address of its runtime. */
function withoutMachineFields(config: RunConfig): RunConfig {
  const { host_name: _name, egress_nameserver: _nameserver, kubernetes: _kubernetes, ...rest } = config;
  const { runtime: _runtime, kube_context: _context, kube_namespace: _namespace, ...portable } = rest;
  return portable;
}

/**
 * Chooses the runtime: the flags, then the fields of the document. `--runtime engine` takes a
 * workload of a cluster to the container engine.
 */
function chooseCluster(config: RunConfig, flags: ClusterFlags, refuse: Refuse): ClusterFlags {
  const { runtime, kube_context: kubeContext, kube_namespace: kubeNamespace } = config;
  const exported = { runtime, kubeContext, kubeNamespace };
  inFields(refuse, () => parseCluster(exported));
  parseCluster({ ...flags, runtime: flags.runtime ?? runtime });
  if (flags.runtime === 'engine') return flags;
  const typed = Object.entries(flags).filter(([, value]) => value !== undefined);
  return { ...exported, ...Object.fromEntries(typed) };
}

/** The checked sections, with the members that this program does not know. */
function mergeAuthentication(
  { oidc_config: oidc, token_exchange_config: exchange }: RunConfig,
  { authentication }: RunRequest,
): AuthenticationSections {
  const { oidc_config: checkedOidc, token_exchange_config: checkedExchange, ...rest } = authentication;
  return {
    ...rest,
    ...(checkedOidc && { oidc_config: { ...oidc, ...checkedOidc } }),
    ...(checkedExchange && { token_exchange_config: { ...exchange, ...checkedExchange } }),
  };
}

/** See {@link mergeAuthentication}. */
function mergeRemote({ remote_auth_config: auth }: RunConfig, { remote }: RunRequest): RemoteSections {
  const { client_secret_file: _file, ...rest } = auth ?? {};
  return {
    ...remote,
    ...(remote.remote_auth_config && { remote_auth_config: { ...rest, ...remote.remote_auth_config } }),
  };
}

/** The variables of the image follow the rules of all variables. */
function checkImageVariables({ runtime_config: section, env_vars }: RunConfig): void {
  const variables = Object.entries(section?.runtime_env ?? {}).map(([key, value]) => `${key}=${value}`);
  mergeEnvironments(parseEnvironment(variables), env_vars);
}

/** An ignore file of another machine does not exist here, and the one of this machine applies. */
function readIgnoreSection(
  { ignore_config: section }: RunConfig,
  { folder, globalIgnoreFile }: Pick<ImportOptions, 'folder' | 'globalIgnoreFile'>,
) {
  const { global_file: typed, ...rest } = section ?? {};
  if (typed === undefined) return { ignore_config: section, warnings: [] };
  const file = resolve(folder, typed);
  if (existsSync(file)) return { ignore_config: { ...rest, global_file: file }, warnings: [] };
  const warning = `ignore_config.global_file ${typed} does not exist; the ignore file of this machine applies`;
  const isSilent = rest.LoadGlobal === false || file === globalIgnoreFile;
  return { ignore_config: rest, warnings: isSilent ? [] : [warning] };
}

/** Warns of fields that other programs write and none of them reads. */
const listIdleFields = ({ env_file_dir: folder }: RunConfig): string[] =>
  folder === undefined || folder === ''
    ? []
    : [`env_file_dir ${folder} has no effect: env_vars has the variables of its files`];

type Refuse = (problem: string, ...tryNext: string[]) => WorkloadError;

function readDocument(text: string, { name, group }: ImportOptions, refuse: Refuse): RunConfig {
  let parsed: unknown;
  try {
    parsed = parseJsonDocument(text);
  } catch (error) {
    throw refuse(getErrorMessage(error));
  }
  try {
    const changed = { ...(name !== undefined && { name }), ...(group !== undefined && { group }) };
    return readRunConfig(JSON.stringify(isObject(parsed) ? { ...parsed, ...changed } : parsed));
  } catch (error) {
    throw refuse(`cannot be used: ${getErrorMessage(error)}`);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A port that Gatehouse chose belongs to the name in the document. */
const isRenamed = (document: string, name: string): boolean =>
  (JSON.parse(withoutMark(document)) as { name?: unknown }).name !== name;

/** The byte order mark that some editors write. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function getSource({ source, image, remote_url: url }: RunConfig, refuse: Refuse): string {
  if (url !== undefined && url !== '') {
    if (/^https?:/i.test(url) && inFields(refuse, () => classifySource(url)).kind === 'remote') return url;
    throw refuse('has a remote_url that is not an http or https URL');
  }
  if (source === undefined && image === '') throw refuse('has neither an image nor a source');
  const text = source ?? image;
  const kind = source === undefined ? 'image' : 'package';
  if (inFields(refuse, () => classifySource(text)).kind === kind) return text;
  throw refuse(
    `has the ${kind === 'image' ? 'image' : 'source'} ${JSON.stringify(text)}, which is not ${kind === 'image' ? 'an image' : 'a package'}`,
  );
}

/** Exports of other tools have a port and a host also for servers on standard streams. */
function withoutHttpFields(config: RunConfig): RunConfig {
  const { target_host: _host, target_port: _port, ...rest } = config;
  return { ...rest, stateless: false };
}

/** The default of `--target-host` stands for the container. */
function withoutDefaultHost(config: RunConfig): RunConfig {
  const { target_host: host, ...rest } = config;
  return host === undefined || host === '' || host === '127.0.0.1' ? rest : { ...rest, target_host: host };
}

/** The flags with the meaning of a configuration, whose parser checks it. */
function createFlags(config: RunConfig): RunFlags {
  return config.remote_url ? { ...createCommonFlags(config), ...createRemoteFlags(config) } : createLocalFlags(config);
}

/** The fields of a container have no meaning for a remote server, and other tools write them. */
function createRemoteFlags({ header_forward, remote_auth_config: auth, container_labels }: RunConfig): RunFlags {
  const join = (fields: Readonly<Record<string, string>> | null | undefined) =>
    Object.entries(fields ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    label: join(container_labels),
    remoteForwardHeaders: listPlainHeaders({ header_forward }).map(([name, value]) => `${name}=${value}`),
    remoteForwardHeadersSecret: join(header_forward?.add_headers_from_secret),
    ...(auth != null && createRemoteAuthFlags(auth)),
  };
}

/** A bearer token comes before the sign-in, as in other tools. */
function createRemoteAuthFlags(auth: RemoteAuthConfig): RemoteFlags {
  if (auth.bearer_token) return { remoteAuthBearerToken: auth.bearer_token };
  if (auth.bearer_token_file) return { remoteAuthBearerTokenFile: auth.bearer_token_file };
  return {
    remoteAuth: isSignInConfigured(auth),
    remoteAuthIssuer: auth.issuer,
    remoteAuthAuthorizeUrl: auth.authorize_url,
    remoteAuthTokenUrl: auth.token_url,
    remoteAuthClientId: auth.client_id,
    remoteAuthClientSecret: auth.client_secret,
    remoteAuthClientSecretFile: auth.client_secret ? undefined : auth.client_secret_file,
    remoteAuthScopes: auth.scopes ?? undefined,
    remoteAuthScopeParamName: auth.scope_param_name,
    remoteAuthResource: auth.resource,
    remoteAuthCallbackPort: auth.callback_port?.toString(),
    remoteAuthSkipBrowser: auth.skip_browser,
    remoteAuthTimeout: auth.timeout === undefined ? undefined : formatGoDuration(auth.timeout / 1_000_000),
    resourceUrl: auth.resource_url,
  };
}

const createCommonFlags = (config: RunConfig): RunFlags => ({
  name: config.name,
  group: config.group,
  transport: config.transport,
  proxyMode: config.transport === 'stdio' ? config.proxy_mode : undefined,
  host: config.host_name ?? config.host,
  proxyPort: String(config.port),
  endpointPrefix: config.endpoint_prefix,
  allowedOrigins: config.allowed_origins,
  stateless: config.stateless,
  ...createAuthenticationFlags(config),
  ...createTelemetryFlags(config),
  tools: config.tools_filter ?? undefined,
});

function createLocalFlags(config: RunConfig): RunFlags {
  const { builder_image, additional_packages, build_with, build_env } = config.runtime_config ?? {};
  const join = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(([key, value]) => `${key}=${value}`);
  return {
    ...createCommonFlags(config),
    label: join(config.container_labels),
    env: join(config.env_vars),
    volume: config.volumes,
    publish: config.publish,
    network: getNetworkMode(config),
    ...(!config.isolate_network && { isolateNetwork: false }),
    targetHost: config.target_host,
    targetPort: config.target_port?.toString(),
    runtimeImage: builder_image,
    runtimeAddPackage: additional_packages ?? undefined,
    buildWith: build_with ?? undefined,
    buildEnvironment: build_env ?? undefined,
    caCert: config.ca_cert,
  };
}

function createAuthenticationFlags(config: RunConfig): AuthenticationFlags {
  const { oidc_config: oidc, token_exchange_config: exchange, jwks_auth_token_file: tokenFile } = config;
  return {
    ...(oidc != null && {
      oidcIssuer: oidc.Issuer,
      oidcAudience: oidc.Audience,
      oidcJwksUrl: oidc.JWKSURL,
      oidcIntrospectionUrl: oidc.IntrospectionURL,
      oidcClientId: oidc.ClientID,
      oidcClientSecret: oidc.ClientSecret,
      oidcScopes: oidc.Scopes ?? undefined,
      oidcInsecureAllowHttp: oidc.InsecureAllowHTTP,
      jwksAllowPrivateIp: oidc.AllowPrivateIP,
      resourceUrl: oidc.ResourceURL,
    }),
    jwksAuthTokenFile: oidc?.AuthTokenFile || tokenFile,
    ...(exchange != null && {
      tokenExchangeUrl: exchange.token_url,
      tokenExchangeClientId: exchange.client_id,
      tokenExchangeClientSecret: exchange.client_secret,
      tokenExchangeAudience: exchange.audience,
      tokenExchangeScopes: exchange.scopes ?? undefined,
      tokenExchangeSubjectTokenType: exchange.subject_token_type,
      ...(exchange.header_strategy === 'custom' && { tokenExchangeHeaderName: exchange.external_token_header_name }),
    }),
  };
}

/** A section that turns nothing on has no flags, and stays as it is. */
function createTelemetryFlags({ telemetry_config: section }: RunConfig): TelemetryFlags {
  if (!isTelemetryOn(section)) return {};
  const { endpoint, headers, customAttributes, samplingRate } = section;
  const join = (fields: Readonly<Record<string, string>> | null | undefined) =>
    Object.entries(fields ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    otelServiceName: section.serviceName,
    otelCustomAttributes: join(customAttributes).join(','),
    otelEnablePrometheusMetricsPath: section.enablePrometheusMetricsPath,
    ...(section.enablePrometheusMetricsPath === true && {
      otelMetricsOnTransportPort: section.metricsOnTransportPort ?? true,
    }),
    ...(endpoint && {
      otelEndpoint: endpoint,
      otelInsecure: section.insecure,
      otelHeaders: join(headers),
      otelSamplingRate: samplingRate === undefined ? undefined : String(samplingRate),
      otelEnvVars: section.environmentVariables ?? undefined,
      otelTracingEnabled: section.tracingEnabled,
      otelMetricsEnabled: section.metricsEnabled,
      otelUseLegacyAttributes: section.useLegacyAttributes,
    }),
  };
}

/** A configuration without a profile has the one that it names, else the default. */
function createPermissions(
  { permission_profile: profile, permission_profile_name_or_path: named }: RunConfig,
  folder: string,
) {
  if (profile !== null) return {};
  const requested = named === undefined || named === '' ? undefined : readRequestedProfile(named, folder);
  return createPermissionSection({ profile: requested, network: undefined }, undefined);
}

/**
 * Names the fields of the configuration in an error of its start.
 * @param path as it was typed
 */
export function explainImportError(error: unknown, path: string): unknown {
  const isAboutFlag = error instanceof WorkloadError && error.code === 'usage' && error.message.startsWith('--');
  if (!isAboutFlag || error.message.startsWith('--from-config')) return error;
  return flagError(`--from-config ${path}`, `cannot be used: ${inFieldNames(error.message)}`, ...error.tryNext);
}

const inFieldNames = (message: string): string => message.replace(/--[a-z][a-z-]+/g, (flag) => FIELDS[flag] ?? flag);

/** Replaces the flags in the message of an error by the fields of the configuration. */
function inFields<T>(refuse: Refuse, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof WorkloadError) || error.message.startsWith('--from-config')) throw error;
    throw refuse(`cannot be used: ${inFieldNames(error.message)}`);
  }
}
