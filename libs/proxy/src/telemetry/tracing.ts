import type { Resource } from '@opentelemetry/resources';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { createExporterSettings } from './exporter-settings.ts';
import { ExportReport } from './export-report.ts';
import type { TelemetryOptions } from './telemetry-options.ts';

const MAX_QUEUED_SPANS = 2_048;
const MAX_VALUE_LENGTH = 1_024;

/** Opens the spans of a server; undefined when it is not traced. */
export async function openTracing(
  { collector, log }: TelemetryOptions,
  resource: Resource,
): Promise<TracerProvider | undefined> {
  if (collector?.samplingRate === undefined) return undefined;
  const [sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const exporter = new OTLPTraceExporter(createExporterSettings(collector, 'v1/traces'));
  return new sdk.TracerProvider({
    resource,
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(collector.samplingRate) }),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
    // A full queue drops spans.
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new ExportReport(collector.url, 'traces', log).watch(exporter),
        maxQueueSize: MAX_QUEUED_SPANS,
      }),
    ],
  });
}
