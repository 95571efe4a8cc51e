import type { ProxyOptions } from '@gatehouse/proxy/options';
import type { RunConfig } from '../configuration/run-config.ts';
import { WorkloadError } from '../errors/workload-error.ts';
import { DEFAULT_SAMPLING_RATE } from '../flags/telemetry.ts';
import { hasCollector, isTelemetryOn, type TelemetryConfig } from '../flags/telemetry-section.ts';
import { readCertificates } from '../flags/certificates.ts';

/** The parts of telemetry that a configuration does not hold. */
interface TelemetryParts {
  /** Reads the values of the headers for the collector by header. */
  readonly readHeaders: () => Promise<Readonly<Record<string, string>>>;
  /** Reads further certificates, PEM; undefined: those of the system alone. */
  readonly readCertificates: () => string | undefined;
  /** The variables of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address and the port of the listener for metrics; the port 0: 9464, or a free one. */
  readonly diagnostics: { readonly host: string; readonly port: number };
  readonly log: (line: string) => void;
}

/** The telemetry of a workload that is open. */
export interface WorkloadTelemetry {
  readonly options: Pick<ProxyOptions, 'telemetry' | 'metrics'>;
  /** Sends what is left, within two seconds. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the telemetry of a workload; undefined when its configuration has none.
 * @throws WorkloadError, SecretsError, and errors of a port that is taken
 */
export async function openTelemetryOf(
  config: RunConfig,
  parts: TelemetryParts,
): Promise<WorkloadTelemetry | undefined> {
  const { telemetry_config: section } = config;
  if (!isTelemetryOn(section)) return undefined;
  const { openTelemetry } = await import('@gatehouse/proxy/telemetry/open-telemetry');
  const collector = await createCollector(section, parts);
  const { serviceVersion } = section;
  const telemetry = await openTelemetry({
    server: config.name,
    serviceName: section.serviceName || `gatehouse-${config.name}`,
    ...(serviceVersion && { serviceVersion }),
    resource: section.customAttributes ?? {},
    spanAttributes: readVariables(section.environmentVariables ?? [], parts.environment),
    ...(collector && { collector }),
    hasPrometheus: section.enablePrometheusMetricsPath ?? false,
    usesLegacyAttributes: section.useLegacyAttributes ?? true,
    trustsProxyHeaders: config.trust_proxy_headers ?? false,
    log: (level, message) => parts.log(`${level} ${message}`),
  });
  const { metrics } = telemetry;
  const diagnostics = metrics && (await openDiagnosticsOf(metrics, section, parts));
  return {
    options: { telemetry, ...(metrics && section.metricsOnTransportPort !== false && { metrics }) },
    close: async () => {
      diagnostics?.close();
      await telemetry.close();
    },
  };
}

async function openDiagnosticsOf(
  metrics: NonNullable<ProxyOptions['metrics']>,
  { prometheusPort }: TelemetryConfig,
  { diagnostics: { host, port }, log }: TelemetryParts,
) {
  const { openDiagnostics } = await import('@gatehouse/proxy/telemetry/diagnostics-server');
  const chosen = prometheusPort || port;
  try {
    const server = await openDiagnostics(metrics, { host, port: chosen });
    log(`info metrics are at ${server.url}`);
    return server;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new WorkloadError('conflict', `The metrics cannot be served on port ${chosen}: ${reason}`, [], cause);
  }
}

async function createCollector(section: TelemetryConfig, parts: TelemetryParts) {
  if (!hasCollector(section)) return undefined;
  const { endpoint = '', insecure, tracingEnabled, metricsEnabled, samplingRate, caCertPath } = section;
  const own = caCertPath ? readCertificates(caCertPath, `the CA file ${caCertPath}`) : parts.readCertificates();
  return {
    url: `${insecure === true ? 'http' : 'https'}://${endpoint.replace(/^https?:\/\//i, '')}`,
    headers: await parts.readHeaders(),
    ...(own !== undefined && { certificates: own }),
    samplingRate: tracingEnabled === false ? undefined : Number(samplingRate || DEFAULT_SAMPLING_RATE),
    sendsMetrics: metricsEnabled !== false,
  };
}

/** The attributes of spans with the values of variables. */
const readVariables = (names: readonly string[], environment: TelemetryParts['environment']): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[`environment.${name}`, environment[name]]])),
  );
