import { flagError, WorkloadError } from '../errors/workload-error.ts';

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

/** Creates an error about the document of the import. */
export type Refuse = (problem: string, ...tryNext: string[]) => WorkloadError;

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
export function inFields<T>(refuse: Refuse, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof WorkloadError) || error.message.startsWith('--from-config')) throw error;
    throw refuse(`cannot be used: ${inFieldNames(error.message)}`);
  }
}
