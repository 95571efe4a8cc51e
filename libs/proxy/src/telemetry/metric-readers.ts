import type { IMetricReader, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ProxyOptions } from '../pipeline/options.ts';
import { createExporterSettings } from './exporter-settings.ts';
import { ExportReport } from './export-report.ts';
import type { TelemetryOptions } from './telemetry-options.ts';

const INTERVAL_MS = 60_000;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The readers of the metrics of a server. */
interface MetricReaders {
  readonly readers: IMetricReader[];
  /** The metrics in the format of Prometheus; undefined without them. */
  readonly metrics: ProxyOptions['metrics'];
}

/** Opens the readers of metrics that the options name. */
export async function openMetricReaders(options: TelemetryOptions): Promise<MetricReaders> {
  const pushed = await openExporter(options);
  const readers: IMetricReader[] = pushed === undefined ? [] : [pushed];
  if (!options.hasPrometheus) return { readers, metrics: undefined };
  const { PrometheusExporter, PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus');
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer();
  return {
    readers: [...readers, reader],
    metrics: async () => {
      const { resourceMetrics } = await reader.collect();
      return { contentType: CONTENT_TYPE, body: serializer.serialize(addUnits(resourceMetrics)) };
    },
  };
}

async function openExporter({ collector, log }: TelemetryOptions): Promise<IMetricReader | undefined> {
  if (collector?.sendsMetrics !== true) return undefined;
  const [{ PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-proto'),
  ]);
  const exporter = new OTLPMetricExporter(createExporterSettings(collector, 'v1/metrics'));
  return new PeriodicExportingMetricReader({
    exporter: new ExportReport(collector.url, 'metrics', log).watch(exporter),
    exportIntervalMillis: collector.metricsIntervalMs ?? INTERVAL_MS,
    exportTimeoutMillis: Math.min(INTERVAL_MS / 2, collector.metricsIntervalMs ?? INTERVAL_MS),
  });
}

/** Names in the format of Prometheus end with the unit, which the serializer leaves out. */
const addUnits = ({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics => ({
  resource,
  scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map((metric) => {
      const { descriptor } = metric;
      return descriptor.unit === 's'
        ? { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}_seconds` } }
        : metric;
    }),
  })),
});
