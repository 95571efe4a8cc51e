import { HeaderForwardSchema, RemoteAuthConfigSchema } from '../flags/remote-sections.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import type { RunConfig } from './run-config.ts';

/** Middleware that an exported configuration lists for every workload, and the proxy always has. */
const STANDARD_MIDDLEWARE: ReadonlySet<unknown> = new Set([
  'bodylimit',
  'origin',
  'mcp-parser',
  'recovery',
  'usagemetrics',
]);

/** The sections whose work no part of this version does. */
const UNBUILT_SECTIONS = [
  'upstream_swap_config',
  'aws_sts_config',
  'rate_limit_config',
  'additional_middleware_configs',
  'embedded_auth_server_config',
  'scaling_config',
] as const satisfies readonly (keyof RunConfig)[];

/**
 * Requires that this version does everything that a configuration asks for. A section that nothing
 * enforces would give a server more rights than the configuration says.
 * @throws WorkloadError (usage) that names the sections
 */
export function requireBuiltSections(config: RunConfig): void {
  const unbuilt = [
    ...UNBUILT_SECTIONS.filter((name) => isSet(config[name])),
    ...listUnbuiltMiddleware(config),
    // The content is part of a configuration; the file alone would have no effect.
    ...(isSet(config.audit_config_path) && config.audit_config == null ? ['audit_config_path'] : []),
    ...(isSet(config.authz_config_path) && config.authz_config == null ? ['authz_config_path'] : []),
    ...listUnbuiltRemoteSections(config),
    ...(config.transport === 'inspector' ? ['transport inspector'] : []),
  ];
  if (unbuilt.length === 0) return;
  throw new WorkloadError(
    'usage',
    `The configuration of ${config.name} has parts that this version of gatehouse does not support: ${unbuilt.join(', ')}`,
    ['remove them from the configuration, if the server may run without them'],
  );
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Members of a section of a remote server that this version does not know could be credentials. */
function listUnbuiltRemoteSections({ remote_url: url, remote_auth_config: auth, header_forward: headers }: RunConfig) {
  const list = (name: string, section: object | null | undefined, built: object) =>
    Object.entries(section ?? {}).flatMap(([member, value]) =>
      isSet(value) && !(isSet(url) && member in built) ? [`${name}.${member}`] : [],
    );
  return [
    ...list('remote_auth_config', auth, RemoteAuthConfigSchema.shape),
    ...list('header_forward', headers, HeaderForwardSchema.shape),
  ];
}

/** Exported configurations repeat the sections of passes as middleware. */
const isMiddlewareOfSection = (
  { tools_filter, tools_override, audit_config, authz_config, mutating_webhooks, validating_webhooks }: RunConfig,
  type: unknown,
): boolean =>
  (type === 'mutating-webhook' && isSet(mutating_webhooks)) ||
  (type === 'validating-webhook' && isSet(validating_webhooks)) ||
  (type === 'audit' && audit_config != null) ||
  (type === 'authorization' && authz_config != null) ||
  ((type === 'tool-filter' || type === 'tool-call-filter') && (isSet(tools_filter) || isSet(tools_override)));

type MiddlewareEntry = NonNullable<RunConfig['middleware_configs']>[number];

/** The peer lists `auth` for every workload; without parameters it accepts every local client. */
const isOpenAuthentication = ({ type, parameters }: MiddlewareEntry): boolean =>
  type === 'auth' && (parameters == null || (typeof parameters === 'object' && !Object.values(parameters).some(isSet)));

const listUnbuiltMiddleware = (config: RunConfig): string[] =>
  (config.middleware_configs ?? [])
    .filter((entry) => !STANDARD_MIDDLEWARE.has(entry['type']) && !isOpenAuthentication(entry))
    .filter(({ type }) => !isMiddlewareOfSection(config, type))
    .map((entry) => `middleware_configs of the type ${String(entry['type'])}`);
