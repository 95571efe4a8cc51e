/** A configuration of an image on streamable HTTP, as a tool with the same format exports it. */
export const EXPORTED_IMAGE = {
  schema_version: 'v0.1.0',
  image: 'ghcr.io/owner/server:1.2.3',
  registry_url: 'https://registry.example/servers.json',
  registry_server_name: 'io.github.owner/server',
  cmd_args: ['--verbose'],
  name: 'server',
  container_name: 'server',
  base_name: 'server',
  transport: 'streamable-http',
  host: '127.0.0.1',
  port: 23_456,
  target_port: 8_080,
  target_host: '127.0.0.1',
  permission_profile_name_or_path: 'network',
  permission_profile: { name: 'network', network: { outbound: { insecure_allow_all: true } } },
  env_vars: { MCP_TRANSPORT: 'streamable-http', MCP_PORT: '8080' },
  container_labels: { toolhive: 'true', 'toolhive-name': 'server' },
  group: 'default',
  ignore_config: { LoadGlobal: true, PrintOverlays: false },
  middleware_configs: [
    { type: 'bodylimit', parameters: { max_bytes: 8_388_608 } },
    { type: 'auth', parameters: {} },
    { type: 'mcp-parser', parameters: {} },
    { type: 'usagemetrics', parameters: {} },
    { type: 'recovery', parameters: null },
  ],
};

/** A configuration of a package on standard streams, with secrets and a built image. */
export const EXPORTED_PACKAGE = {
  schema_version: 'v0.1.0',
  image: 'toolhivelocal/npx-server:20260102030405',
  name: 'files',
  container_name: 'files',
  base_name: 'files',
  transport: 'stdio',
  host: '127.0.0.1',
  port: 20_000,
  permission_profile: {
    read: ['/data'],
    write: ['/tmp:/work'],
    network: { outbound: { allow_host: ['api.example.com'], allow_port: [443], allow_transport: ['tcp'] } },
  },
  volumes: ['/data:/data:ro'],
  env_vars: {},
  secrets: ['TOKEN,target=API_TOKEN'],
  isolate_network: true,
  allow_docker_gateway: true,
  proxy_mode: 'streamable-http',
  session_ttl: '2h0m0s',
  runtime_config: { builder_image: 'node:24-alpine', additional_packages: ['git'], build_with: null },
};

/** A configuration of a remote server with sign-in, sections of passes and fields of a cluster. */
export const EXPORTED_REMOTE = {
  schema_version: 'v0.1.0',
  mcpserver_generation: 4,
  image: '',
  remote_url: 'https://mcp.example.com/mcp?tenant=1',
  name: 'remote',
  container_name: 'remote',
  base_name: 'remote',
  transport: 'streamable-http',
  host: '127.0.0.1',
  port: 0,
  permission_profile: null,
  remote_auth_config: {
    client_id: 'c',
    client_secret: 'OAUTH_CLIENT_SECRET_remote,target=oauth',
    timeout: 30_000_000_000,
    use_pkce: true,
    cached_token_expiry: '2026-01-02T03:04:05Z',
  },
  oidc_config: {
    Issuer: 'https://id.example',
    Audience: 'mcp',
    JWKSURL: '',
    AllowPrivateIP: false,
    Scopes: ['openid'],
  },
  telemetry_config: {
    endpoint: 'otel.example:4318',
    samplingRate: '0.1',
    headers: { a: 'KEY,target=a' },
    useLegacyAttributes: true,
  },
  authz_config: {
    version: '1.0',
    type: 'cedarv1',
    cedar: { policies: ['permit(principal, action, resource);'], entities_json: '[]' },
  },
  audit_config: { component: 'x', includeRequestData: true, maxDataSize: 2_048 },
  tools_filter: ['a', 'b'],
  tools_override: { a: { name: 'renamed' } },
  validating_webhooks: [{ name: 'v', url: 'https://hook.example', failure_policy: 'fail', timeout: 5_000_000_000 }],
  header_forward: { add_headers_from_secret: { 'X-S': 'secret' } },
  k8s_pod_template_patch: '{"spec":{}}',
  scaling_config: { backend_replicas: 2 },
  rate_limit_namespace: 'team-a',
};

/** A configuration that a person has written. */
export const WRITTEN_BY_HAND = {
  name: 'small',
  base_name: 'small',
  container_name: 'small',
  image: 'owner/small',
  transport: 'stdio',
  port: 12_345,
};

/** A configuration of an early version: its sign-in section has the names of Go fields. */
export const OLD_REMOTE = {
  name: 'old',
  container_name: 'old',
  base_name: 'old',
  image: '',
  remote_url: 'https://old.example/sse',
  transport: 'sse',
  host: '127.0.0.1',
  port: 30_000,
  permission_profile: { allow_transport: ['tcp'], network: null, read: null, write: null },
  remote_auth_config: { ClientID: 'c', ClientSecret: '', Scopes: null, CallbackPort: 8_666 },
};
