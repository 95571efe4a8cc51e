import type { ProxyOptions } from '@gatehouse/proxy/options';
import { parseMilliseconds } from '../configuration/config-values.ts';
import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import type { WorkloadServer } from '../runtime/workload-server.ts';
import { type AuthenticationParts, createAuthenticationOptions } from './workload-authentication.ts';
import { isAudited } from './workload-audit.ts';
import { isTelemetryOn } from '../flags/telemetry-section.ts';
import { listWebhooks } from '../flags/configured-webhooks.ts';
import type { WorkloadTelemetry } from './workload-telemetry.ts';
import { createUpstream } from './upstream.ts';

/** The settings of a proxy where the configuration names none. */
const DEFAULTS = { readTimeoutMs: 30_000, sessionTtlMs: 7_200_000, bodyBytes: 8 * 1024 * 1024 };

/** Lists the names of `--host` and of the inbound rules of the profile. */
const listAllowedHosts = ({ host_name, permission_profile: profile }: RunConfig): string[] => [
  ...(host_name === undefined ? [] : [host_name]),
  ...(profile?.network?.inbound?.allow_host ?? []),
];

/** A configuration without rules for tools adds no pass to the proxy. */
function createToolRules({ tools_filter, tools_override }: RunConfig): Pick<ProxyOptions, 'tools'> {
  const [filter, overrides] = [tools_filter ?? [], tools_override ?? {}];
  return filter.length === 0 && Object.keys(overrides).length === 0 ? {} : { tools: { filter, overrides } };
}

/** Takes the lines of the audit, each with its line break. */
interface AuditSink {
  readonly write: (line: string) => void;
}

/** @throws WorkloadError for a workload that is audited without a log */
function createAuditOptions(config: RunConfig, log: AuditSink | undefined): Pick<ProxyOptions, 'audit'> {
  if (!isAudited(config)) return {};
  if (log === undefined) throw new WorkloadError('failed', 'this runtime cannot write the audit log of a workload');
  const { component, ...rest } = config.audit_config ?? {};
  return { audit: { ...rest, component: component || config.name, write: (line) => log.write(line) } };
}

/** @throws WorkloadError for a workload whose policies were not loaded */
function createAuthorization({ authz_config: config }: RunConfig, authorizer: ProxyOptions['authorizer']) {
  if (config == null) return {};
  if (authorizer === undefined) throw new WorkloadError('failed', 'the policies of the workload were not loaded');
  return { authorizer };
}

/** @throws WorkloadError for a workload whose webhooks were not opened */
function createWebhookOptions(config: RunConfig, webhooks: ProxyOptions['webhooks']) {
  if (listWebhooks(config).length === 0) return {};
  if (webhooks === undefined) throw new WorkloadError('failed', 'the webhooks of the workload were not opened');
  return { webhooks };
}

/** @throws WorkloadError for a workload whose telemetry was not opened */
function createTelemetryOptions(
  { telemetry_config: section }: RunConfig,
  telemetry: WorkloadTelemetry | undefined,
): WorkloadTelemetry['options'] {
  if (!isTelemetryOn(section)) return {};
  if (telemetry === undefined) throw new WorkloadError('failed', 'the telemetry of the workload was not opened');
  return telemetry.options;
}

/** The parts of a proxy that its configuration needs and that are open already. */
export interface OpenedParts extends AuthenticationParts {
  /** Receives the events of a workload that is audited. */
  readonly audit?: AuditSink | undefined;
  /** The policies of a workload with authorization. */
  readonly authorizer?: ProxyOptions['authorizer'] | undefined;
  readonly webhooks?: ProxyOptions['webhooks'] | undefined;
  readonly telemetry?: WorkloadTelemetry | undefined;
}

/** Returns the options of the proxy of a workload, without its address. */
export function createProxyOptions(
  config: RunConfig,
  server: Pick<WorkloadServer, 'connection'>,
  log: (line: string) => void,
  { audit, authorizer, webhooks, telemetry, ...authentication }: OpenedParts,
): ProxyOptions {
  return {
    upstream: createUpstream(config, server),
    allowedHosts: listAllowedHosts(config),
    endpointPrefix: config.endpoint_prefix ?? '',
    ...(config.allowed_origins && { allowedOrigins: config.allowed_origins }),
    maxRequestBodyBytes: config.max_request_body_size || DEFAULTS.bodyBytes,
    readTimeoutMs: parseMilliseconds(config.proxy_read_timeout, DEFAULTS.readTimeoutMs),
    sessionTtlMs: parseMilliseconds(config.session_ttl, DEFAULTS.sessionTtlMs),
    ...(config.request_timeout !== undefined && { requestTimeoutMs: parseMilliseconds(config.request_timeout, 0) }),
    trustProxyHeaders: config.trust_proxy_headers ?? false,
    ...createAuthenticationOptions(config, authentication),
    ...createToolRules(config),
    ...createAuditOptions(config, audit),
    ...createAuthorization(config, authorizer),
    ...createWebhookOptions(config, webhooks),
    ...createTelemetryOptions(config, telemetry),
    strictProtocolValidation: config.strict_protocol_validation,
    stateless: config.stateless,
    log: (line) => {
      if (line.level === 'debug' && !config.debug) return;
      log(`${line.level} ${line.message}${line.cause === undefined ? '' : `: ${getErrorMessage(line.cause)}`}`);
    },
  };
}
