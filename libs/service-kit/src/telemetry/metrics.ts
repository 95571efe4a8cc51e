import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import { createNoopMeter } from '@opentelemetry/api';

/**
 * The service's meter (OpenTelemetry), exported to Prometheus on METRICS_PORT, and over OTLP if an
 * endpoint is set. Without both, measurements are discarded.
 */
export class Metrics {
  constructor(readonly meter: Meter = createNoopMeter()) {}

  /** Creates a counter; for example `gatehouse.tool_calls` with the unit `{call}`. */
  counter<A extends Attributes = Attributes>(name: string, description: string, unit = '1'): Counter<A> {
    return this.meter.createCounter<A>(name, { description, unit });
  }

  /** Creates a histogram; durations are in seconds. */
  histogram<A extends Attributes = Attributes>(name: string, description: string, unit = 's'): Histogram<A> {
    return this.meter.createHistogram<A>(name, { description, unit });
  }
}
