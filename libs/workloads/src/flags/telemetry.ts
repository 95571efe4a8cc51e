import { flagError } from '../errors/workload-error.ts';
import { isSamplingRate, type TelemetryConfig } from './telemetry-section.ts';

/** The flags of telemetry as typed. */
export interface TelemetryFlags {
  readonly otelEndpoint?: string | undefined;
  readonly otelInsecure?: boolean | undefined;
  /** Each `NAME=VALUE`, or `NAME=SECRET,target=…` for a stored secret. */
  readonly otelHeaders?: readonly string[] | undefined;
  readonly otelServiceName?: string | undefined;
  readonly otelCustomAttributes?: string | undefined;
  readonly otelEnvVars?: readonly string[] | undefined;
  readonly otelSamplingRate?: string | undefined;
  readonly otelTracingEnabled?: boolean | undefined;
  readonly otelMetricsEnabled?: boolean | undefined;
  readonly otelEnablePrometheusMetricsPath?: boolean | undefined;
  readonly otelMetricsOnTransportPort?: boolean | undefined;
  readonly otelUseLegacyAttributes?: boolean | undefined;
}

/** The telemetry of a command line. */
export interface RequestedTelemetry {
  readonly config: TelemetryConfig | undefined;
  readonly warnings: readonly string[];
}

/** The default of `--otel-sampling-rate`. */
export const DEFAULT_SAMPLING_RATE = '0.1';

/** The flags that say what is sent to a collector. */
const COLLECTOR_FLAGS: readonly (keyof TelemetryFlags)[] = [
  ...(['otelInsecure', 'otelHeaders', 'otelSamplingRate', 'otelEnvVars'] as const),
  ...(['otelTracingEnabled', 'otelMetricsEnabled', 'otelUseLegacyAttributes'] as const),
];

/** The flags that say what traces have. */
const TRACE_FLAGS: readonly (keyof TelemetryFlags)[] = ['otelSamplingRate', 'otelEnvVars', 'otelUseLegacyAttributes'];

/**
 * Parses the flags of telemetry.
 * @param workload the name of the workload, for the default name of the service
 * @throws WorkloadError (usage) that names the flag, and no value of a header
 */
export function parseTelemetryFlags(flags: TelemetryFlags, workload: string): RequestedTelemetry {
  const { otelEndpoint: endpoint, otelEnablePrometheusMetricsPath: hasPrometheus = false } = flags;
  requireEffect(flags, hasPrometheus);
  if (!endpoint && !hasPrometheus) return { config: undefined, warnings: [] };
  const headers = parseHeaders(flags.otelHeaders ?? []);
  const attributes = parseAttributes(flags.otelCustomAttributes ?? '');
  const variables = parseVariables(flags.otelEnvVars ?? []);
  return {
    config: {
      ...(endpoint && { endpoint: parseEndpoint(endpoint, flags.otelInsecure ?? false) }),
      insecure: flags.otelInsecure ?? false,
      ...(Object.keys(headers).length > 0 && { headers }),
      serviceName: flags.otelServiceName || `gatehouse-${workload}`,
      tracingEnabled: flags.otelTracingEnabled ?? true,
      metricsEnabled: flags.otelMetricsEnabled ?? true,
      samplingRate: parseSamplingRate(flags.otelSamplingRate),
      enablePrometheusMetricsPath: hasPrometheus,
      ...(hasPrometheus && { metricsOnTransportPort: flags.otelMetricsOnTransportPort ?? true }),
      ...(variables.length > 0 && { environmentVariables: variables }),
      ...(Object.keys(attributes).length > 0 && { customAttributes: attributes }),
      useLegacyAttributes: flags.otelUseLegacyAttributes ?? true,
    },
    warnings: [
      ...(hasPrometheus && flags.otelMetricsOnTransportPort === undefined
        ? [
            '/metrics is also on the port of the proxy, where all its clients can read it; --otel-metrics-on-transport-port=false, a later default, leaves it on the diagnostics port alone',
          ]
        : []),
      ...(flags.otelInsecure === true && endpoint && /^https:/i.test(endpoint)
        ? ['--otel-insecure sends on http, which others can read, although --otel-endpoint begins with https://']
        : []),
    ],
  };
}

/** @throws WorkloadError (usage) for a flag without an effect, or an endpoint that gets nothing */
function requireEffect(flags: TelemetryFlags, hasPrometheus: boolean): void {
  const { otelEndpoint: endpoint, otelTracingEnabled: tracing, otelMetricsEnabled: metrics } = flags;
  const find = (names: readonly string[]) =>
    names.find((name) => name.startsWith('otel') && isGiven(flags[name as keyof TelemetryFlags]));
  const idle = find(endpoint ? [] : hasPrometheus ? COLLECTOR_FLAGS : Object.keys(flags));
  if (idle !== undefined)
    throw flagError(
      toFlag(idle),
      'has no effect without --otel-endpoint',
      ...(hasPrometheus ? [] : ['--otel-enable-prometheus-metrics-path   serves metrics without a collector']),
    );
  const untraced = tracing === false ? find(TRACE_FLAGS) : undefined;
  if (untraced !== undefined) throw flagError(toFlag(untraced), 'has no effect with --otel-tracing-enabled=false');
  if (!hasPrometheus && flags.otelMetricsOnTransportPort === true)
    throw flagError(
      toFlag('otelMetricsOnTransportPort'),
      'has no effect without --otel-enable-prometheus-metrics-path',
    );
  if (endpoint && tracing === false && metrics === false)
    throw flagError(
      `--otel-endpoint ${endpoint}`,
      'would get nothing with --otel-tracing-enabled=false and --otel-metrics-enabled=false',
    );
}

const isGiven = (value: unknown): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length > 0 : value === true;

const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Parses the address of the collector. @returns host, port and path, without a scheme */
function parseEndpoint(text: string, isInsecure: boolean): string {
  const typed = `--otel-endpoint ${text}`;
  const url = /[\s\p{Cc}\\#?]/u.test(text)
    ? null
    : URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw flagError(typed, 'is not the URL of a collector such as https://otel.example.com:4318');
  if (url.username !== '' || url.password !== '')
    // The message has no value.
    throw flagError(
      '--otel-endpoint',
      'has a user name or a password',
      '--otel-headers NAME=VALUE   sends credentials',
    );
  if (url.protocol === 'http:' && !isInsecure)
    throw flagError(typed, 'must begin with https://', '--otel-insecure   sends on http, which others can read');
  return `${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

/** Headers of the connection and of the body, which the exporter sets. */
const OWN_HEADER = /^(?:content-.*|host|connection|transfer-encoding|te|upgrade|keep-alive|user-agent)$/i;

function parseHeaders(typed: readonly string[]): Record<string, string> {
  const headers = new Map<string, [string, string]>();
  for (const text of typed) {
    const at = text.indexOf('=');
    if (at < 1) throw flagError('--otel-headers', 'has a header that is not NAME=VALUE');
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1)];
    // The messages have no value, which can be a secret.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw flagError(`--otel-headers ${name}=…`, 'has no valid name');
    if (OWN_HEADER.test(name)) throw flagError(`--otel-headers ${name}=…`, 'is a header that the exporter itself sets');
    if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value))
      throw flagError(`--otel-headers ${name}=…`, 'has no value, or characters that a header cannot have');
    if (headers.has(name.toLowerCase())) throw flagError(`--otel-headers ${name}=…`, 'is given twice');
    headers.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(headers.values());
}

function parseAttributes(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const key = pair.slice(0, Math.max(at, 0)).trim();
      if (key === '' || /\p{Cc}/u.test(pair))
        throw flagError(`--otel-custom-attributes ${text}`, `has ${JSON.stringify(pair)}, which is not KEY=VALUE`);
      return [key, pair.slice(at + 1).trim()];
    }),
  );
}

function parseVariables(typed: readonly string[]): string[] {
  const names = typed.flatMap((text) => text.split(',').map((name) => name.trim()));
  for (const name of names) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw flagError(
        `--otel-env-vars ${name.split('=', 1)[0] ?? ''}`,
        'is not the name of a variable; its value comes from the environment of gatehouse',
      );
  }
  return [...new Set(names)];
}

function parseSamplingRate(text: string | undefined): string {
  if (!text) return DEFAULT_SAMPLING_RATE;
  if (!isSamplingRate(text)) throw flagError(`--otel-sampling-rate ${text}`, 'is not a number from 0.0 to 1.0');
  return text;
}
