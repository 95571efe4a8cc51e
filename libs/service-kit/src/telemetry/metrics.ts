import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import { createNoopMeter } from '@opentelemetry/api';

/**
 * The service's meter (OpenTelemetry). Exported to Prometheus on METRICS_PORT, and over OTLP where
 * an endpoint is set; otherwise it counts into the void.
 */
export class Metrics {
  constructor(readonly meter: Meter = createNoopMeter()) {}

  /** A counter; name as in `gatehouse.tool_calls`, unit as in `{call}`. */
  counter<A extends Attributes = Attributes>(name: string, description: string, unit = '1'): Counter<A> {
    return this.meter.createCounter<A>(name, { description, unit });
  }

  /** A histogram; durations are in seconds. */
  histogram<A extends Attributes = Attributes>(name: string, description: string, unit = 's'): Histogram<A> {
    return this.meter.createHistogram<A>(name, { description, unit });
  }
}
