import type { Context, Span, Tracer } from '@opentelemetry/api';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { type ClientSpan, ClientSpans } from './client-spans.ts';
import { Metrics } from './metrics.ts';

/** The destinations of telemetry, and the identity of the service. */
export interface TelemetryOptions {
  service: string;
  version: string;
  environment: string;
  host: string;
  /** Port of `/metrics`; 0 turns it off. */
  metricsPort: number;
  /** OTLP endpoint (HTTP). Without it, nothing is sent. */
  endpoint: string | undefined;
}

/** Creates the spans of requests. */
export interface RequestTracer {
  /** Begins the server span of a request, as a child of the received traceparent. */
  begin(name: string, traceparent: string | undefined): Span;
}

/** The started telemetry of a service. */
export interface Telemetry {
  metrics: Metrics;
  /** Only with an OTLP endpoint. */
  tracer: RequestTracer | undefined;
  clientSpans: ClientSpans;
  close(): Promise<void>;
}

/**
 * Starts the configured telemetry. The SDKs are loaded only if they are configured, since they
 * delay the start.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  if (options.metricsPort === 0 && options.endpoint === undefined)
    return {
      metrics: new Metrics(),
      tracer: undefined,
      clientSpans: new ClientSpans(),
      close: () => Promise.resolve(),
    };
  const [{ MeterProvider, PeriodicExportingMetricReader }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.version': options.version,
    'deployment.environment.name': options.environment,
  });
  const scrape = options.metricsPort === 0 ? undefined : await listenForScrapes(options.host, options.metricsPort);
  const readers = [];
  if (scrape) readers.push(scrape.reader);
  let tracing: Awaited<ReturnType<typeof startTracing>> | undefined;
  if (options.endpoint !== undefined) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${options.endpoint}/v1/metrics` }),
      }),
    );
    tracing = await startTracing(options.endpoint, resource);
  }
  const provider = new MeterProvider({ resource, readers });
  return {
    metrics: new Metrics(provider.getMeter('gatehouse')),
    tracer: tracing?.tracer,
    clientSpans: new ClientSpans(tracing?.recordClientSpan),
    close: async () => {
      scrape?.server.closeAllConnections();
      scrape?.server.close();
      // The timeout limits the wait for a collector that does not answer.
      await Promise.allSettled([provider.shutdown({ timeoutMillis: 2_000 }), tracing?.close()]);
    },
  };
}

/** Serves `/metrics` in the Prometheus text format on a separate port. */
async function listenForScrapes(host: string, port: number) {
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const reader = new PrometheusExporter({ preventServerStart: true });
  const server: Server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics')
      reader.getMetricsRequestHandler(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { reader, server };
}

async function startTracing(endpoint: string, resource: import('@opentelemetry/resources').Resource) {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, api] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/api'),
  ]);
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) });
  const provider = new TracerProvider({ resource, spanProcessors: [processor] });
  const tracer: Tracer = provider.getTracer('gatehouse');
  const parseTraceParent = (traceparent: string | undefined): Context => {
    const [, traceId = '', spanId = '', flags = '00'] = traceparent?.split('-') ?? [];
    if (traceId === '') return api.ROOT_CONTEXT;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16),
      isRemote: true,
    });
  };
  return {
    tracer: {
      begin: (name: string, traceparent: string | undefined) =>
        tracer.startSpan(name, { kind: api.SpanKind.SERVER }, parseTraceParent(traceparent)),
    },
    recordClientSpan: ({ name, traceparent, durationMs, attributes, hasFailed }: ClientSpan) => {
      const endTime = Date.now();
      const options = { kind: api.SpanKind.CLIENT, startTime: endTime - durationMs, attributes };
      const span = tracer.startSpan(name, options, parseTraceParent(traceparent));
      if (hasFailed) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(endTime);
    },
    close: () => provider.shutdown(),
  };
}
