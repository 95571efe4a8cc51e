import * as z from 'zod/mini';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());
const textMap = z.optional(z.nullable(z.readonly(z.record(z.string(), z.string()))));

/** The section of telemetry, with the names of exported configurations. */
export const TelemetryConfigSchema = z.looseObject({
  /** Host, port and path of the collector, without a scheme; empty: nothing is sent. */
  endpoint: text,
  /** Whether the collector is reached on http. */
  insecure: flag,
  /** Each value is a reference to a secret; only in an imported configuration the value itself. */
  headers: textMap,
  serviceName: text,
  serviceVersion: text,
  tracingEnabled: flag,
  metricsEnabled: flag,
  samplingRate: z.optional(
    z.union([
      z.string().check(z.refine((rate) => rate === '' || isSamplingRate(rate), 'must be a number from 0 to 1')),
      z.number().check(z.minimum(0), z.maximum(1)),
    ]),
  ),
  enablePrometheusMetricsPath: flag,
  /** The port of metrics; 0 or absent: 9464, or a free one. */
  prometheusPort: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))),
  metricsOnTransportPort: z.optional(z.nullable(z.boolean())),
  environmentVariables: z.optional(z.nullable(z.readonly(z.array(z.string())))),
  customAttributes: textMap,
  useLegacyAttributes: flag,
  /** A file with certificates for the collector. */
  caCertPath: text,
});
export type TelemetryConfig = Readonly<z.output<typeof TelemetryConfigSchema>>;

/** The section of telemetry of a configuration or of a command line. */
export interface TelemetrySections {
  readonly telemetry_config?: TelemetryConfig | null | undefined;
}

/** Whether a text is a number from 0 to 1. */
export const isSamplingRate = (rate: string): boolean =>
  /^(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i.test(rate) && Number(rate) <= 1;

/** Whether a section sends anything to a collector. */
export const hasCollector = (section: TelemetryConfig | null | undefined): section is TelemetryConfig =>
  Boolean(section?.endpoint) && (section?.tracingEnabled !== false || section.metricsEnabled !== false);

/** Whether a section sends or serves anything. */
export const isTelemetryOn = (section: TelemetryConfig | null | undefined): section is TelemetryConfig =>
  section?.enablePrometheusMetricsPath === true || hasCollector(section);
