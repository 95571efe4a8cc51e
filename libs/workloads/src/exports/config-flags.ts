import { getNetworkMode } from '../configuration/config-values.ts';
import { listPlainHeaders } from '../configuration/configured-headers.ts';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import type { AuthenticationFlags } from '../flags/authentication.ts';
import { formatGoDuration } from '../flags/go-duration.ts';
import type { RemoteAuthConfig } from '../flags/remote-sections.ts';
import type { RemoteFlags } from '../flags/remote.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { isTelemetryOn } from '../flags/telemetry-section.ts';
import type { TelemetryFlags } from '../flags/telemetry.ts';

/** Creates the flags with the meaning of a configuration. Their parser checks it. */
export function createFlags(config: RunConfig): RunFlags {
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
