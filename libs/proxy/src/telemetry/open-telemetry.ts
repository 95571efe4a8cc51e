/** Starts the telemetry of a server. This module loads the SDKs of OpenTelemetry. */
import type { Span } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Exchange } from '../pipeline/exchange.ts';
import { KnownClients } from '../pipeline/known-clients.ts';
import type { ProxyOptions } from '../pipeline/options.ts';
import { openMetricReaders } from './metric-readers.ts';
import { KnownNames } from './known-names.ts';
import { OperationMetrics } from './operation-metrics.ts';
import { type OperationStart, readEnd, readStart } from './operation.ts';
import { Spans, writeContext } from './spans.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import type { OpenOperation, Telemetry } from '../pipeline/telemetry.ts';
import { openTracing } from './tracing.ts';

/** Time in which the last telemetry must be sent at the end. */
const CLOSE_MS = 2_000;

/** The started telemetry of a server. */
export interface OpenedTelemetry extends Telemetry {
  /** The metrics in the format of Prometheus; undefined without them. */
  readonly metrics: ProxyOptions['metrics'];
  /** Sends what is left, within two seconds. */
  close(): Promise<void>;
}

/** Starts the telemetry of a server. Nothing is sent before the first request. */
export async function openTelemetry(options: TelemetryOptions): Promise<OpenedTelemetry> {
  const detected = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const resource = defaultResource()
    .merge(detected)
    .merge(
      resourceFromAttributes({
        ...options.resource,
        'service.name': options.serviceName,
        ...(options.serviceVersion !== undefined && { 'service.version': options.serviceVersion }),
      }),
    );
  const { readers, metrics } = await openMetricReaders(options);
  const meters = readers.length === 0 ? undefined : new MeterProvider({ resource, readers });
  const tracing = await openTracing(options, resource);
  const names = new KnownNames();
  const { server, usesLegacyAttributes = true, trustsProxyHeaders = false, spanAttributes: fixed = {} } = options;
  const spans =
    tracing &&
    new Spans(tracing.getTracer('gatehouse'), { server, usesLegacyAttributes, trustsProxyHeaders, fixed }, names);
  const meter = meters && new OperationMetrics(meters.getMeter('gatehouse'), server, names);
  return {
    ...createTelemetry(spans, meter, names),
    metrics,
    close: async () => {
      const sent = Promise.allSettled([tracing?.shutdown(), meters?.shutdown({ timeoutMillis: CLOSE_MS })]);
      // The SDK waits longer for a collector that does not answer.
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}

function createTelemetry(spans: Spans | undefined, meter: OperationMetrics | undefined, names: KnownNames): Telemetry {
  const clients = new KnownClients();
  return {
    begin: (exchange, transport) =>
      new Operation(exchange, readStart(exchange, transport), { spans, meter, names, clients }),
    openStream: (exchange, transport) => {
      const start = readStart(exchange, transport);
      exchange.onHead(() => spans?.recordStream(exchange, start));
      return meter?.open(transport, true) ?? (() => undefined);
    },
    countRefusal: (exchange, transport) =>
      meter?.recordRefusal(exchange.method, readStart(exchange, transport), exchange.response.statusCode),
  };
}

interface OperationParts {
  readonly spans: Spans | undefined;
  readonly meter: OperationMetrics | undefined;
  readonly names: KnownNames;
  readonly clients: KnownClients;
}

class Operation implements OpenOperation {
  readonly context: OpenOperation['context'];
  readonly #startedAt = performance.now();
  readonly #span: Span | undefined;
  readonly #close: (() => void) | undefined;
  #response: Parameters<OpenOperation['readMessage']>[0] | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly start: OperationStart,
    private readonly parts: OperationParts,
  ) {
    this.#span = parts.spans?.begin(exchange, start);
    this.context = this.#span && writeContext(this.#span);
    this.#close = parts.meter?.open(start.transport);
  }

  readMessage(message: Parameters<OpenOperation['readMessage']>[0]): void {
    // The response is the last message of its stream; others have a method.
    if ('method' in message) return;
    this.#response = message;
    const { target, method } = this.start;
    this.parts.names.learnList(method ?? '', message);
    const isAnswered = 'result' in message && message.result['isError'] !== true;
    if (isAnswered && target !== undefined && target.kind !== 'resource')
      this.parts.names.learn(target.kind, target.name);
  }

  end(): void {
    const { exchange, start, parts } = this;
    const client = parts.clients.find(exchange);
    const durationMs = performance.now() - this.#startedAt;
    const end = readEnd(exchange, start, { response: this.#response, client, durationMs });
    this.#close?.();
    parts.meter?.record(exchange.method, start, end);
    if (this.#span) parts.spans?.end(this.#span, exchange, start, end);
  }
}
