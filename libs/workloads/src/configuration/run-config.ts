import * as z from 'zod/mini';
import { listClientReferences } from './client-secrets.ts';
import { requireStoredHeaders } from './configured-headers.ts';
import { requireStoredTelemetryHeaders } from './telemetry-headers.ts';
import { OidcConfigSchema, TokenExchangeConfigSchema } from '../flags/authentication-sections.ts';
import { SecretReference } from '@gatehouse/secrets/references/secret-reference';
import { getErrorMessage } from '../errors/workload-error.ts';
import { VERIFICATION_MODES } from '../flags/image-verification.ts';
import { describeIssue } from '../files/schema-issue.ts';
import { parseGoDuration } from '../flags/go-duration.ts';
import { HeaderForwardSchema, RemoteAuthConfigSchema } from '../flags/remote-sections.ts';
import { AuditConfigSchema } from '../flags/audit.ts';
import { AuthorizationSchema } from '../authorization/authorization-schema.ts';
import { TelemetryConfigSchema } from '../flags/telemetry-section.ts';
import { ToolOverridesSchema } from '../flags/tools.ts';
import { WebhooksSchema } from '../flags/webhook-schema.ts';
import { PermissionProfile } from '../permissions/permission-profile.ts';

/** The version of the run configuration document that this program writes. */
export const SCHEMA_VERSION = 'v0.1.0';

const text = z.string();
const texts = z.readonly(z.array(z.string()));
const textMap = z.readonly(z.record(z.string(), z.string()));
const flag = z.optional(z.boolean());
const port = z.int().check(z.minimum(0), z.maximum(65_535));
const duration = z
  .string()
  .check(
    z.refine((value) => value === '' || parseGoDuration(value) !== undefined, 'must be a duration, such as 2m30s'),
  );
const limit = z.optional(z.number().check(z.minimum(0)));
/** The reference is checked at once, so that a value in its place is never repeated. */
const secretReference = z.pipe(
  z.string(),
  z.transform((value, context) => {
    try {
      return SecretReference.parse(value, 'secrets');
    } catch (error) {
      context.issues.push({ code: 'custom', input: '', message: getErrorMessage(error) });
      return z.NEVER;
    }
  }),
);
/** A section whose rules belong to the pass that reads it. */
const section = z.optional(z.nullable(z.looseObject({})));
const sections = z.optional(z.nullable(z.array(z.looseObject({}))));
const emptyTexts = z._default(texts, []);
const emptyMap = z._default(textMap, {});

/**
 * The configuration of a workload, from which it can be started again: the document of run.json and
 * of `gatehouse export`. The names are those of exported configurations, whose fields can be left
 * out; unknown fields are kept. Ports are written `host:container`, volumes
 * `host:container[:ro]`, durations as in Go, secrets `NAME,target=VARIABLE`.
 */
export const RunConfigSchema = z.looseObject({
  schema_version: z._default(text, SCHEMA_VERSION),
  name: z.string().check(z.minLength(1)),
  base_name: z.optional(text),
  container_name: z._default(text, ''),
  image: z._default(text, ''),
  /** The package that the image is built from, such as `npx://server@1.0.0`; absent for an image. */
  source: z.optional(text),
  /** The absolute path of a file with certificates of authorities, for builds. */
  ca_cert: z.optional(text),
  cmd_args: emptyTexts,
  remote_url: z.optional(text),
  registry_api_url: z.optional(text),
  registry_url: z.optional(text),
  registry_server_name: z.optional(text),
  /** Empty until the label of the pulled image is known. */
  transport: z._default(z.enum(['', 'stdio', 'sse', 'streamable-http', 'inspector']), ''),
  host: z._default(text, '127.0.0.1'),
  /** The host name of `--host`, which the proxy accepts as Host; absent for an address. */
  host_name: z.optional(text),
  /** Port of the proxy; 0 while it is not yet known. */
  port: z._default(port, 0),
  /** Whether the user requested the port. Such a port is never replaced. */
  port_requested: z._default(z.boolean(), false),
  target_port: z.optional(port),
  target_host: z.optional(text),
  allowed_origins: z.optional(texts),
  publish: emptyTexts,
  volumes: emptyTexts,
  env_vars: emptyMap,
  env_file_dir: z.optional(text),
  secrets: z.optional(z.readonly(z.array(secretReference))),
  container_labels: emptyMap,
  group: z._default(text, 'default'),
  permission_profile_name_or_path: z.optional(text),
  permission_profile: z._default(z.nullable(PermissionProfile), null),
  isolate_network: z._default(z.boolean(), false),
  allow_docker_gateway: flag,
  /** The nameserver of the egress part, `address[:port]`; absent: that of its container. */
  egress_nameserver: z.optional(text),
  ignore_config: z.optional(
    z.nullable(
      z.looseObject({
        LoadGlobal: flag,
        PrintOverlays: flag,
        /** The absolute path of the user's ignore file on this machine. */
        global_file: z.optional(text),
      }),
    ),
  ),
  runtime_config: z.optional(
    z.nullable(
      z.looseObject({
        builder_image: z.optional(text),
        additional_packages: z.optional(z.nullable(texts)),
        build_with: z.optional(z.nullable(texts)),
        /** The variables of the registries of packages, such as NPM_CONFIG_REGISTRY. */
        build_env: z.optional(z.nullable(textMap)),
        runtime_env: z.optional(z.nullable(textMap)),
      }),
    ),
  ),
  /** Ranges for the subnets of the workload. */
  network_range: z.optional(texts),
  /** Limits of each container: bytes of memory, processors, processes. 0: no limit. */
  memory_limit: limit,
  cpu_limit: limit,
  pids_limit: limit,
  proxy_mode: z.optional(text),
  endpoint_prefix: z.optional(text),
  trust_proxy_headers: flag,
  strict_protocol_validation: z._default(z.boolean(), false),
  stateless: z._default(z.boolean(), false),
  session_ttl: z._default(duration, ''),
  max_request_body_size: z._default(z.int().check(z.minimum(0)), 0),
  proxy_read_timeout: z._default(duration, ''),
  request_timeout: z.optional(duration),
  start_timeout: z._default(duration, ''),
  debug: z._default(z.boolean(), false),
  tools_filter: z.optional(z.nullable(texts)),
  tools_override: z.optional(z.nullable(ToolOverridesSchema)),
  /** The mode of `--image-verification`; absent: the one of the settings, else warn. */
  image_verification: z.optional(z.enum(VERIFICATION_MODES)),
  /** The signer of the image, as the entry of the registry names it. */
  image_provenance: z.optional(
    z.nullable(
      z.looseObject({
        ...{ sigstore_url: z.optional(text), cert_issuer: z.optional(text), signer_identity: z.optional(text) },
        ...{ repository_uri: z.optional(text), repository_ref: z.optional(text), runner_environment: z.optional(text) },
        attestation: z.optional(
          z.looseObject({ predicate_type: z.optional(text), predicate: z.optional(z.unknown()) }),
        ),
      }),
    ),
  ),
  thv_ca_bundle: z.optional(text),
  jwks_auth_token_file: z.optional(text),
  oidc_config: z.optional(z.nullable(OidcConfigSchema)),
  token_exchange_config: z.optional(z.nullable(TokenExchangeConfigSchema)),
  upstream_swap_config: section,
  aws_sts_config: section,
  authz_config: z.optional(z.nullable(AuthorizationSchema)),
  authz_config_path: z.optional(text),
  audit_config: z.optional(z.nullable(AuditConfigSchema)),
  audit_config_path: z.optional(text),
  telemetry_config: z.optional(z.nullable(TelemetryConfigSchema)),
  rate_limit_config: section,
  remote_auth_config: z.optional(z.nullable(RemoteAuthConfigSchema)),
  header_forward: z.optional(z.nullable(HeaderForwardSchema)),
  embedded_auth_server_config: section,
  scaling_config: section,
  middleware_configs: sections,
  additional_middleware_configs: sections,
  validating_webhooks: z.optional(z.nullable(WebhooksSchema)),
  mutating_webhooks: z.optional(z.nullable(WebhooksSchema)),
  /** The cluster of an exported configuration. A stored one has it as the address `engine`. */
  runtime: z.optional(text),
  kube_context: z.optional(text),
  kube_namespace: z.optional(text),
  /** The facts of a workload in a cluster. An exported configuration has none. */
  kubernetes: z.optional(
    z.looseObject({
      /** The value of the label `gatehouse.dev/instance` of its objects. */
      instance: text.check(z.regex(/^[0-9a-f]{16}$/)),
      proxy_image: text,
      /** Whether the user of the image is root or has no number, so that another one is set. */
      needs_user: flag,
    }),
  ),
  /** The address of the runtime of the workload. An exported configuration has none. */
  engine: z._default(text, ''),
});
export type RunConfig = Readonly<z.output<typeof RunConfigSchema>>;

/** Fields that a document leaves out where they have the default. */
const OMITTED_DEFAULTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries(RunConfigSchema.parse({ name: 'x' })).filter(([name]) => !['name', 'schema_version'].includes(name)),
);

/**
 * Reads a configuration: run.json, an exported configuration, or one that was written by hand.
 * @throws Error that names the invalid field
 */
export function readRunConfig(document: string): RunConfig {
  const parsed: unknown = JSON.parse(document);
  requireVersion(parsed);
  const result = RunConfigSchema.safeParse(parsed);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  if (field === '') throw new Error('the configuration is not a JSON object');
  throw new Error(`the field ${field} ${hasMember(parsed, issue?.path ?? []) ? describeIssue(issue) : 'is missing'}`);
}

function hasMember(document: unknown, path: readonly PropertyKey[]): boolean {
  let value = document;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value !== undefined;
}

/** Documents without a version are of the first one. */
function requireVersion(document: unknown): void {
  const version = (document as { schema_version?: unknown } | null)?.schema_version ?? '';
  if (version === '' || version === SCHEMA_VERSION) return;
  throw new Error(
    `the configuration has version ${JSON.stringify(version)}; this version of gatehouse reads ${SCHEMA_VERSION}`,
  );
}

/**
 * Writes a configuration. Fields with their defaults are left out, as exported configurations have
 * it, and fields that this program does not know are kept.
 */
export function writeRunConfig(config: RunConfig): string {
  // Both throw for a secret in clear.
  listClientReferences(config);
  requireStoredHeaders(config);
  requireStoredTelemetryHeaders(config);
  const fields = Object.entries(config).filter(([name, value]) => !isOmitted(name, value));
  return `${JSON.stringify(Object.fromEntries(fields), null, 2)}\n`;
}

const isOmitted = (name: string, value: unknown): boolean =>
  OMITTED_DEFAULTS.has(name) && JSON.stringify(value) === JSON.stringify(OMITTED_DEFAULTS.get(name));
